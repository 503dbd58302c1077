/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What a bench measures, its measurements, and their output. */

#include <stdbool.h>
#include <stdint.h>

#include "bench/conclusion.h"

/* What a run takes besides time, by iperf3. CPU is in percent of one, without the work of the kernel in
 * interrupts. */
struct usage {
        double retransmits, cpu_here, cpu_there;
};

struct report {
        const char *host; /* as the user gave it: quote it */
        const char *address;
        const char *device;
        unsigned port;
        unsigned seconds; /* of each run */
        unsigned headers; /* bytes of an IP and a TCP header without options: 40, or 60 for IPv6 */
        size_t runs;      /* of each size */
        bool is_reverse;  /* from the host to here */
        uint32_t mtus[CONCLUSION_SIZES_MAX];      /* bytes, ascending; `rates` has as many sizes */
        struct measurements rates;                /* bits per second, as received */
        struct usage usage[CONCLUSION_SIZES_MAX]; /* of all runs together */
};

/* Adds a size in ascending order, unless it is there; only before the first run. False if there is no more
 * room. */
bool report_add_size(struct report *report, uint32_t mtu);
void report_leave_out(struct report *report, size_t size);

/* The conclusion in a sentence or two. */
#define REPORT_TEXT_SIZE 160
void report_verdict(const struct report *report, const struct conclusion *conclusion,
                    char ret[static REPORT_TEXT_SIZE]);

/* Print on stdout. For people: a table and the conclusion; for programs: JSON, see tests/schema/bench.json.
 * False: out of memory, which is logged. */
bool report_print_text(const struct report *report);
bool report_print_json(const struct report *report);
