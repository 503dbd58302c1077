/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What setmtu has done to a device, for as long as the device and this boot last: one file per device in
 * /run/setmtu/ with lines KEY=VALUE, as the target of a symbolic link. It is found by network namespace and
 * ifindex; since both are reused, it is of a device only if device_identity.h says so.
 *
 * DEVICE_RECORD_LOCK is held while a file is replaced or removed, so that two processes do not lose each
 * other's parts.
 * It is not the lock of change_lock.h, for which units do not wait; and not one of each device, since a lock
 * must outlive the file that it protects.
 *
 * All functions return 0 or a negative errno. Reading: -ENOENT if there is no such record, or it is of
 * another device; -EBADMSG if it is invalid; and those of whole_file_read_link(), which do not mean that
 * there is none. Writing and removing: -EBADMSG; the errors of flock(2), whole_file_write_link() and
 * whole_file_remove(), with the old record left. */

#include <stdbool.h>
#include <stdint.h>

#include "base/attributes.h"
#include "config/mtu_spec.h"
#include "store/device_identity.h"

#define DEVICE_RECORD_DIRECTORY "/run/setmtu"
#define DEVICE_RECORD_LOCK DEVICE_RECORD_DIRECTORY "/.record.lock"

/* The MTU from before setmtu changed the device, for as long as the change stands. */
struct original_mtu {
        uint32_t original;
        uint32_t set;    /* the MTU that setmtu has set; 0: it has set none */
        uint32_t before; /* while the device may still have it: the MTU from before, if set by setmtu; or 0
                          */
};

/* The MTU from before the kernel lowered the device with the one below it, until the device has that MTU
 * again or gets another one. */
struct lowered_mtu {
        uint32_t before;  /* 0: it was not lowered */
        uint32_t lowered; /* the MTU to which the kernel lowered it */
        uint32_t last;    /* what it had before that, if it had fallen before, until the next change; or 0 */
};

static inline bool lowered_mtu_counts(const struct lowered_mtu *lowered, uint32_t mtu) {
        return lowered->before > 0 && (lowered->lowered == mtu || lowered->last == mtu);
}

/* The MTU that the device's unit has set and that setmtu-keep.service restores. It belongs to the unit, and
 * so to the device's name: a device that is renamed has none. The unit writes it. Before setmtu itself
 * sets another MTU, it is replaced if the line says keep or auto, and removed otherwise. */
struct kept_mtu {
        uint32_t mtu;     /* 0: none */
        uint32_t line;    /* the place of the line in the configuration, */
        char file[256];   /* as in struct config_line; empty: not known */
        uint32_t is_auto; /* 1: the line says auto; `mtu` is then what fitted, or what the device had */
};

/* What setmtu-keep.service has done for the device. */
struct keep_tally {
        uint32_t count;   /* how often it has set the MTU again */
        uint32_t last_s;  /* the last time, CLOCK_REALTIME; 0: never */
        uint32_t refused; /* the MTU that the device has refused, for it not to be asked again; 0: none */
};

/* A change that waits to be confirmed, and the data to undo it. The device may be gone or replaced by
 * another one: readers of the record must compare. */
struct trial_record {
        struct device_identity device; /* filled in by reading, as is `ifindex` */
        unsigned ifindex;
        uint32_t id; /* random: tells this trial from others; all of its devices have it; 0: no trial */
        char name[INTERFACE_NAME_SIZE]; /* the name on the command line */
        struct mtu_spec spec;           /* the spec to write when it is confirmed */
        uint32_t before;                /* in bytes */
        uint32_t tried;
        uint32_t deadline_s;        /* CLOCK_BOOTTIME, rounded up */
        uint32_t is_confirming;     /* 1: setmtu confirm has begun to write the line */
        struct original_mtu former; /* from before the trial */
        uint32_t place; /* of a trial of the configuration: the order of its changes, from 1. 0: of one
                           device, whose line is written when it is confirmed */
};

struct device_record {
        struct device_identity device;
        struct original_mtu original;
        struct lowered_mtu lowered;
        struct kept_mtu kept;
        struct keep_tally tally;
        struct trial_record trial; /* without what reading it fills in */
};

enum device_record_part {
        DEVICE_RECORD_ORIGINAL = 1 << 0,
        DEVICE_RECORD_LOWERED = 1 << 1,
        DEVICE_RECORD_KEPT = 1 << 2,
        DEVICE_RECORD_TALLY = 1 << 3,
        DEVICE_RECORD_TRIAL = 1 << 4,
        DEVICE_RECORD_ALL = (1 << 5) - 1,
};

