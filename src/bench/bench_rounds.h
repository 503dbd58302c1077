/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Rounds of measurements, one of each size in random order, until it is known which is best. */

#include "bench/bench_measure.h"
#include "bench/random.h"
#include "output/terminal.h"

struct bench_rounds {
        struct bench_method *method; /* and that of the report, the random numbers: the caller's */
        struct report *report;
        struct random *random;
        size_t n_runs; /* of each size, as asked for */
        /* Private */
        struct progress progress;
        char what[40];
};

/* Measures, and leaves runs and finding in the report. False where that was not possible or was interrupted;
 * what is to be said of that has been. */
bool bench_rounds_measure(struct bench_rounds *rounds);

/* Whether there are two sizes that could be compared; says so where not. */
bool bench_has_enough_sizes(const struct report *report);
