/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* A change of MTU that waits to be confirmed, and what it takes to undo it: kept in /run/setmtu/ until it is
 * either. */

#include <stdbool.h>
#include <stdint.h>

#include "config/mtu_spec.h"
#include "store/original_mtu.h"

struct trial_record {
        uint32_t id;                    /* random: tells this trial from another one of the device */
        char name[INTERFACE_NAME_SIZE]; /* by which it was asked for */
        struct mtu_spec spec;           /* what is written down when it is confirmed */
        uint32_t before;                /* in bytes */
        uint32_t tried;
        uint32_t deadline_s; /* CLOCK_BOOTTIME, rounded up */
        bool has_former;     /* setmtu had changed the device before the trial: */
        struct original_mtu former;
};

/* Errors as those of original_mtu.h. */
int trial_record_read(unsigned ifindex, struct trial_record *ret);
int trial_record_write(unsigned ifindex, const struct trial_record *record);
int trial_record_remove(unsigned ifindex);

/* Calls `take` for each device of this network namespace with a trial. */
void trial_record_each(void (*take)(void *userdata, unsigned ifindex), void *userdata);
