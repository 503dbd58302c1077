/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Changes one device's MTU, so that it can be taken back, and takes it back. Says what happened and prints
 * nothing. */

#include "base/attributes.h"
#include "config/mtu_spec.h"
#include "kernel/link.h"
#include "store/mtu_record.h"

enum mtu_change_result {
        MTU_CHANGE_DONE,
        MTU_CHANGE_EQUAL,      /* the device had it already, and nothing was asked of the kernel */
        MTU_CHANGE_NO_LARGEST, /* `max`, and the device states none */
        MTU_CHANGE_TOO_LARGE,  /* for the device's own limits, which are in `link` */
        MTU_CHANGE_TOO_SMALL,
        MTU_CHANGE_UNRECORDED, /* not tried: what it takes to undo it could not be kept: `record_error` */
        MTU_CHANGE_REFUSED,    /* by the kernel: `error`, and its own words in the socket's error_text */
        MTU_CHANGE_LOST,       /* asked for, and the device cannot be read back: `error` */
        MTU_CHANGE_ROUNDED,    /* the driver took another value without an error: `link.mtu` */
};

struct mtu_change {
        enum mtu_change_result result;
        uint32_t wanted; /* in bytes; what `max` came to; 0 for MTU_CHANGE_NO_LARGEST */
        uint32_t before;
        struct link link;  /* as it is now */
        uint32_t original; /* what a restore would put back */
        int error;
        int record_error; /* negative errno: the record is not as it is to be; or 0 */
        int fall_error;   /* the same of that of a fall, which counts no longer */
        bool is_unread;   /* which is because it cannot be read; `original` is not known */
        bool was_ours;    /* what it had before was setmtu's work already; the record fits that, too */
        bool has_former;  /* setmtu had changed the device before, and kept this of it: */
        struct original_mtu former;
        bool had_kept; /* setmtu-keep.service kept this, and no longer does so: */
        struct kept_mtu kept;
};

/* Whether the device has what was wanted. */
MUST_USE NONNULL bool mtu_change_is_done(const struct mtu_change *change);

/* Gives the device `link`, fresh from the kernel, the MTU of `spec`. Its other options do not matter. */
NONNULL void mtu_change_apply(struct netlink_socket *socket, const struct link *link,
                              const struct mtu_spec *spec, struct mtu_change *ret);

/* Whoever gives a device another MTU on setmtu's behalf is not somebody whom setmtu-keep.service is to
 * overrule: it keeps no other one than `mtu` from now on. True where it did: `ret`, to be put back. */
NONNULL bool mtu_change_release(const struct link *link, uint32_t mtu, struct kept_mtu *ret);

/* The change will not be taken back: what the device had before it is somebody else's from now on, should it
 * have that again. 0, or a negative errno where the record still says otherwise. */
MUST_USE NONNULL int mtu_change_settle(const struct mtu_change *change);

struct mtu_undone {
        uint32_t mtu;     /* as it is now: not `before` where the driver has made another MTU of that */
        int record_error; /* negative errno: the record still tells of the change; or 0 */
};

/* Takes a change back: the MTU from before it and, behind that, what could be restored before it; `former`
 * is NULL where there was nothing. `ret` has what has come of it. Where the device no longer has `set`,
 * somebody has changed it since: its MTU is left alone, which is -ESTALE. Other errors are the kernel's. */
MUST_USE int mtu_change_undo(struct netlink_socket *socket, unsigned ifindex, uint32_t before, uint32_t set,
                             const struct original_mtu *former, struct mtu_undone *ret);

enum mtu_restore_result {
        MTU_RESTORE_DONE,
        MTU_RESTORE_EQUAL,      /* the device had its original MTU */
        MTU_RESTORE_NOTHING,    /* setmtu has not changed this device */
        MTU_RESTORE_FOREIGN,    /* the MTU is no longer the one that was set: somebody else's, left alone */
        MTU_RESTORE_REFUSED,    /* by the kernel, as above */
        MTU_RESTORE_LOST,       /* asked for, and the device cannot be read back: `error` */
        MTU_RESTORE_ROUNDED,    /* the driver took another value without an error: `link.mtu` */
        MTU_RESTORE_UNREADABLE, /* the record: `error` */
};

struct mtu_restore {
        enum mtu_restore_result result;
        uint32_t original;
        uint32_t set; /* what setmtu had made of it */
        int error;
        int record_error; /* negative errno: a record of it is there still; or 0 */
        struct link link; /* as it is now */
};

/* Puts back what the device `link`, fresh from the kernel, had before the first change, and forgets it. */
NONNULL void mtu_change_restore(struct netlink_socket *socket, const struct link *link,
                                struct mtu_restore *ret);

/* Forgets what was kept for devices that are gone. An error means that some of it is left. */
NONNULL int mtu_change_forget_gone(struct netlink_socket *socket);
