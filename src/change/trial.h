/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* A change of MTU that is undone unless it is confirmed: a record of it in /run/setmtu, and revert_timer.h,
 * which acts on that in time. */

#include "base/attributes.h"
#include "base/text.h"
#include "change/carry_out.h"
#include "change/revert_timer.h"
#include "change/snapshot.h"
#include "store/device_record.h"

enum trial_revert_result {
        TRIAL_REVERT_DONE,
        TRIAL_REVERT_NOT_WAITING, /* no trial is waiting any more, or not that one */
        TRIAL_REVERT_CONFIRMED,   /* setmtu confirm was killed after it wrote the line */
        TRIAL_REVERT_STALE,       /* the device has another MTU by now, or is gone: left alone */
        TRIAL_REVERT_FAILED,      /* see `error`; the trial keeps waiting */
};

/* How a revert ended. */
struct trial_revert {
        enum trial_revert_result result;
        struct trial_record
                        record; /* except with TRIAL_REVERT_NOT_WAITING; without a name, it is unreadable */
        struct change change;
        struct snapshot snapshot; /* of the change; the socket is the caller's */
        int error;
        int end_error; /* the end could not be recorded; or 0 */
};
NONNULL void trial_revert_free(struct trial_revert *revert);

/* Sets the device back to its MTU from before the trial, with the devices on top of it, and retries for a
 * while after a failure. The caller holds the command lock if it could have it. `id`: only that trial; NULL:
 * any. `is_due`: called at the deadline and not by a user; a trial whose line has been written by then is
 * confirmed. */
void trial_revert(struct netlink_socket *socket, unsigned ifindex, const uint32_t *id, bool is_due,
                  struct trial_revert *ret);

/* The change to try. */
struct trial {
        unsigned ifindex;
        const struct config_line *line; /* what the device is to have for now; its `file` is NULL */
        unsigned timeout_s;
        int owner;       /* a descriptor: at its end of file the trial is reverted at once; or -1 */
        bool is_watched; /* this process will ask how it ended: trial_take_end() */
};

/* How a trial began; for trial_log_begin(). */
struct trial_begin {
        bool has_begun;
        char fault[REVERT_TIMER_FAULT_SIZE]; /* why it has not; empty: that is of `change` */
        struct trial_record record;
        struct link former;   /* the device as it was */
        struct change change; /* of devices of the caller's snapshot */
        bool is_reverted;     /* something may have been changed, and is reverted: */
        struct trial_revert revert;
};
NONNULL void trial_begin_free(struct trial_begin *begin);

/* Writes down what undoes the change, starts the timer, and changes the device and those on top of it. The
 * caller holds the command lock. If a step of that fails, all is reverted; if that fails, too, the timer
 * tries it again.
 */
NONNULL void trial_begin(struct snapshot *snapshot, const struct trial *trial, struct trial_begin *ret);

/* Ends the trial of a device, where one is waiting, and leaves its MTU; `end` is why. 0, also if there is
 * none, or a negative errno: it is waiting still. The caller holds the command lock. */
MUST_USE int trial_end(unsigned ifindex, enum trial_phase end);

/* How the trial with that id has ended, which is forgotten with that. -ENOENT if it is not kept; other
 * negative errnos where it cannot be read, for another try. */
MUST_USE NONNULL int trial_take_end(unsigned ifindex, uint32_t id, enum trial_phase *ret);

/* Removes the record of a trial that has ended and whose watcher is gone. */
NONNULL void trial_forget_end(const struct trial_record *record);

/* `trial, 47 s left: setmtu confirm eth0`, where a trial of the device waits; `?`: its record cannot be
 * read. False: there is none. */
#define TRIAL_TEXT_SIZE (TEXT_SHELL_WORD_SIZE + sizeof("trial, 4294967295 s left: setmtu confirm "))
NONNULL bool trial_text(char buffer[static TRIAL_TEXT_SIZE], const struct link *link);

/* Whether the device is there and has the MTU from before the trial. */
MUST_USE NONNULL bool trial_is_undone(struct netlink_socket *socket, const struct trial_record *record);

/* The device of a trial. -ENODEV where it is gone, also if another one has its ifindex. */
MUST_USE NONNULL int trial_get_device(struct netlink_socket *socket, const struct trial_record *record,
                                      struct link *ret);
