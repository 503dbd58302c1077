/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What interfaces(5) of ifupdown says besides MTUs; ifupdown2 shares the syntax. */

#include "sources/format/lines.h"

/* Whether `auto` or `allow-…` of this text brings up `device`. */
bool source_ifupdown_brings_up(const char *text, size_t size, const char *device);

/* What the next `source` or `source-directory` of the text names. NULL at the end. `lines` joins. */
const char *source_ifupdown_included(struct lines *lines, bool *ret_is_folder);
