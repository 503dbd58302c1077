/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Only one setmtu command at a time changes devices, their records in /run/setmtu/ and the configuration
 * file. setmtu-apply, in the units, does not take this lock, because commands wait for units; no command has
 * it while it waits for setmtu-configure, which takes it to write the udev rules. */

#include <signal.h>
#include <stdbool.h>

#include "base/attributes.h"

#define CHANGE_LOCK_PATH "/run/setmtu/lock"

/* Waits for the lock for at most `patience_s`, or until a signal is caught. Returns a descriptor that has
 * the lock until it is closed, also in children made by fork(2) meanwhile; -ETIMEDOUT; -EINTR; or the errors
 * of whole_file_open_lock(). */
MUST_USE int change_lock_take(unsigned patience_s);

/* The lock for a command, which must not end while it changes several things: signals are blocked meanwhile.
 */
struct command_lock {
        bool is_open;
        int fd; /* -1 if this process may not have it */
        sigset_t former;
};

/* 0, or the errors of change_lock_take(). Without root it continues without the lock; later steps report
 * missing permissions. */
MUST_USE int command_lock_take(unsigned patience_s, struct command_lock *ret);
void command_lock_release(
                struct command_lock *lock); /* for CLEANUP(), too; of one that is all zeros, or has ended */
