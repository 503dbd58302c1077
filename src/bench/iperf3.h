/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* A run of iperf3(1) as a client, and its JSON. The program is run and not linked: libiperf ends the process
 * on errors. */

#include "bench/report.h"

/* How a measurement ended. */
enum run_end {
        RUN_DONE,
        RUN_BUSY,     /* the server is busy or not ready; waiting may help */
        RUN_REFUSED,  /* no connection; the server of the last run may be about to listen */
        RUN_FAILED,   /* another one may succeed */
        RUN_UNPROVEN, /* it was made at another size */
        RUN_HOPELESS, /* all others would fail, too, or interrupt_seen() */
};

#define RUN_FAULT_SIZE 320

/* Writes a sentence that says what is wrong and what to do, into a buffer that is untouched after RUN_DONE
 * and an interruption; `format` is as for printf(3). Returns `end`. */
__attribute__((format(printf, 3, 4))) enum run_end run_fail(char fault[static RUN_FAULT_SIZE],
                                                            enum run_end end, const char *format, ...);

struct iperf3_result {
        double rate; /* bits per second, as received */
        struct usage usage;
        uint64_t window; /* the greatest common divisor of the congestion windows in bytes, which the kernel
                            counts in segments as they were sent; 0: not known */
};

/* Measures once as the report says, but for `seconds` and in this direction. Unless RUN_DONE, `ret` is
 * untouched. */
enum run_end iperf3_run(const struct report *report, unsigned seconds, bool is_reverse,
                        struct iperf3_result *ret, char fault[static RUN_FAULT_SIZE]);

/* Reads what iperf3 --json printed before it ended with `status`. RUN_DONE, RUN_BUSY, RUN_REFUSED or
 * RUN_FAILED. */
enum run_end iperf3_parse(const char *text, int status, struct iperf3_result *ret,
                          char fault[static RUN_FAULT_SIZE]);

/* Whether what was sent from here was in segments of that size: the congestion window was counted in them,
 * with TCP timestamps or without. */
bool iperf3_has_sent(const struct iperf3_result *result, unsigned mss);