/* Parts that there are not are all zeros. After an error all are. */
NONNULL int device_record_read(const struct link *link, struct device_record *ret);
/* Replaces these parts, in a bit mask; one that is all zeros is removed. Parts of another device that had
 * the ifindex are removed, too. */
NONNULL int device_record_write(const struct link *link, unsigned parts, const struct device_record *record);
/* Removes these parts, whatever device they are of; with DEVICE_RECORD_ALL also a file that is invalid. */
int device_record_remove(unsigned ifindex, unsigned parts);

/* Calls `take` for each record of this network namespace. Returns the first error of `take`, which is still
 * called for the others, or those of opendir(3) and readdir(3), with some or all files missing. */
MUST_USE int device_record_each(int (*take)(void *userdata, unsigned ifindex), void *userdata);

/* One part; -ENOENT if there is none. */
MUST_USE NONNULL int original_mtu_read(const struct link *link, struct original_mtu *ret);
/* -ENOENT also if the device has another MTU now, which ends its fall, or if the record is invalid. */
MUST_USE NONNULL int lowered_mtu_read(const struct link *link, struct lowered_mtu *ret);

/* The trial of whatever device has or had the ifindex. */
MUST_USE NONNULL int trial_record_read(unsigned ifindex, struct trial_record *ret);
/* The records of the devices that are on trial together, what was changed last first, without invalid ones.
 * TRIAL_RECORDS_ALL is the id of no trial, and means those of all.
 * Errors of device_record_each(), or -ENOMEM, with those that could be read. */
#define TRIAL_RECORDS_ALL 0
struct trial_records {
        uint32_t id;
        struct trial_record *items;
        size_t n_items;
};
MUST_USE NONNULL int trial_records_read(uint32_t id, struct trial_records *ret);
NONNULL void trial_records_free(struct trial_records *records); /* for CLEANUP() */
/* Of the device and the ifindex in the record. */
MUST_USE NONNULL int trial_record_write(const struct trial_record *record);

/* Properties that the udev rule leaves in udev's database: the MTU that it set, the MTU from before, and the
 * network namespace, by device_identity_netns(). Not the device's MAC address: udev may just have changed it
 * (MACAddressPolicy=) and then knows only the old one. */
#define UDEV_PROPERTY_MTU "SETMTU_MTU"
#define UDEV_PROPERTY_ORIGINAL_MTU "SETMTU_ORIGINAL_MTU"
#define UDEV_PROPERTY_NETNS "SETMTU_NETNS"
#define UDEV_PROPERTY_ADDED "SETMTU_ADDED" /* the rule has set the MTU, and no event has followed */

/* The message for a failed read of the record or these properties; takes the ifindex and strerror(). */
#define ORIGINAL_MTU_UNREAD \
        "the MTU from before could not be read from " DEVICE_RECORD_DIRECTORY " or /run/udev/data/n%u: %s"

/* Reads these properties. The file, /run/udev/data/n<ifindex>, has a line `E:KEY=VALUE` for each:
 * device_db_save() in systemd's src/libsystemd/sd-device/device-private.c. -ENOENT in a network namespace
 * other than that of udevd, where the file is about another device. -ENODATA if the rule has not set the MTU
 * of this device. */
MUST_USE NONNULL int original_mtu_from_udev(const struct link *link, uint32_t *ret_original,
                                            uint32_t *ret_set);
/* Whether the rule has set the device's MTU when it was added, and setmtu has changed it in no other way.
 * False if that is not known. */
MUST_USE NONNULL bool original_mtu_is_from_addition(const struct link *link);
/* The record or, if there is none and the device has the MTU that the udev rule has set, the data of the
 * rule. Errors of both; -ENOENT if there is neither. */
MUST_USE NONNULL int original_mtu_find(const struct link *link, struct original_mtu *ret);

/* What a change of a device's MTU replaces in its record. */
struct record_change {
        struct device_record former; /* all zeros: there was none */
        struct device_record own;    /* its original MTU, and the replaced parts */
        unsigned parts;              /* the replaced ones */
        bool is_unread;              /* the former record, or udev's database, cannot be read */
        bool is_pinned; /* a bridge that has the MTU, and may follow its ports still: plan/stack.h */
};

/* Records what undoes the change of `link`, which has just been read, to `wanted`: before the change,
 * because a superfluous record is harmless, and a change without a record cannot be undone. `is_kept`:
 * setmtu-keep.service is to keep that instead of what it keeps; otherwise it keeps none. With `is_trial`,
 * what it keeps stays. 0, or an error of reading or writing, with the former record left. */
MUST_USE NONNULL int record_change_begin(const struct link *link, uint32_t wanted, bool is_trial,
                                         bool is_kept, struct record_change *ret);
