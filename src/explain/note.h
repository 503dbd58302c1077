/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Notes for devices with jumbo frames, or with very small ones. No I/O. */

#include "explain/explain_data.h"
#include "plan/device_status.h"

/* Of this network namespace, in bytes where they are sizes; -1: not known. */
struct network_sysctls {
        long long tcp_mtu_probing;
        long long tcp_rmem_max;
        long long tcp_wmem_max;
        long long rmem_max;
};

struct explain_note {
        const char *name;             /* a word that stays: speed, driver-max, … */
        char text[EXPLAIN_TEXT_SIZE]; /* what is the matter, and what to do; partly from outside */
};

#define EXPLAIN_NOTES_MAX 16

/* Fills `notes` from the first on with those that apply. Returns how many there are. */
size_t note_make(const struct explained *explained, const struct device_statuses *statuses,
                 const struct network_sysctls *sysctls, struct explain_note notes[static EXPLAIN_NOTES_MAX]);
