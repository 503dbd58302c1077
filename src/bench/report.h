/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The measurements and the conclusion of a bench, and their output. */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/pool.h"
#include "bench/conclusion.h"
#include "bench/statistics.h"

/* The direction of the transfer. REPORT_BOTH for a command, whose direction is not known. */
enum report_way { REPORT_OUT, REPORT_IN, REPORT_BOTH, REPORT_WAYS };

enum report_unit { REPORT_BITS_PER_SECOND, REPORT_BYTES_PER_SECOND, REPORT_SECONDS };

/* One measurement. Unknown values are 0, unknown retransmits -1. */
struct report_run {
        double values[REPORT_WAYS]; /* in the report's unit */
        double cpu_here;            /* percent of one CPU */
        double cpu_there;
        long retransmits; /* of all ends that told it */
        unsigned mss;     /* the segment size that was in use, or 0 */
        unsigned pmtu;    /* the kernel's path MTU of what was sent from here */
        size_t place;     /* in its block, from 0: the random order */
};

struct report_summary {
        double mean, median, stddev;
        double half;  /* half the width of the mean's 95 % confidence interval, shown as ± */
        double ratio; /* of the mean to the reference's */
        struct interval interval;
};

struct report {
        const char *host; /* as the user gave it: quote it */
        const char *address;
        const char *device;
        const char *here, *driver,
                        *kernel; /* this host's name, the device's driver, uname -r; NULL: not known */
        const char *date;        /* of the beginning, ISO 8601 */
        const char *method;      /* "mss" or "mtu" */
        const char *command;     /* NULL: iperf3 */
        const char *iperf3;      /* its version; NULL with a command */
        unsigned seconds;        /* of each run; 0 with a command */
        uint64_t seed;
        enum report_unit unit;
        enum report_way first_way; /* those from it to `judged` are measured */
        enum report_way judged;    /* the one that the conclusion is about */
        size_t n_sizes, n_blocks;
        size_t reference;                    /* the size that others are compared with */
        uint32_t mtus[CONCLUSION_SIZES_MAX]; /* bytes, ascending */
        struct report_run (*runs)[CONCLUSION_BLOCKS_MAX];
        struct report_summary summaries[CONCLUSION_SIZES_MAX][REPORT_WAYS];
        struct conclusion conclusion;
        size_t runs_advised; /* if the bench is inconclusive; 0: none */
};

/* Fills summaries from runs. */
void report_summarise(struct report *report);

/* Adds a size in ascending order, unless it is there; only before the first run. False if there is no more
 * room. */
bool report_add_size(struct report *report, uint32_t mtu);
void report_leave_out(struct report *report, size_t size);

/* Fills the input of conclusion_make() from the values of one way. */
void report_measurements(const struct report *report, enum report_way way, struct measurements *ret);

/* "out", "in" or "both". */
const char *report_way_name(enum report_way way);
/* The divisor and the unit for displayed values: Mbit/s, MB/s, s; or Gbit/s, GB/s, if those are shorter. */
struct report_scale {
        double factor;
        const char *unit;
};
struct report_scale report_scale(const struct report *report);
/* The improvement over the reference in percent; less time is better. False if it is not finite. */
bool report_change(const struct report *report, const struct report_summary *summary, double *ret);

/* The conclusion in a short sentence, and details in another. The texts are the pool's. */
const char *report_conclusion(struct pool *pool, const struct report *report);
const char *report_detail(struct pool *pool, const struct report *report);
/* One line per run, RFC 4180. */
void report_write_csv(const struct report *report, FILE *stream);
/* A picture with the 95 % confidence interval of each mean as an error bar, in the viewer's light or dark
 * scheme. Text from outside is escaped. */
void report_write_svg(const struct report *report, FILE *stream);

/* Print on stdout. For people: a table and the conclusion; for programs: JSON, see tests/schema/bench.json.
 * False: out of memory. */
bool report_print_text(const struct report *report);
bool report_print_json(const struct report *report);
