/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Changes the MTU of one device in a way that can be undone, and sets it back. Reports results and prints
 * nothing. */

#include "base/attributes.h"
#include "config/config.h"
#include "kernel/link.h"
#include "store/device_record.h"

enum mtu_change_result {
        MTU_CHANGE_NONE, /* nothing was to be done */
        MTU_CHANGE_DONE,
        MTU_CHANGE_EQUAL,      /* the device had it already; no request was sent */
        MTU_CHANGE_STALE,      /* not tried: another program has set another MTU */
        MTU_CHANGE_IMPOSSIBLE, /* not tried: DEVICE_STATE_IMPOSSIBLE */
        MTU_CHANGE_UNRECORDED, /* not tried: the record to undo it failed: `record_error` */
        MTU_CHANGE_REFUSED,    /* by the kernel: `error` */
        MTU_CHANGE_LOST,       /* asked for, and the device cannot be read back: `error` */
        MTU_CHANGE_ROUNDED,    /* the driver took another value without an error: `link.mtu` */
        /* Of a step: */
        MTU_CHANGE_CONTRADICTED, /* not tried: STEP_REFUSE because of another device */
        MTU_CHANGE_SKIPPED,      /* not tried: the step that has to succeed first has failed */
        MTU_CHANGE_UNREADABLE,   /* not tried: the device cannot be read any more: `error` */
};

struct mtu_change {
        enum mtu_change_result result;
        bool has_changed; /* the device, to what was wanted or to what its driver has chosen */
        bool is_done;     /* it has what was wanted, or keeps what it is to keep */
        uint32_t wanted;  /* in bytes; `max` resolved; 0 where the device states no maximum */
        uint32_t before;
        struct link link;  /* as it is now */
        uint32_t original; /* the MTU that a restore would set */
        int error;
        char reason[128];           /* the kernel's words for the last error, or those of the errno */
        int record_error;           /* negative errno if the record could not be updated; or 0 */
        int up_error;               /* of bringing the link up */
        bool is_set_up;             /* the link was to be brought up, too */
        bool is_unread;             /* the record cannot be read; `original` is not known */
        bool is_pinned;             /* a bridge that had what was wanted: it keeps it from now on */
        bool is_on_trial;           /* there is a record of a trial, or that is not known */
        struct original_mtu former; /* from an earlier change by setmtu */
        struct kept_mtu kept;       /* setmtu-keep.service kept this, and does not now; or `mtu` is 0 */
};

/* Notes an error, with the words of the kernel for its last answer if it gave any. */
NONNULL void mtu_change_note_error(struct mtu_change *change, const struct netlink_socket *socket,
                                   int error);

/* Sends the request for `wanted` to `link`, which has just been read. */
NONNULL void mtu_change_request(struct netlink_socket *socket, const struct link *link,
                                struct mtu_change *change);

/* Sets the MTU of `line` on `link`, which has just been read. Of the other options, keep and auto matter:
 * what setmtu-keep.service keeps becomes the MTU of such a line; for any other it keeps none. With
 * `is_trial`, what it keeps stays as it is. */
NONNULL void mtu_change_set(struct netlink_socket *socket, const struct link *link,
                            const struct config_line *line, bool is_trial, struct mtu_change *ret);

/* Has setmtu-keep.service keep no other MTU than `mtu`. */
NONNULL void mtu_change_release(const struct link *link, uint32_t mtu);
/* Has it keep this, if that is an MTU. */
NONNULL void mtu_change_keep(const struct link *link, const struct kept_mtu *kept);

/* What a device is set back to. Either *restore*: to its original MTU, which setmtu then forgets; or
 * *revert*: to what it had before a change that failed, or that was not confirmed. */
struct earlier_mtu {
        bool is_original;
        uint32_t mtu;    /* 0: it is not known, and nothing is set */
        uint32_t set[2]; /* what setmtu has set, one of these; any other MTU is another program's, and left
                          */
        struct original_mtu former; /* revert: the record from before the change */
};

/* What a change is reverted to. */
NONNULL void earlier_mtu_of_change(const struct mtu_change *change, struct earlier_mtu *ret);
/* The original MTU of `link`. Without one, `mtu` is 0. Errors of original_mtu_find(), except for -ENOENT. */
MUST_USE NONNULL int earlier_mtu_original(const struct link *link, struct earlier_mtu *ret);
/* The MTU that setting back leaves `link` with, as it is now. */
NONNULL uint32_t earlier_mtu_to_come(const struct earlier_mtu *earlier, const struct link *link);

/* Sets `link`, which has just been read, back, and its records. After a failure these fit for another try.
 */
NONNULL void mtu_change_set_back(struct netlink_socket *socket, const struct link *link,
                                 const struct earlier_mtu *earlier, struct mtu_change *ret);

/* Removes the records of devices that are gone. An error means that some are left. */
NONNULL int mtu_change_forget_gone(struct netlink_socket *socket);
