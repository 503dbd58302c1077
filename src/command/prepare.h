/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What commands begin with, and the messages where that fails. */

#include "change/snapshot.h"

/* A sink that prints each mistake of the configuration on stderr and counts it. */
struct diagnostic_sink mistakes_sink(struct mistakes *mistakes);
/* Prints the only one, or how many there are. */
void mistakes_report(const struct mistakes *mistakes);

/* Whether `r`, of a function that reads or opens a snapshot, is no error; an error is logged. */
MUST_USE bool prepare_check(int r);
/* Takes the snapshot and reports its mistakes. False if that failed, which is logged. */
MUST_USE bool prepare_snapshot(struct snapshot *ret);

/* Whether `format`, the value of --format or NULL, is one and beside no --json; logs what is wrong. */
MUST_USE bool prepare_format(const char *command, const char *format, const char *json);

/* What a word of the command line means, as by snapshot_find(); NULL: a message says that it means nothing.
 */
const struct device_status *prepare_find(const struct snapshot *snapshot, const char *word);

/* Logs that there is no such network device, `more` after that, and the name `meant`, if that is not
 * NULL. Returns EXIT_CODE_ABSENT. */
int prepare_no_device(const char *word, const char *more, const char *meant);
