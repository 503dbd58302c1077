/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* A lock of a command that changes more than one thing and is not to end in between: no other setmtu
 * command is in one at the same time, and signals wait. */

#include <signal.h>
#include <stdbool.h>

struct command_lock {
        bool is_open;
        int fd; /* -1 where this process may not have it */
        sigset_t former;
};

/* False where another one has not let go of it in half a minute, or a signal was caught while it waited:
 * that is said. Without root it goes on without the lock: what follows will say what it may not do. */
bool command_lock_take(struct command_lock *ret);
void command_lock_release(
                struct command_lock *lock); /* for CLEANUP(), too; of one that is all zeros, or has ended */
