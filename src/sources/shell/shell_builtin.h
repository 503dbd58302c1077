/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What a shell does itself: assignments, tests, and commands that set variables or leave a loop. */

#include "sources/shell/shell_state.h"

/* False if it is another command. */
bool shell_builtin_run(struct shell_flow *flow, const struct shell_command *command,
                       struct shell_outcome *ret);

/* NAME=VALUE, or NAME+=VALUE. */
void shell_builtin_assign(struct shell_flow *flow, const struct shell_word *word);

/* Sets $1 and so on. NULL: they are not known. */
void shell_builtin_set_arguments(struct shell_flow *flow, const struct shell_command *rest);

/* Remembers the variable in flow->locals, which gets its present value back later. */
void shell_builtin_keep(struct shell_flow *flow, const char *name);
