/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* A run of iperf3(1) as a client, and what its JSON says. The program is run and not linked: libiperf ends
 * the process on errors. */

#include "bench/measured_process.h"
#include "bench/report.h"

/* How a run is made. */
struct iperf3_call {
        const char *host; /* a numeric address, so that what is looked up is looked up once */
        unsigned port;
        unsigned seconds;
        unsigned mss; /* -M; 0: whatever the MTU makes of it */
        bool is_reverse;
        bool is_both_ways;
};

/* Of a segment's size; a byte more is what -M takes (MAX_MSS in its iperf.h). */
#define IPERF3_MSS_LARGEST 9216
/* TCP timestamps in each segment: ten bytes and two of padding (RFC 7323, appendix A). */
#define IPERF3_TIME_STAMPS 12

struct iperf3_result {
        struct report_run run; /* but for `mss` and `place`: bits per second as received, 0 where not
                                  measured; REPORT_OUT is from here to the server; CPU of iperf3's own
                                  processes */
        unsigned mss;    /* without -M, what the kernel has agreed upon with the server's; 0: not told */
        unsigned window; /* the greatest common divisor of the congestion windows in bytes, which the kernel
                            counts in  segments as they were sent; 0: not told */
};

/* Where that is not RUN_DONE, `ret` is untouched. `progress` is as in measured_process.h. */
enum run_end iperf3_run(const struct iperf3_call *call, struct progress *progress, struct iperf3_result *ret,
                        char fault[static RUN_FAULT_SIZE]);

/* Reads what iperf3 --json printed. RUN_DONE, RUN_BUSY, RUN_REFUSED or RUN_FAILED. */
enum run_end iperf3_parse(const char *text, size_t size, struct iperf3_result *ret,
                          char fault[static RUN_FAULT_SIZE]);

/* Whether what was sent from here was in segments of that size: what iperf3 says of its own -M is but an
 * echo, so that counts by which the congestion window was counted, less the time stamps (RFC 7323, appendix
 * A) or not. */
bool iperf3_has_sent(const struct iperf3_result *result, unsigned mss);

/* Whether there is an iperf3 that is new enough: RUN_DONE, RUN_HOPELESS or RUN_STOPPED. `ret_version` gets
 * "3.12" or the like. */
enum run_end iperf3_check(char ret_version[static 24], char fault[static RUN_FAULT_SIZE]);
