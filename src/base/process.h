/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/attributes.h"

/* Runs a program and waits for it. `words` ends in NULL; its first item is searched in $PATH. Returns the
 * exit status, or a negative errno: -ECANCELED if a signal ended the program. */
MUST_USE int process_run(const char *const *words);
