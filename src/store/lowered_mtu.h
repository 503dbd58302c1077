/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What a device had before the kernel lowered it together with the one below it, kept in /run/setmtu/ until
 * it has that again or somebody gives it another MTU. */

#include <stdbool.h>
#include <stdint.h>

#include "config/interface_name.h"

struct lowered_mtu {
        char name[INTERFACE_NAME_SIZE]; /* at the time: another device may get the ifindex */
        uint32_t before;
        uint32_t fallen; /* what the kernel made of it */
};

/* Errors as those of original_mtu.h. */
int lowered_mtu_read(unsigned ifindex, struct lowered_mtu *ret);
int lowered_mtu_write(unsigned ifindex, const struct lowered_mtu *record);
int lowered_mtu_remove(unsigned ifindex);

/* Calls `take` for each device of this network namespace with such a record. */
void lowered_mtu_each(void (*take)(void *userdata, unsigned ifindex), void *userdata);
