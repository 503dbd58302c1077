/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Commands that give a device an MTU, as scripts and units call them: ip(8), ifconfig(8) of Linux and of the
 * BSDs, and a write to /sys/class/net/NAME/mtu. */

#include "sources/reading.h"
#include "sources/shell.h"

/* What has been seen of a script so far: devices that it stacks take the MTU of the one below at birth. */
struct mtu_command_context {
        enum source source;
        const char *through; /* as in a finding */
        unsigned through_line;
        const char *file;  /* where the values stand, if not in the reading itself */
        const char *owner; /* as in a finding */
        bool inactive;
};

/* Adds what `command` gives a device, if anything. `line` is where it stands. */
int mtu_command_read(const struct reading *reading, const struct mtu_command_context *context,
                     const struct shell_command *command, unsigned line);

/* Reads a whole script, which begins at `line` of the file that the reading is of. */
int mtu_command_read_script(const struct reading *reading, const struct mtu_command_context *context,
                            const char *text, size_t size, const struct shell_variable *variables,
                            size_t n_variables, unsigned line);
