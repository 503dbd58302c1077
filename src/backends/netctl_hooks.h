/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The interface hooks by which netctl, and netcfg before it, set an MTU: a piece of bash that either reads
 * with each profile of an interface. netctl.special(7), and load_interface_config() in netctl's
 * src/lib/globals; load_profile() in netcfg's src/network. No part of a hook but its comment has anything
 * from outside in it: the interface is the shell's own variable. */

#include <stdio.h>

#include "config/config.h"

/* Errors are the stream's. */
void netctl_hook_write(const struct config_line *line, FILE *stream);
void netcfg_hook_write(const struct config_line *line, FILE *stream);
