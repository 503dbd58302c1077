/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Changes the MTU of one device in a way that can be undone, and undoes it. Reports results and prints
 * nothing. */

#include "base/attributes.h"
#include "config/config.h"
#include "kernel/link.h"
#include "store/mtu_record.h"

enum mtu_change_result {
        MTU_CHANGE_DONE,
        MTU_CHANGE_EQUAL,      /* the device had it already; no request was sent */
        MTU_CHANGE_IMPOSSIBLE, /* not tried: DEVICE_STATE_IMPOSSIBLE */
        MTU_CHANGE_UNRECORDED, /* not tried: the record to undo it failed: `record_error` */
        MTU_CHANGE_REFUSED,    /* by the kernel: `error`, and its own words in the socket's error_text */
        MTU_CHANGE_LOST,       /* asked for, and the device cannot be read back: `error` */
        MTU_CHANGE_ROUNDED,    /* the driver took another value without an error: `link.mtu` */
};

struct mtu_change {
        enum mtu_change_result result;
        uint32_t wanted; /* in bytes; `max` resolved; 0 where the device states no maximum */
        uint32_t before;
        struct link link;  /* as it is now */
        uint32_t original; /* the MTU that a restore would set */
        int error;
        int record_error; /* negative errno if the record could not be updated; or 0 */
        int fall_error;   /* the same for the record of a fall that has ended */
        bool is_unread;   /* the record cannot be read; `original` is not known */
        bool was_ours;    /* setmtu had set `before`, and the record agrees */
        bool has_former;  /* setmtu had changed the device before, and kept this of it: */
        struct original_mtu former;
        bool had_kept; /* setmtu-keep.service kept this, and no longer does so: */
        struct kept_mtu kept;
};

/* Whether the device has what was wanted. */
MUST_USE NONNULL bool mtu_change_is_done(const struct mtu_change *change);

/* Sets the MTU of `line` on `link`, which has just been read. The other options of the line do not matter.
 */
NONNULL void mtu_change_apply(struct netlink_socket *socket, const struct link *link,
                              const struct config_line *line, struct mtu_change *ret);

/* To be called before setmtu itself sets an MTU: setmtu-keep.service then keeps no other MTU than `mtu`.
 * True if it kept another one: `ret` has its record, to be restored. */
NONNULL bool mtu_change_release(const struct link *link, uint32_t mtu, struct kept_mtu *ret);

struct mtu_undone {
        uint32_t mtu;     /* as it is now; differs from `before` if the driver has rounded it */
        int record_error; /* negative errno: the record still tells of the change; or 0 */
};

/* Undoes a change: restores the MTU from before it and its record; `former` is NULL if there was none. `ret`
 * has the result. -ESTALE if the device no longer has `set`, because another program has changed it: its MTU
 * is left alone. Other errors are the kernel's. */
MUST_USE int mtu_change_undo(struct netlink_socket *socket, unsigned ifindex, uint32_t before, uint32_t set,
                             const struct original_mtu *former, struct mtu_undone *ret);

/* Removes the records of devices that are gone. An error means that some are left. */
NONNULL int mtu_change_forget_gone(struct netlink_socket *socket);
