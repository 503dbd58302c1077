/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Commands that give a device an MTU, as scripts and units call them: ip(8), ifconfig(8) of Linux and of the
 * BSDs, and a write to /sys/class/net/NAME/mtu. */

#include "sources/format/shell.h"

/* Adds what `command` gives a device, if anything. A device that is stacked on another takes that one's MTU
 * at its birth. `source` says whose command it is: its kind, line and file, and its owner. */
void mtu_command_read(const struct source_parser *parser, struct mtu_source source,
                      const struct shell_command *command);

/* The same for a whole script, which begins at the line of `source`. */
void mtu_command_read_script(const struct source_parser *parser, struct mtu_source source, const char *text,
                             size_t size, const struct shell_variables *variables);
