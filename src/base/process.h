/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Runs programs. `words` ends in NULL; its first item is searched in $PATH. */

#include <stddef.h>

#include "base/attributes.h"

/* Waits for the program. Returns its exit status, or a negative errno: -ECANCELED if a signal ended it. */
MUST_USE int process_run(const char *const *words);

/* The status of a program that could not be started, as in shells. */
#define PROCESS_ABSENT 127

/* The same for at most `limit_s`, with what the program prints, also on stderr, which ends in a NUL; the
 * caller frees it. The program reads /dev/null, has a process group of its own, which is killed as a whole,
 * and is killed when this process is. Returns its status as in shells, 128 and the number for a signal.
 * Otherwise the output is untouched: -ETIME if it took too long, -ECANCELED if interrupt_seen(), or another
 * negative errno. */
MUST_USE NONNULL int process_read(const char *const *words, unsigned limit_s, char **ret_output,
                                  size_t *ret_size);
