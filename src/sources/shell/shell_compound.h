/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Lists of commands, and commands that contain others (POSIX XCU 2.9.2 to 2.9.5). */

#include "sources/shell/shell_state.h"

/* Reads a text that begins at `line`, of which flow->run_simple() runs the simple commands. Returns what
 * became of the last one. `ret_mistake`: the last one; may be NULL. */
struct shell_outcome shell_compound_read(struct shell_flow *flow, const char *text, size_t size,
                                         unsigned line, struct shell_mistake *ret_mistake);

/* The shell ends: reads what its trap for EXIT does. */
void shell_compound_end(struct shell_flow *flow);
