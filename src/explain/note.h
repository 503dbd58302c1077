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

#define NOTES_MAX 16

/* Fills `notes` from the first on with those that apply to one of the statuses. Returns how many there are.
 */
size_t note_make(const struct device_status *status, const struct device_statuses *statuses,
                 struct note notes[static NOTES_MAX]);
