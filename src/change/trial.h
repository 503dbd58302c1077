/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Changes of MTUs that are undone together unless they are confirmed together: a record of each device in
 * /run/setmtu, and revert_timer.h, which acts on these in time. A device that goes, or that another command
 * sets, leaves its trial; the others stay in it. */

#include "base/attributes.h"
#include "base/text.h"
#include "change/carry_out.h"
#include "change/revert_timer.h"
#include "change/snapshot.h"
#include "store/device_record.h"

enum trial_revert_result {
        TRIAL_REVERT_DONE,
        TRIAL_REVERT_NOT_WAITING, /* no trial is waiting any more, or not that one */
        TRIAL_REVERT_CONFIRMED,   /* setmtu confirm was killed after it had decided */
        TRIAL_REVERT_STALE,       /* the device has another MTU by now, or is gone: left alone */
        TRIAL_REVERT_FAILED,      /* see `error`; the trial keeps waiting */
};

/* How the revert of a device ended. */
struct trial_revert {
        enum trial_revert_result result;
        struct trial_record record;
        struct change change;
        struct snapshot snapshot; /* of the change; the socket is the caller's */
        int error;
        int end_error; /* the end could not be recorded; or 0 */
};

/* Those of all devices of a trial, in the order in which they were reverted. */
struct trial_reverts {
        struct trial_revert *items;
        size_t n_items; /* 0: none is waiting any more, or not that trial; or `error` */
        int error;      /* the records could not be read */
};
NONNULL void trial_reverts_free(struct trial_reverts *reverts); /* for CLEANUP() */

/* Sets the devices of the trial back to their MTUs from before it, with the devices on top of them; what was
 * changed last goes first. Devices that are back leave the trial. The caller holds the command lock if it
 * could have it. */
NONNULL void trial_revert(struct netlink_socket *socket, uint32_t id, struct trial_reverts *ret);

/* What a device is to have for now. */
struct trial_target {
        unsigned ifindex;
        const struct config_line *line;
};

/* The changes to try. */
struct trial {
        const struct trial_target *targets; /* at least one */
        size_t n_targets;
        bool is_of_configuration; /* there is no line to be written: the file has them all */
        unsigned timeout_s;
};

#define TRIAL_FAULT_SIZE (2 * TEXT_SHELL_WORD_SIZE + 256)

/* How a trial began; for trial_begin_and_log(). */
struct trial_begin {
        double deadline;              /* by clock_boottime_s() */
        char fault[TRIAL_FAULT_SIZE]; /* why it has not; empty: that is of `change` */
        const char *name;             /* the device that the fault is about */
        struct trial_records records; /* in the order of the changes */
        struct change change;         /* of devices of the caller's snapshot, which has them as they were */
        struct trial_reverts reverts; /* of what was changed, unless the trial has begun */
};
NONNULL void trial_begin_free(struct trial_begin *begin);

/* Writes down what undoes the changes, starts the timer, and changes the devices and those on top of them.
 * Devices below stay as they are. The caller holds the command lock. If a step of that fails, all is
 * reverted; if that fails, too, the timer tries it again. True if the trial has begun. */
MUST_USE NONNULL bool trial_begin(struct snapshot *snapshot, const struct trial *trial,
                                  struct trial_begin *ret);

/* Ends the trial of that device, where one is waiting, and leaves its MTU. 0, also if there is none, or a
 * negative errno: it is waiting still. The caller holds the command lock. */
MUST_USE int trial_end(unsigned ifindex);

/* `trial, 47 s left: setmtu confirm eth0`, where a trial of the device waits, or that this is not known.
 * False: there is none. */
#define TRIAL_TEXT_SIZE (TEXT_SHELL_WORD_SIZE + sizeof("trial, 4294967295 s left: setmtu confirm "))
NONNULL bool trial_text(char buffer[static TRIAL_TEXT_SIZE], const struct link *link);

/* The device of a trial. -ENODEV where it is gone, also if another one has its ifindex. */
MUST_USE NONNULL int trial_get_device(struct netlink_socket *socket, const struct trial_record *record,
                                      struct link *ret);
