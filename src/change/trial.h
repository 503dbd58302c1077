/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* A change of MTU that is undone unless it is confirmed: a record of it in /run/setmtu, and revert_timer.h,
 * which acts on that in time. */

#include "base/attributes.h"
#include "change/snapshot.h"
#include "store/mtu_record.h"

/* The change to try. */
struct trial {
        unsigned ifindex;
        const struct config_line *line; /* what the device is to have for now; its `file` is NULL */
        unsigned timeout_s;
        int owner;       /* a descriptor: at its end of file the trial is reverted at once; or -1 */
        bool is_watched; /* this process will ask how it ended: trial_take_end() */
};

/* Writes down what undoes the change, starts the timer, and changes the device and what stands on it. Takes
 * the command lock. `ret` is the trial's record, `ret_former` the device as it was. False if nothing has
 * been changed, or the timer alone is left to undo it: a message says which. */
MUST_USE NONNULL bool trial_begin(struct snapshot *snapshot, const struct trial *trial,
                                  struct trial_record *ret, struct link *ret_former);

/* Ends the trial of a device, where one is waiting, and leaves its MTU; `end` is why. 0, also if there is
 * none, or a negative errno: it is waiting still. The caller holds the command lock. */
MUST_USE int trial_end(unsigned ifindex, enum trial_phase end);

/* How the trial with that id has ended, which is forgotten with that. -ENOENT if it is not kept; other
 * negative errnos where it cannot be read, for another try. */
MUST_USE NONNULL int trial_take_end(unsigned ifindex, uint32_t id, enum trial_phase *ret);

/* Restores the MTU from before, with the devices on top of it. Takes the command lock, and retries for a
 * while after a failure. Logs the result and returns an exit code; it is no failure if the device has
 * another MTU by now. -ENOENT, without a message, if no trial is waiting any more, or with `id`, not that
 * one. `is_due`: called at the deadline and not by a user; a trial whose line has been written by then is
 * confirmed. */
int trial_revert(struct netlink_socket *socket, unsigned ifindex, const uint32_t *id, bool is_due);

/* Whether the device is there and has the MTU from before the trial. */
MUST_USE NONNULL bool trial_is_undone(struct netlink_socket *socket, const struct trial_record *record);

/* Reverts trials whose command and timer were both killed. For commands that change devices, before they
 * read them; the caller does not hold the command lock. Logs what it did. */
void trial_revert_overdue(void);

/* The device of a trial. -ENODEV where it is gone, also if another one has its ifindex. */
MUST_USE NONNULL int trial_get_device(struct netlink_socket *socket, const struct trial_record *record,
                                      struct link *ret);

/* The name by which it has its line: the one that was given, or where that is no longer its own, the present
 * one. A negative errno if that is not known. */
MUST_USE NONNULL int trial_line_name(struct netlink_socket *socket, const struct link *link,
                                     const struct trial_record *record,
                                     char ret[static INTERFACE_NAME_SIZE]);

/* Logs that the record cannot be read. Returns an exit code. */
int trial_log_unreadable(unsigned ifindex, int error);

/* Logs that the device has another MTU than the one that was tried, or is gone. */
NONNULL void trial_log_changed(struct netlink_socket *socket, const struct trial_record *record);
