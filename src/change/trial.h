/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* A change of MTU that is undone unless it is confirmed: a record of it in /run/setmtu, and revert_timer.h,
 * which acts on that in time. */

#include "base/attributes.h"
#include "change/snapshot.h"
#include "store/mtu_record.h"

/* The timer acts so long after a command that watches the same trial would be too late by itself. */
#define TRIAL_GRACE_S 3

/* What is tried. */
struct trial {
        unsigned ifindex;
        const struct config_line *line; /* what the device is to have for now; its `file` is NULL */
        unsigned timeout_s;
        int owner; /* a descriptor: at its end of file the trial is reverted at once; or -1 */
};

/* Writes down what undoes the change, starts the timer, and changes the device and what stands on it. Takes
 * the command lock. `ret` is the trial's record, `ret_former` the device as it was. False where nothing has
 * been changed, or the timer alone is left to undo it: a message says which. */
MUST_USE NONNULL bool trial_begin(struct snapshot *snapshot, const struct trial *trial,
                                  struct trial_record *ret, struct link *ret_former);

/* Ends the trial of a device, where one is waiting, and leaves its MTU: it has been confirmed, or another
 * command has settled what the device is to have. 1, or 0 where there is none, or a negative errno. The
 * caller holds the command lock. */
MUST_USE int trial_drop(unsigned ifindex);

/* Puts back the MTU from before, with what stands on the device. Takes the command lock, and tries again for
 * a while where the kernel refuses. Logs what came of it and returns an exit code; a trial that is not
 * waiting any more, or whose device has another MTU by now, is no failure. */
NONNULL int trial_revert(struct netlink_socket *socket, unsigned ifindex);

/* Logs that the record cannot be read. Returns an exit code. */
int trial_log_unreadable(unsigned ifindex, int error);

/* Logs that the device has another MTU than the one that was tried, or is gone. */
NONNULL void trial_log_changed(struct netlink_socket *socket, unsigned ifindex,
                               const struct trial_record *record);
