/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Runs `setmtu revert` for a trial at its deadline, even if the command that began it is killed, and again
 * until the trial has ended: a transient systemd timer or, if systemd does not manage these devices, a
 * process in its own session. */

#include <stdbool.h>
#include <stdint.h>

#include "base/attributes.h"
#include "store/device_record.h"

/* Starts it for a trial whose records are written already. 0, or a negative errno if that cannot be done. */
MUST_USE NONNULL int revert_timer_start(const struct trial_records *records, unsigned timeout_s);

/* Whether a device of the trial is waiting still. Where that cannot be read, it is. Needs no lock. */
MUST_USE NONNULL bool revert_timer_is_waiting(const struct trial_records *records);

/* Stops systemd's timers of trials that have ended, also those that could not be stopped then. A process
 * sees that by itself. */
void revert_timers_stop(void);
