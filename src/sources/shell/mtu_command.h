/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Programs that give a device an MTU: ip(8), ifconfig(8) of Linux and of the BSDs, nmcli(1), ovs-vsctl(8),
 * and a write to /sys/class/net/NAME/mtu. */

#include "sources/shell/shell.h"

/* Adds the MTU that `command` sets, if any. A device created on top of another one starts with the MTU of
 * that one. `source` has the kind, line, file and owner of the command. `input` is the command whose output
 * it reads, or NULL. */
void mtu_command_read(const struct source_parser *parser, struct mtu_source source,
                      const struct shell_command *command, const struct shell_command *input);

/* The file from which ip(8) reads its commands; NULL: none, or they act in another network namespace. */
const struct shell_word *mtu_command_batch(const struct shell_command *command);
