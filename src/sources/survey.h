/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Finds the files of this machine that give devices an MTU, behind $SETMTU_ROOT, and reads them all. */

#include "sources/finding.h"

/* Fills `ret`, which the caller frees. What cannot be read is told to `sink` and left out: files as errors,
 * lines as warnings. -ENOMEM is the only error, and leaves `ret` untouched.
 *
 * Our own lines in /etc/conf.d/setmtu are none of the findings; where a hand-written unit takes its value
 * from there, its finding is. */
int findings_survey(const struct diagnostic_sink *sink, struct findings *ret);

/* The same of one file that a user names, whose `format` is one of sources/format.h. `text` has been read
 * already. Other files that belong to it are read on this machine: the EnvironmentFile= of a unit. */
struct source_format;
int findings_survey_text(const struct source_format *format, const char *file, const char *text, size_t size,
                         const struct diagnostic_sink *sink, struct findings *ret);
