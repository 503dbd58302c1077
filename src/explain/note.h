/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Notes for devices with jumbo frames, or with very small ones. */

#include "plan/device_status.h"

/* Reads a number in /proc/sys that is not negative; a negative errno if that fails. */
long network_sysctl_read(const char *path);

struct note {
        const char *name; /* a word that stays: driver-max, neighbour, … */
        char text[640];   /* what is the matter, and what to do; partly from outside */
};

/* At most four of them are about neighbours, and one of each other name. */
struct notes {
        struct note items[8];
        size_t n_items;
};

/* Makes those that apply to one of the statuses. */
void notes_make(const struct device_status *status, const struct device_statuses *statuses,
                struct notes *ret);
