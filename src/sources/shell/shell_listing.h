/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The files of this machine that words of a script stand for. */

#include "sources/shell/shell_state.h"

/* The words over which `for` goes, from behind whose head on the shell reads. False if only the running
 * shell knows them. */
bool shell_listing_items(struct shell_flow *flow, const struct shell *shell,
                         const struct shell_command *head, struct shell_command *ret);

/* Whether other programs fill the folder while the machine runs: what is in it now is not there at boot. */
bool shell_listing_is_volatile(const char *path);
