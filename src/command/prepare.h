/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What commands begin with, and the messages where that fails. */

#include "change/snapshot.h"

/* What a word of the command line means, as by snapshot_find(); NULL: a message says that it means nothing.
 */
const struct device_status *prepare_find(const struct snapshot *snapshot, const char *word);

/* Logs that there is no such network device, `more` after that, and the similar name `meant`, if it is
 * neither NULL nor empty. Returns EXIT_CODE_ABSENT. */
int prepare_no_device(const char *word, const char *more, const char *meant);
