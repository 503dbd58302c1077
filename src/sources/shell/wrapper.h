/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Programs that run another one with what stands behind their own words: sudo(8), env(1), timeout(1), … */

#include "sources/shell/shell.h"

/* The number of words in front of the command that it runs; 0: it is no wrapper. All of them, if that acts
 * in another network namespace. */
size_t wrapper_size(const struct shell_command *command);

/* The command behind all wrappers; without words, if there is none. */
struct shell_command wrapper_skip(const struct shell_command *command);
