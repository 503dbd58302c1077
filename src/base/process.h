/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Runs a program to its end; `words` ends in NULL, and the first of them is looked for in $PATH. Its exit
 * status, or a negative errno: -ECANCELED where a signal has ended it. */

#include "base/attributes.h"
MUST_USE int process_run(const char *const *words);

/* Starts one and does not wait for it, for a caller that ignores SIGCHLD. What it prints goes to stderr. 0,
 * or a negative errno. */
int process_start(const char *const *words);
