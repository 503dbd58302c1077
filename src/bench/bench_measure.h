/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* One measurement at one size, with the proof that it was made at that size. */

#include "bench/bench_device.h"
#include "bench/iperf3.h"
#include "bench/report.h"

/* How a measurement is made; the same for all of a bench. */
struct bench_method {
        const char *address; /* of the other host */
        unsigned headers;    /* bytes of an IP and a TCP header without options: 40, or 60 for IPv6 */
        struct bench_device
                        *device; /* NULL: its MTU is left as it is, and iperf3 is told a segment's size */
        const char *command;     /* for sh -c; NULL: iperf3 */
        uint64_t bytes;          /* that the command moves; 0: its time is what counts */
        unsigned port;
        unsigned seconds; /* of a run; with a command the most that it may take */
        bool is_reverse, is_both_ways;
        const volatile sig_atomic_t *stop;
        void (*tick)(void *userdata);
        void *userdata;
};

enum bench_end {
        BENCH_DONE,
        BENCH_BUSY,      /* the server serves somebody else */
        BENCH_DISCARDED, /* this measurement; another one may be good */
        BENCH_UNPROVEN,  /* it was made at another size */
        BENCH_HOPELESS,  /* said already, or `fault` says it */
        BENCH_STOPPED,
};

/* What is not BENCH_DONE leaves `ret` untouched, and `fault` says why, or is empty where that has been said.
 */
enum bench_end bench_measure(const struct bench_method *method, uint32_t mtu, struct report_run *ret,
                             char fault[static IPERF3_FAULT_SIZE]);
