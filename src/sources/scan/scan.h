/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Finds the files of this machine that give devices an MTU, behind $SETMTU_ROOT, and reads them all. */

#include "config/diagnostic.h"
#include "sources/parser/mtu_source.h"

/* Adds to `sources`, which the caller frees. What cannot be read goes to `sink` and is left out: files as
 * errors, lines as warnings. -ENOMEM is the only error.
 *
 * setmtu's own lines in CONFIG_FILE are none of the sources; where a hand-written unit takes its
 * value from there, its source is. */
int scan_machine(const struct diagnostic_sink *sink, struct mtu_sources *sources);

/* The same of one file that a user names, whose `format` is one of sources/format/format.h. `text` has been
 * read already. Other files that belong to it are read on this machine: the EnvironmentFile= of a unit. */
struct source_format;
int scan_named_file(const struct source_format *format, const char *file, const char *text, size_t size,
                    const struct diagnostic_sink *sink, struct mtu_sources *sources);
