/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Rounds of measurements, one of each size in random order, until the best size is known. Each is checked to
 * have used its size. */

#include "bench/bench_device.h"
#include "bench/iperf3.h"
#include "bench/report.h"
#include "output/progress.h"

struct rounds {
        struct report *report;       /* the caller's: the sizes, and the results */
        struct bench_device *device; /* NULL: its MTU stays, and iperf3 limits the segment size */
        struct iperf3_call call;     /* its seconds are a command's time limit; host and mss are filled in */
        unsigned headers; /* bytes of an IP and a TCP header without options: 40, or 60 for IPv6 */
        uint64_t bytes;   /* that the command transfers; 0: its time is measured */
        size_t n_runs;    /* of each size, as requested */
        struct random random;
        /* Private */
        struct progress progress;
        char fault[RUN_FAULT_SIZE]; /* of the last measurement; empty: none, or it is logged already */
        bool has_run;               /* so a server was there */
};

/* Measures, and stores runs and conclusion in the report. False, with messages logged, if this failed or was
 * interrupted. */
bool rounds_measure(struct rounds *rounds);

/* Whether there are two sizes to compare; logs an error if not. */
bool rounds_has_sizes(const struct rounds *rounds);
