/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Commands of units, udev rules and the like, which no shell runs. */

#include "sources/shell/shell.h"

/* As script_read_words(): what a shell would take as its own is a word. False if the command is known to
 * fail. */
bool exec_command_read(const struct source_parser *parser, struct mtu_source source,
                       const struct shell_command *command, const struct shell_variables *variables);
