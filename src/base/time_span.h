/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* How long something may take, as a command line says it. */

#include <stdbool.h>

/* A number of seconds, or one with s, min, h or d behind it: from 1 s to `largest_s`. */
bool time_span_parse(const char *text, unsigned largest_s, unsigned *ret_s);
