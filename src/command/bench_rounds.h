/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The measurements of setmtu bench: rounds of one of each size, in random order. Each is checked to have
 * used its size. Functions log errors. */

#include "bench/iperf3.h"
#include "change/snapshot.h"
#include "output/progress.h"

/* A change of the device's MTU is a trial as in setmtu try, owned by this process: if it is killed, the MTU
 * is restored at once. */
struct rounds {
        struct report *report;   /* the caller's: the sizes, and the rates */
        const struct link *link; /* the device as it was found */
        /* Private; of the device: */
        struct snapshot snapshot;
        int pipe[2];      /* trials have the end to read, and so end with this process; -1: not open */
        bool is_on_trial; /* the device; of that trial: */
        uint32_t trial_id;
        /* Of the measurements: */
        struct progress progress;
        char fault[RUN_FAULT_SIZE]; /* of the last one; empty: none, or it is logged already */
        bool has_run;               /* so a server was there */
};

bool rounds_open_device(struct rounds *rounds);

/* Gives the device `mtu` for at most `timeout_s`, and waits for its carrier. */
bool rounds_set_mtu(struct rounds *rounds, uint32_t mtu, unsigned timeout_s);

/* Restores the MTU from before. False if the device does not have that now. */
bool rounds_restore_mtu(struct rounds *rounds);

/* Restores the MTU if needed. For CLEANUP(), too. */
void rounds_close(struct rounds *rounds);

/* Whether there are two sizes to compare; logs an error if not. */
bool rounds_has_sizes(const struct rounds *rounds);

/* Measures, and stores the rates in the report. False if this failed or was interrupted. */
bool rounds_measure(struct rounds *rounds);
