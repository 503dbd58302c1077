/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "bench/iperf3.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/process.h"
#include "base/text.h"

#define CONNECT_TIMEOUT_MS "5000"
/* Extra time for a run: a slow connection and the exchange of results. */
#define SLACK_S 15
/* TCP timestamps in each segment: ten bytes and two of padding (RFC 7323, appendix A). */
#define TIME_STAMPS 12
/* No network is as fast. */
#define RATE_LARGEST 1e18

enum run_end run_fail(char fault[static RUN_FAULT_SIZE], enum run_end end, const char *format, ...) {
        TEXT_FORMAT(fault, RUN_FAULT_SIZE, format);
        return end;
}

static uint64_t common_divisor(uint64_t a, uint64_t b) {
        return b > 0 ? common_divisor(b, a % b) : a;
}

/* By the connections on which this end sends. */
static uint64_t read_window(const json_t *intervals) {
        const json_t *interval, *stream;
        uint64_t window = 0;
        size_t i, j;

        json_array_foreach(intervals, i, interval) {
                json_array_foreach(json_object_get(interval, "streams"), j, stream) {
                        json_t *own = json_object_get(stream, "snd_cwnd");

                        window = common_divisor(window, (uint64_t)json_integer_value(own));
                }
        }
        return window;
}

static enum run_end fail_by_error(const char *error, char fault[static RUN_FAULT_SIZE]) {
        if (strstr(error, "busy"))
                return run_fail(fault, RUN_BUSY, "the server is busy with another test");
        /* The server listens anew for each test and drops a client that connects just before. */
        if (strstr(error, "unable to receive control message"))
                return run_fail(fault, RUN_BUSY, "the server closed the connection before the test");
        if (strstr(error, "refused"))
                return run_fail(fault, RUN_REFUSED,
                                "the connection was refused; start iperf3 -s there, and give another port "
                                "with --port");
        return run_fail(fault, strstr(error, "unable to connect to server") ? RUN_REFUSED : RUN_FAILED,
                        "iperf3 says \"%.64s\"", error);
}

enum run_end iperf3_parse(const char *text, int status, struct iperf3_result *ret,
                          char fault[static RUN_FAULT_SIZE]) {
        json_auto_t *document = NULL;
        struct iperf3_result result;
        const json_t *end, *received, *cpu;
        const char *error, *begin = strchr(text, '{');

        /* Warnings may stand around it. */
        document = begin ? json_loads(begin, JSON_DISABLE_EOF_CHECK, NULL) : NULL;
        if (!document)
                return run_fail(fault, RUN_FAILED,
                                "iperf3 ended with status %d and without a report; it says \"%.*s\"", status,
                                (int)strcspn(text, "\n"), text);
        error = json_string_value(json_object_get(document, "error"));
        if (error)
                return fail_by_error(error, fault);
        end = json_object_get(document, "end");
        received = json_object_get(end, "sum_received");
        result.rate = json_number_value(json_object_get(received, "bits_per_second"));
        if (!(result.rate > 0 && result.rate < RATE_LARGEST))
                return run_fail(fault, RUN_FAILED,
                                "iperf3 reports no byte as received; setmtu probe shows what the path "
                                "carries");
        cpu = json_object_get(end, "cpu_utilization_percent");
        result.usage = (struct usage){
                json_number_value(json_object_get(json_object_get(end, "sum_sent"), "retransmits")),
                json_number_value(json_object_get(cpu, "host_total")),
                json_number_value(json_object_get(cpu, "remote_total")),
        };
        result.window = read_window(json_object_get(document, "intervals"));
        *ret = result;
        return RUN_DONE;
}

bool iperf3_has_sent(const struct iperf3_result *result, unsigned mss) {
        return result->window > 0 && mss > TIME_STAMPS &&
               (result->window % mss == 0 || result->window % (mss - TIME_STAMPS) == 0);
}

enum run_end iperf3_run(const struct report *report, unsigned seconds, bool is_reverse,
                        struct iperf3_result *ret, char fault[static RUN_FAULT_SIZE]) {
        CLEANUP(cleanup_free) char *output = NULL;
        char port_text[16], seconds_text[16];
        const char *words[12] = {
                "iperf3",  "--json", "--client",   report->address,     "--port",
                port_text, "--time", seconds_text, "--connect-timeout", CONNECT_TIMEOUT_MS
        };
        size_t size;
        int r;

        snprintf(port_text, sizeof(port_text), "%u", report->port);
        snprintf(seconds_text, sizeof(seconds_text), "%u", seconds);
        if (is_reverse)
                words[10] = "--reverse";
        r = process_read(words, seconds + SLACK_S, &output, &size);
        if (r == -ECANCELED)
                return RUN_HOPELESS;
        if (r == -ETIME)
                return run_fail(fault, RUN_FAILED,
                                "iperf3 did not end within %u s, and was stopped; setmtu probe shows what "
                                "the path carries",
                                seconds + SLACK_S);
        if (r < 0)
                return run_fail(fault, RUN_HOPELESS, "iperf3 cannot be run: %s", strerror(-r));
        if (r == PROCESS_ABSENT)
                return run_fail(fault, RUN_HOPELESS,
                                "iperf3 is not installed; install the package iperf3 here and on the other "
                                "host");
        return iperf3_parse(output, r, ret, fault);
}
