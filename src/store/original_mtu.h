/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What a device's MTU was before setmtu changed it, kept in /run/setmtu/ for as long as the change stands. A
 * record belongs to a device, not to a name: it is found by ifindex, and so survives a rename and not a
 * replug. */

#include <stdbool.h>
#include <stdint.h>

#include "config/interface_name.h"

/* What the udev rule leaves in udev's database for original_mtu_from_udev(). */
#define UDEV_PROPERTY_MTU "SETMTU_MTU"                   /* what the rule wrote to the device */
#define UDEV_PROPERTY_ORIGINAL_MTU "SETMTU_ORIGINAL_MTU" /* what was there before */

struct original_mtu {
        char name[INTERFACE_NAME_SIZE]; /* at the time of the change */
        uint32_t original;
        uint32_t set; /* what setmtu made of it */
};

/* -ENOENT where there is none, -EBADMSG where it is not one of ours. */
int original_mtu_read(unsigned ifindex, struct original_mtu *ret);
/* This and the next: 0, or a negative errno as whole_file_replace() and whole_file_remove() have it, with
 * the old record left. */
int original_mtu_write(unsigned ifindex, const struct original_mtu *record);
int original_mtu_remove(unsigned ifindex);

/* Removes the records of this network namespace's devices that `exists` says are gone. */
void original_mtu_forget_gone(bool (*exists)(void *userdata, unsigned ifindex), void *userdata);

/* What udev's database says that the rule wrote to the device and found there before: 0, with both filled,
 * or a negative errno. The file, /run/udev/data/n<ifindex>, has a line `E:KEY=VALUE` a property:
 * device_db_save() in systemd's src/libsystemd/sd-device/device-private.c. */
int original_mtu_from_udev(unsigned ifindex, uint32_t *ret_original, uint32_t *ret_set);
