/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What setmtu import prints: lines for /etc/conf.d/setmtu, with comments that say where each came from, and
 * what to remove there. */

#include <stdio.h>

#include "config/config.h"
#include "sources/choice.h"

/* `config` is what /etc/conf.d/setmtu and its kin say by now: those lines stay. */
void import_text_print(FILE *stream, const struct findings *findings, const struct choices *choices,
                       const struct config *config);

/* Whether the device has no line yet and is to get one. */
bool import_text_is_new(const struct choice *choice, const struct config *config);
