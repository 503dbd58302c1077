/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Records of a device that last as long as the device and this boot: several kinds, each a few lines
 * KEY=VALUE in a symbolic link in /run/setmtu/. Most belong to a device, not to a name: they survive a
 * rename and not a replug, and are found by network namespace and ifindex. Those of setmtu-keep.service
 * belong to a name, as units do: they survive a replug and not a rename. Namespaces and ifindexes are
 * reused, so each record is compared with the device (device_identity.h).
 *
 * All functions return 0 or a negative errno. Reading: -ENOENT if there is no record, or it is of another
 * device; -EBADMSG if it is invalid; and those of whole_file_read_link(), which do not mean that there is
 * none. Writing and removing: the errors of whole_file_write_link() and whole_file_remove(), with the old
 * record left. mtu_record_each(): the first error of `take`, which is still called for the others, or those
 * of opendir(3) and readdir(3), with some or all records missing. */

#include <stdbool.h>
#include <stdint.h>

#include "base/attributes.h"
#include "config/mtu_spec.h"
#include "store/device_identity.h"

#define MTU_RECORD_DIRECTORY "/run/setmtu"

enum mtu_record_kind {
        MTU_RECORD_ORIGINAL,
        MTU_RECORD_LOWERED,
        MTU_RECORD_KEPT,
        MTU_RECORD_PUT_BACK,
        MTU_RECORD_TRIAL,
};

int mtu_record_remove(enum mtu_record_kind kind, const struct link *link);
/* Calls `take` for each record of this network namespace whose kind is `wanted`, by a bit for each kind,
 * with a device of which only the ifindex is known or, if the records belong to names, only the name. */
MUST_USE int mtu_record_each(unsigned wanted,
                             int (*take)(void *userdata, enum mtu_record_kind kind, const struct link *link),
                             void *userdata);

/* The MTU from before setmtu changed the device, for as long as the change stands. */
struct original_mtu {
        struct device_identity device; /* filled in by reading and writing */
        uint32_t original;
        uint32_t set;    /* the MTU that setmtu has set */
        uint32_t before; /* until it is settled: the MTU from before, if set by setmtu; otherwise 0 */
};

MUST_USE NONNULL int original_mtu_read(const struct link *link, struct original_mtu *ret);
MUST_USE NONNULL int original_mtu_write(const struct link *link, const struct original_mtu *record);

/* Properties that the udev rule leaves in udev's database: the MTU that it set, the MTU from before, and the
 * network namespace, by device_identity_netns(). Not the device's MAC address: udev may just have changed it
 * (MACAddressPolicy=) and then knows only the old one. */
#define UDEV_PROPERTY_MTU "SETMTU_MTU"
#define UDEV_PROPERTY_ORIGINAL_MTU "SETMTU_ORIGINAL_MTU"
#define UDEV_PROPERTY_NETNS "SETMTU_NETNS"
#define UDEV_PROPERTY_ADDED "SETMTU_ADDED" /* the rule has set the MTU, and no event has followed */

/* The message for a failed read of the record or these properties; takes the ifindex and strerror(). */
#define ORIGINAL_MTU_UNREAD \
        "the MTU from before could not be read from " MTU_RECORD_DIRECTORY " or /run/udev/data/n%u: %s"

/* Reads these properties. The file, /run/udev/data/n<ifindex>, has a line `E:KEY=VALUE` for each:
 * device_db_save() in systemd's src/libsystemd/sd-device/device-private.c. -ENOENT in a network namespace
 * other than that of udevd, where the file is about another device. -ENODATA if the rule has not set the MTU
 * of this device. */
MUST_USE NONNULL int original_mtu_from_udev(const struct link *link, uint32_t *ret_original,
                                            uint32_t *ret_set);
/* Whether the rule has set the device's MTU when it was added, and there is no record of it yet. False if
 * that is not known. */
MUST_USE NONNULL bool original_mtu_is_from_addition(const struct link *link);
/* The record or, if there is none and the device has the MTU that the udev rule has set, the data of the
 * rule. Errors of both; -ENOENT if there is neither. */
