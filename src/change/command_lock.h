/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* A lock for a command that changes several things and must not end in between: no other setmtu command
 * holds it at the same time, and signals are blocked. */

#include <signal.h>
#include <stdbool.h>

struct command_lock {
        bool is_open;
        int fd; /* -1 if this process may not have it */
        sigset_t former;
};

/* False if another command holds the lock for more than half a minute, or a signal was caught: this is
 * logged. Without root it continues without the lock; later steps report missing permissions. */
bool command_lock_take(struct command_lock *ret);
void command_lock_release(
                struct command_lock *lock); /* for CLEANUP(), too; of one that is all zeros, or has ended */
