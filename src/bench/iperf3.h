/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* A run of iperf3(1) as a client, and its JSON. The program is run and not linked: libiperf ends the process
 * on errors. */

#include "bench/measured_process.h"
#include "bench/report.h"

struct iperf3_result {
        struct report_run run; /* without REPORT_MSS */
        unsigned window; /* the greatest common divisor of the congestion windows in bytes, which the kernel
                            counts in segments as they were sent; 0: not known */
        char version[REPORT_VERSION_SIZE];
};

/* Measures once as the report says, but for `seconds` and in this direction. `progress` and `fault` are as
 * in measured_process.h. Unless RUN_DONE, `ret` is untouched. */
enum run_end iperf3_run(const struct report *report, unsigned seconds, bool is_reverse,
                        struct progress *progress, struct iperf3_result *ret,
                        char fault[static RUN_FAULT_SIZE]);

/* Reads what iperf3 --json printed. RUN_DONE, RUN_BUSY, RUN_REFUSED or RUN_FAILED. */
enum run_end iperf3_parse(const char *text, size_t size, struct iperf3_result *ret,
                          char fault[static RUN_FAULT_SIZE]);

/* Whether what was sent from here was in segments of that size: the congestion window was counted in them,
 * with TCP timestamps or without. */
bool iperf3_has_sent(const struct iperf3_result *result, unsigned mss);
