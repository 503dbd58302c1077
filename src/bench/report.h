/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What a bench measures, its measurements and the conclusion, and their output. */

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/utsname.h>

#include "bench/conclusion.h"

/* The numbers of a run, which are also keys of the JSON. */
enum report_figure {
        REPORT_RATE, /* bits per second, as received */
        REPORT_RETRANSMITS,
        REPORT_CPU_HERE, /* percent of one CPU, of iperf3's own process */
        REPORT_CPU_THERE,
        REPORT_MSS,  /* the segment size in use */
        REPORT_PMTU, /* the kernel's path MTU of what was sent from here */
        REPORT_FIGURES,
};

/* One measurement. NaN: not known. */
struct report_run {
        double figures[REPORT_FIGURES];
};
#define REPORT_RUN_UNKNOWN                       \
        {                                        \
                { NAN, NAN, NAN, NAN, NAN, NAN } \
        }

/* The rates of a size. */
struct report_summary {
        double mean;
        double half;   /* half the width of the mean's 95 % confidence interval, shown as ± */
        double change; /* against the reference, in percent; not finite if that has a rate of 0 */
};

/* All measurements of a size, by round. */
struct report_size {
        double figures[REPORT_FIGURES][CONCLUSION_RUNS_MAX];
        size_t places[CONCLUSION_RUNS_MAX]; /* in the random order of the round, from 0 */
};

#define REPORT_VERSION_SIZE 24

struct report {
        /* What is measured, and where: */
        const char *host; /* as the user gave it: quote it */
        const char *address;
        const char *device;
        char driver[32];                           /* of the device; empty: it has none */
        struct utsname system;                     /* this host */
        char date[sizeof("2026-11-22T12:34:56Z")]; /* of the beginning, ISO 8601 */
        char iperf3[REPORT_VERSION_SIZE];          /* its version, such as 3.12; empty: not known */
        unsigned port;
        unsigned seconds; /* of each run */
        unsigned headers; /* bytes of an IP and a TCP header without options: 40, or 60 for IPv6 */
        size_t runs;      /* of each size */
        bool is_reverse;  /* from the host to here */
        uint64_t seed;
        size_t n_sizes;
        uint32_t mtus[CONCLUSION_SIZES_MAX]; /* bytes, ascending */
        /* Results: */
        size_t n_blocks;
        size_t reference;          /* the size that others are compared with */
        struct report_size *sizes; /* in the order of `mtus` */
        struct conclusion conclusion;
};

/* Adds a size in ascending order, unless it is there; only before the first run. False if there is no more
 * room. */
bool report_add_size(struct report *report, uint32_t mtu);
void report_leave_out(struct report *report, size_t size);

void report_add_run(struct report *report, size_t size, size_t place, const struct report_run *run);

/* The conclusion of the rounds. */
void report_conclude(struct report *report);
struct report_summary report_summarise(const struct report *report, size_t size);

/* The conclusion in a short sentence, and details in another. */
#define REPORT_TEXT_SIZE 128
void report_conclusion(const struct report *report, char ret[static REPORT_TEXT_SIZE]);
void report_detail(const struct report *report, char ret[static REPORT_TEXT_SIZE]);

/* Print on stdout. For people: a table and the conclusion; for programs: JSON, see tests/schema/bench.json.
 * False: out of memory, which is logged. */
bool report_print_text(const struct report *report);
bool report_print_json(const struct report *report);
