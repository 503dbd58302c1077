/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What a bench has measured and found, and the ways to write it down. */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "bench/conclusion.h"
#include "bench/statistics.h"

/* The direction of the transfer. REPORT_BOTH for a command, whose direction is not known. */
enum report_way { REPORT_OUT, REPORT_IN, REPORT_BOTH, REPORT_WAYS };

enum report_unit { REPORT_BITS_PER_SECOND, REPORT_BYTES_PER_SECOND, REPORT_SECONDS };

/* One measurement. What was not told is 0, but for retransmits, which are -1. */
struct report_run {
        double values[REPORT_WAYS]; /* in the report's unit */
        double cpu_here;            /* percent of one CPU */
        double cpu_there;
        long retransmits;
        unsigned mss; /* the segment's size that was seen in use, or 0 */
        unsigned pmtu;
        size_t place; /* in its block, from 0: the random order */
};

struct report_summary {
        double mean, median, stddev;
        double half;  /* the 95 % confidence interval of the mean is this to either side: what ± shows */
        double ratio; /* of the means, to the reference's */
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
        bool has_way[REPORT_WAYS];
        enum report_way judged; /* which one the conclusion is about */
        size_t n_sizes, n_blocks;
        size_t reference;                    /* the size that ratios are to */
        uint32_t mtus[CONCLUSION_SIZES_MAX]; /* bytes, ascending */
        struct report_run (*runs)[CONCLUSION_BLOCKS_MAX];
        struct report_summary summaries[CONCLUSION_SIZES_MAX][REPORT_WAYS];
        struct conclusion conclusion;
        size_t runs_advised; /* after an inconclusive one; 0: none */
};

/* Fills summaries from runs. */
void report_summarise(struct report *report);

/* Adds a size in ascending order, unless it is there; only before the first run. False if there is no more
 * room. */
bool report_add_size(struct report *report, uint32_t mtu);
void report_leave_out(struct report *report, size_t size);

/* Fills what conclusion_make() takes from the way that is judged. */
void report_measurements(const struct report *report, struct measurements *ret);

/* out, in, both. */
const char *report_way_name(enum report_way way);
/* What values are divided by to be shown, and what they are in then: Mbit/s, MB/s, s; or Gbit/s, GB/s, where
 * those are shorter. */
struct report_scale {
        double factor;
        const char *unit;
};
struct report_scale report_scale(const struct report *report);
/* How much better than the reference, in percent: less time is better. False if one of them has 0, and so
 * there is none. */
bool report_change(const struct report *report, const struct report_summary *summary, double *ret);

/* The conclusion in a short sentence, and what there is to say besides in another; without a newline at the
 * end. */
void report_write_conclusion(const struct report *report, FILE *stream);
void report_write_detail(const struct report *report, FILE *stream);
/* A bar a size, with its mean and the interval; `columns` is how wide the terminal is. */
void report_write_bars(const struct report *report, bool is_utf8, unsigned columns, FILE *stream);
/* A line a run, RFC 4180. */
void report_write_csv(const struct report *report, FILE *stream);
/* A picture with an error bar of the 95 % confidence interval of each mean, which follows the reader's light
 * or dark. Text from outside is escaped. */
void report_write_svg(const struct report *report, FILE *stream);

/* On stdout, for people: a table, bars where that is a terminal, and the conclusion; for programs:
 * tests/schema/bench.json. False if memory has been out. */
bool report_print_text(const struct report *report);
bool report_print_json(const struct report *report);
