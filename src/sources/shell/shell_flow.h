/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Which commands of a shell script are run, and with which variables, as far as that can be told without
 * running it (POSIX XCU 2.9.3 to 2.9.5; [[, for ((…)) and `function` of bash). A condition that is known
 * decides; of one that is not, both ways are read. Behind them, only what they agree on is known. */

#include "sources/shell/shell_state.h"

/* Reads a text that begins at `line`. `is_sourced`: it is a part of the script that reads it, which may call
 * its functions. Otherwise a function that nothing calls is read at the end. Returns the last
 * mistake. */
struct shell_mistake shell_flow_read(struct shell_flow *flow, const char *text, size_t size, unsigned line,
                                     bool is_sourced);
