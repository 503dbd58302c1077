/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Commands that give a device an MTU, as scripts and units call them: ip(8), ifconfig(8) of Linux and of the
 * BSDs, and a write to /sys/class/net/NAME/mtu. */

#include "sources/format/shell.h"

/* Adds the MTU that `command` sets, if any. A device created on top of another one starts with the MTU of
 * that one. `source` has the kind, line, file and owner of the command. */
void mtu_command_read(const struct source_parser *parser, struct mtu_source source,
                      const struct shell_command *command);

/* The same for a whole script, which begins at the line of `source`. */
void mtu_command_read_script(const struct source_parser *parser, struct mtu_source source, const char *text,
                             size_t size, const struct shell_variables *variables);
