/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The files of this machine that words of a script stand for. */

#include "sources/shell/shell_state.h"

/* Puts in the paths that patterns mean, and the words that `$(ls …)` prints; and if `is_counted`, the
 * numbers of
 * `$(seq …)`. False if only the running shell can tell them, and where there are none: the shell keeps a
 * pattern that means nothing. */
bool shell_listing_expand(struct shell_flow *flow, struct shell_command *words, bool is_counted);

/* Whether other programs fill the folder while the machine runs: what is in it now is not there at boot. */
bool shell_listing_is_volatile(const char *path);
