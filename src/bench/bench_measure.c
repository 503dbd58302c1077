/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "bench/bench_measure.h"

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "bench/child.h"

/* The guard waits so much longer than a measurement may take. */
#define GUARD_SLACK_S 30
/* RFC 7323: what time stamps take of a segment. */
#define TIME_STAMPS 12

/* Whether iperf3's report shows that segments of `mtu` were sent. */
static bool is_proven(const struct bench_method *method, const struct iperf3_result *result, uint32_t mtu,
                      char fault[static IPERF3_FAULT_SIZE]) {
        unsigned mss = mtu - method->headers;

        if (result->pmtu > 0 && result->pmtu < mtu) {
                snprintf(fault, IPERF3_FAULT_SIZE, "not proven: the path's MTU was %u", result->pmtu);
                return false;
        }
        if (result->mss > 0 && result->mss != mss && result->mss != mss - TIME_STAMPS) {
                snprintf(fault, IPERF3_FAULT_SIZE,
                         "not proven: both ends agreed upon segments of %u bytes, not %u; the other host's "
                         "MTU "
                         "may be smaller",
                         result->mss, mss);
                return false;
        }
        /* From the other host nothing is told; a run the other way has shown it at the beginning. */
        if (result->forward > 0 && !iperf3_has_sent(result, mss)) {
                snprintf(fault, IPERF3_FAULT_SIZE,
                         "not proven: what was sent was not in segments of %u bytes; the other host's MTU "
                         "may "
                         "be smaller",
                         mss);
                return false;
        }
        return true;
}

static enum bench_end measure_iperf3(const struct bench_method *method, uint32_t mtu, struct report_run *ret,
                                     char fault[static IPERF3_FAULT_SIZE]) {
        const struct iperf3_call call = {
                .host = method->address,
                .port = method->port,
                .seconds = method->seconds,
                .mss = method->device ? 0 : mtu - method->headers,
                .is_reverse = method->is_reverse,
                .is_both_ways = method->is_both_ways,
                .stop = method->stop,
                .tick = method->tick,
                .userdata = method->userdata,
        };
        struct iperf3_result result;

        switch (iperf3_run(&call, &result, fault)) {
        case IPERF3_DONE:
                break;
        case IPERF3_BUSY:
                return BENCH_BUSY;
        case IPERF3_FAILED:
                return BENCH_DISCARDED;
        case IPERF3_HOPELESS:
                return BENCH_HOPELESS;
        case IPERF3_STOPPED:
                return BENCH_STOPPED;
        }
        if (!is_proven(method, &result, mtu, fault))
                return BENCH_UNPROVEN;
        *ret = (struct report_run){
                .values = { [REPORT_OUT] = result.forward,
                            [REPORT_IN] = result.backward,
                            [REPORT_BOTH] = result.forward + result.backward },
                .cpu_here = result.cpu_here,
                .cpu_there = result.cpu_there,
                .retransmits = result.retransmits,
                .mss = result.forward > 0 ? mtu - method->headers : 0,
                .pmtu = result.pmtu,
        };
        return BENCH_DONE;
}

static enum bench_end measure_command(const struct bench_method *method, struct report_run *ret,
                                      char fault[static IPERF3_FAULT_SIZE]) {
        const char *const arguments[] = { "sh", "-c", method->command, NULL };
        const struct child_call call = {
                .arguments = arguments,
                .limit_s = method->seconds,
                .stop = method->stop,
                .tick = method->tick,
                .userdata = method->userdata,
        };
        CLEANUP(child_result_cleanup) struct child_result result = { .output = NULL };
        char quoted[TEXT_QUOTE_SIZE];
        int r = child_run(&call, &result);

        if (r < 0) {
                snprintf(fault, IPERF3_FAULT_SIZE, "sh cannot be run: %s", strerror(-r));
                return BENCH_HOPELESS;
        }
        if (result.end == CHILD_STOPPED)
                return BENCH_STOPPED;
        if (result.end == CHILD_TOO_LONG)
                snprintf(fault, IPERF3_FAULT_SIZE, "the command did not end in %u s (--time), and was ended",
                         method->seconds);
        else if (result.end == CHILD_KILLED)
                snprintf(fault, IPERF3_FAULT_SIZE, "the command was killed by signal %d (%s)", result.status,
                         strsignal(result.status));
        else if (result.status != 0)
                snprintf(fault, IPERF3_FAULT_SIZE, "the command ended with %d%s%s", result.status,
                         result.messages[0] ? "; it says " : "",
                         result.messages[0] ? text_quote(quoted, result.messages,
                                                         strcspn(result.messages, "\n"))
                                            : "");
        if (result.end != CHILD_EXITED || result.status != 0)
                return BENCH_DISCARDED;
        *ret = (struct report_run){ .retransmits = -1 };
        ret->values[REPORT_BOTH] =
                        method->bytes > 0 ? (double)method->bytes / result.seconds : result.seconds;
        return BENCH_DONE;
}

enum bench_end bench_measure(const struct bench_method *method, uint32_t mtu, struct report_run *ret,
                             char fault[static IPERF3_FAULT_SIZE]) {
        enum bench_end end;

        fault[0] = '\0';
        if (method->device &&
            !bench_device_set(method->device, mtu, method->seconds + GUARD_SLACK_S, method->stop))
                return *method->stop ? BENCH_STOPPED : BENCH_HOPELESS;
        end = method->command ? measure_command(method, ret, fault)
                              : measure_iperf3(method, mtu, ret, fault);
        if (end == BENCH_DONE && method->device && !bench_device_has(method->device, mtu)) {
                snprintf(fault, IPERF3_FAULT_SIZE,
                         "not proven: somebody else has changed the MTU meanwhile");
                return BENCH_UNPROVEN;
        }
        return end;
}
