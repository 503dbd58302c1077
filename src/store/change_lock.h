/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* One setmtu command at a time changes devices, their records in /run/setmtu/ and the configuration file.
 * The units' setmtu-apply does not wait for it: commands start and stop those. */

#include "base/attributes.h"

#define CHANGE_LOCK_PATH "/run/setmtu/lock"

/* Waits for whoever has it, for `patience_s` at the most, and until a signal is caught. Returns a
 * descriptor, which has the lock until it is closed, here and in a child that was made by fork(2) meanwhile;
 * -ETIMEDOUT; -EINTR; or the errors of mkdir(2) and open(2): it is a file of mode 0600, because anybody may
 * lock what they may read (flock(2)). */
MUST_USE int change_lock_take(unsigned patience_s);
