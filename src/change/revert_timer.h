/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What undoes a trial in time whatever becomes of the command that began it: a transient timer of systemd
 * that runs `setmtu revert`, or a process of its own session where systemd does not manage these devices. */

#include <stdbool.h>
#include <stdint.h>

#include "store/trial_record.h"

/* Begins to watch over the trial, which is written down already. False where that cannot be done: it is
 * said. */
bool guard_start(unsigned ifindex, const struct trial_record *record, unsigned timeout_s);

/* Calls it off, once the trial has ended. The process sees that by itself. */
void guard_stop(const char *name);
