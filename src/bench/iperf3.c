/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "bench/iperf3.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
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
/* No counter of a run reaches this, and sums of such numbers stay finite. */
#define NUMBER_LARGEST 1e18

enum run_end run_fail(char fault[static RUN_FAULT_SIZE], enum run_end end, const char *format, ...) {
        TEXT_FORMAT(fault, RUN_FAULT_SIZE, format);
        return end;
}

/* A non-negative number; NaN: none. */
static double number_of(const json_t *object, const char *key) {
        const json_t *value = json_object_get(object, key);
        double number = json_number_value(value);

        return json_is_number(value) && number >= 0 && number <= NUMBER_LARGEST ? number : NAN;
}

static unsigned count_of(const json_t *object, const char *key) {
        double number = number_of(object, key);

        return number <= 4294967295.0 ? (unsigned)number : 0;
}

static unsigned common_divisor(unsigned a, unsigned b) {
        return b > 0 ? common_divisor(b, a % b) : a;
}

/* Reads the data of each interval about the connections on which this end sends. */
static void read_intervals(const json_t *intervals, struct iperf3_result *result) {
        const json_t *interval, *stream;
        size_t i, j;

        json_array_foreach(intervals, i, interval) {
                json_array_foreach(json_object_get(interval, "streams"), j, stream) {
                        unsigned pmtu = count_of(stream, "pmtu");

                        /* The smallest, and not NaN: a larger path MTU did not last. */
                        if (pmtu > 0)
                                result->run.figures[REPORT_PMTU] =
                                                fmin(result->run.figures[REPORT_PMTU], pmtu);
                        result->window = common_divisor(result->window, count_of(stream, "snd_cwnd"));
                }
        }
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
        struct iperf3_result result = { .run = REPORT_RUN_UNKNOWN };
        double *figures = result.run.figures;
        const json_t *start, *end, *cpu, *error;
        const char *version, *begin = strchr(text, '{');
        unsigned major, minor;

        /* Warnings may stand around it. */
        document = begin ? json_loads(begin, JSON_DISABLE_EOF_CHECK, NULL) : NULL;
        if (!document)
                return run_fail(fault, RUN_FAILED,
                                "iperf3 ended with status %d and without a report; it says \"%.*s\"", status,
                                (int)strcspn(text, "\n"), text);
        error = json_object_get(document, "error");
        if (json_is_string(error))
                return fail_by_error(json_string_value(error), fault);

        start = json_object_get(document, "start");
        end = json_object_get(document, "end");
        figures[REPORT_RATE] = number_of(json_object_get(end, "sum_received"), "bits_per_second");
        figures[REPORT_RETRANSMITS] = number_of(json_object_get(end, "sum_sent"), "retransmits");
        if (!(figures[REPORT_RATE] > 0))
                return run_fail(fault, RUN_FAILED, "iperf3 reports no byte as received");
        cpu = json_object_get(end, "cpu_utilization_percent");
        figures[REPORT_CPU_HERE] = number_of(cpu, "host_total");
        figures[REPORT_CPU_THERE] = number_of(cpu, "remote_total");
        version = json_string_value(json_object_get(start, "version"));
        if (version && sscanf(version, "iperf %4u.%4u", &major, &minor) == 2)
                snprintf(result.version, sizeof(result.version), "%u.%u", major, minor);
        read_intervals(json_object_get(document, "intervals"), &result);
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
                return RUN_STOPPED;
        if (r == -ETIME)
                return run_fail(fault, RUN_FAILED, "iperf3 did not end within %u s, and was stopped",
                                seconds + SLACK_S);
        if (r < 0)
                return run_fail(fault, RUN_HOPELESS, "iperf3 cannot be run: %s", strerror(-r));
        if (r == PROCESS_ABSENT)
                return run_fail(fault, RUN_HOPELESS,
                                "iperf3 is not installed; install the package iperf3 here and on the other "
                                "host");
        return iperf3_parse(output, r, ret, fault);
}
