/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Rounds of measurements, one of each size in random order, until it is known which is best. Each comes with
 * the proof that it was made at its size. */

#include "bench/bench_device.h"
#include "bench/report.h"
#include "output/progress.h"

struct rounds {
        struct report *report;       /* the caller's: what is measured, and what comes of it */
        struct bench_device *device; /* NULL: its MTU stays, and iperf3 limits the segment size */
        unsigned headers; /* bytes of an IP and a TCP header without options: 40, or 60 for IPv6 */
        uint64_t bytes;   /* that the command moves; 0: its time is what counts */
        unsigned port;
        unsigned seconds; /* of a run; with a command the most that it may take */
        bool is_reverse, is_both_ways;
        size_t n_runs; /* of each size, as asked for */
        struct random random;
        /* Private */
        struct progress progress;
};

/* Measures, and leaves runs and conclusion in the report. False if that was not possible or was interrupted;
 * what is to be said of that has been. */
bool rounds_measure(struct rounds *rounds);

/* Whether there are two sizes that could be compared; says so where not. */
bool rounds_has_sizes(const struct rounds *rounds);