MUST_USE NONNULL int original_mtu_find(const struct link *link, struct original_mtu *ret);

/* The MTU from before the kernel lowered the device with the one below it, until the device has that MTU
 * again or gets another one. */
struct lowered_mtu {
        struct device_identity device; /* filled in by reading and writing */
        uint32_t before;
        uint32_t lowered; /* the MTU to which the kernel lowered it */
        uint32_t last;    /* what it had before that, if it had fallen before, until the next change; or 0 */
};

/* -ENOENT also if the device has another MTU now, which ends its fall, or if the record is not one of
 * setmtu. */
MUST_USE NONNULL int lowered_mtu_read(const struct link *link, struct lowered_mtu *ret);
MUST_USE NONNULL int lowered_mtu_write(const struct link *link, const struct lowered_mtu *record);

/* The MTU that the device's unit has set and that setmtu-keep.service restores. The unit writes the record;
 * it is removed before setmtu itself sets another MTU. */
struct kept_mtu {
        struct device_identity device; /* filled in by reading and writing */
        uint32_t mtu;
        uint32_t line;  /* the place of the line in the configuration, */
        char file[256]; /* as in struct config_line; empty: not known */
};

MUST_USE NONNULL int kept_mtu_read(const struct link *link, struct kept_mtu *ret);
NONNULL int kept_mtu_write(const struct link *link, const struct kept_mtu *record);

/* What setmtu-keep.service has done for the device. Only that service writes it, so that a unit that stops
 * at the same moment does not find its own record written again. */
struct put_back_record {
        struct device_identity device; /* filled in by reading and writing */
        uint32_t count;                /* how often */
        uint32_t last_s;               /* the last time, CLOCK_REALTIME; 0: never */
        uint32_t refused; /* the MTU that the device has refused, for it not to be asked again; 0: none */
};

MUST_USE NONNULL int put_back_record_read(const struct link *link, struct put_back_record *ret);
NONNULL int put_back_record_write(const struct link *link, const struct put_back_record *record);

enum trial_phase {
        TRIAL_CHANGING,   /* `tried` is being requested from the kernel; the result is not known yet */
        TRIAL_WAITING,    /* to be confirmed; the device had `tried` */
        TRIAL_CONFIRMING, /* the line is being written */
        /* The trial has ended; the record stays for the command that watches it: */
        TRIAL_CONFIRMED,
        TRIAL_REVERTED,
        TRIAL_SETTLED, /* another command has set the MTU that the device is to have */
        TRIAL_CHANGED, /* the device had another MTU by then, or was gone: left alone */
};

/* A change that waits to be confirmed, and the data to undo it. The device may be gone or replaced by
 * another one: readers of the record must compare. */
struct trial_record {
        struct device_identity device; /* from device_identity_of() */
        unsigned ifindex;              /* by which the record is found; filled in by reading */
        uint32_t id;                   /* random: tells this trial from another one of the device */
        enum trial_phase phase;
        uint32_t watcher;               /* the process that wants to know how it ends; 0: none */
        char name[INTERFACE_NAME_SIZE]; /* the name on the command line */
        struct mtu_spec spec;           /* the spec to write when it is confirmed */
        uint32_t before;                /* in bytes */
        uint32_t tried;
        uint32_t deadline_s;        /* CLOCK_BOOTTIME, rounded up */
        struct original_mtu former; /* `original` 0: setmtu had not changed the device before the trial */
};

/* A trial must have ended this long after its deadline; a later record was left behind. */
#define TRIAL_GRACE_S 3
NONNULL bool trial_record_is_overdue(const struct trial_record *record);

/* -ENOENT also for a trial that has ended. */
MUST_USE NONNULL int trial_record_read(unsigned ifindex, struct trial_record *ret);
/* The same of one that has ended, as long as that is kept for its watcher. */
MUST_USE NONNULL int trial_record_read_end(unsigned ifindex, struct trial_record *ret);
MUST_USE NONNULL int trial_record_write(unsigned ifindex, const struct trial_record *record);
int trial_record_remove(unsigned ifindex);
