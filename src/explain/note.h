/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Notes for devices with jumbo frames, or with very small ones. */

#include "plan/device_status.h"

/* Reads a number in /proc/sys that is not negative; a negative errno if that fails. */
long network_sysctl_read(const char *path);

struct note {
        const char *name; /* a word that stays: driver-max, ipv6, … */
        char text[640];   /* what is the matter, and what to do; partly from outside */
};

/* At most one of each name. */
struct notes {
        struct note items[3];
        size_t n_items;
};

/* Makes those that apply. */
void notes_make(const struct device_status *status, struct notes *ret);
