/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* One run of iperf3(1) as a client, and what its JSON says. The program is run and not linked: libiperf ends
 * the process on errors. */

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

struct iperf3_call {
        const char *host; /* a numeric address, so that what is looked up is looked up once */
        unsigned port;
        unsigned seconds;
        unsigned mss; /* -M; 0: whatever the MTU makes of it */
        bool is_reverse;
        bool is_both_ways;
        const volatile sig_atomic_t *stop; /* as in child.h, and what follows */
        void (*tick)(void *userdata);
        void *userdata;
};

/* Of a segment's size; a byte more is what -M takes (MAX_MSS in its iperf.h). */
#define IPERF3_MSS_LARGEST 9216

struct iperf3_result {
        double forward;  /* bits per second as received, from here to the server; 0: not measured */
        double backward; /* from the server to here */
        double cpu_here; /* of iperf3's own process, in percent of one CPU */
        double cpu_there;
        long retransmits; /* of all that were told; -1: none was */
        unsigned mss;     /* without -M, what the kernel has agreed upon with the server's; 0: not told */
        unsigned pmtu;    /* the kernel's path MTU of what was sent from here; 0: not told */
        unsigned window;  /* the greatest common divisor of the congestion windows in bytes, which the kernel
                             counts in  segments as they were sent; 0: not told */
};

enum iperf3_end {
        IPERF3_DONE,
        IPERF3_BUSY,     /* the server serves somebody else, or none yet; it may help to wait */
        IPERF3_FAILED,   /* this run; another one may go well */
        IPERF3_HOPELESS, /* no iperf3, or too old a one */
        IPERF3_STOPPED,
};

#define IPERF3_FAULT_SIZE 320

/* Where it is not IPERF3_DONE, `ret` is untouched and `fault` says in a sentence what is wrong and what to
 * do. */
enum iperf3_end iperf3_run(const struct iperf3_call *call, struct iperf3_result *ret,
                           char fault[static IPERF3_FAULT_SIZE]);

/* Reads what iperf3 --json printed. The same ends, but for the last two. */
enum iperf3_end iperf3_parse(const char *text, size_t size, struct iperf3_result *ret,
                             char fault[static IPERF3_FAULT_SIZE]);

/* Whether what was sent from here was in segments of that size: what iperf3 says of its own -M is but an
 * echo, so that counts by which the congestion window was counted, less the time stamps (RFC 7323, appendix
 * A) or not. */
bool iperf3_has_sent(const struct iperf3_result *result, unsigned mss);

/* Whether there is an iperf3 that is new enough: IPERF3_DONE, or IPERF3_HOPELESS with a fault, or
 * IPERF3_STOPPED. `ret_version` gets "3.12" or the like. */
enum iperf3_end iperf3_check(const volatile sig_atomic_t *stop, char ret_version[static 24],
                             char fault[static IPERF3_FAULT_SIZE]);
