/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "bench/iperf3.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "bench/measured_process.h"

/* The first version with --bidir, of 2019. */
#define OLDEST_MAJOR 3
#define OLDEST_MINOR 7
#define CONNECT_TIMEOUT_MS "5000"
/* Extra time for a run: a slow connection and the exchange of results. */
#define SLACK_S 15

/* No counter of a run reaches this, and sums of such numbers stay finite. */
#define NUMBER_LARGEST 1e18

/* A non-negative number; -1: none. */
static double number_of(const json_t *object, const char *key) {
        const json_t *value = json_object_get(object, key);
        double number = json_number_value(value);

        return json_is_number(value) && number >= 0 && number <= NUMBER_LARGEST ? number : -1;
}

static unsigned count_of(const json_t *object, const char *key) {
        double number = number_of(object, key);

        return number > 0 && number <= 4294967295.0 ? (unsigned)number : 0;
}

static unsigned common_divisor(unsigned a, unsigned b) {
        while (b > 0) {
                unsigned rest = a % b;

                a = b;
                b = rest;
        }
        return a;
}

/* Reads the data of each interval about the connections on which this end sends. */
static void read_intervals(const json_t *intervals, struct iperf3_result *result) {
        const json_t *interval, *stream;
        size_t i, j;

        json_array_foreach(intervals, i, interval) {
                json_array_foreach(json_object_get(interval, "streams"), j, stream) {
                        unsigned pmtu = count_of(stream, "pmtu");

                        /* The smallest: a larger path MTU did not last. */
                        if (pmtu > 0 && (result->run.pmtu == 0 || pmtu < result->run.pmtu))
                                result->run.pmtu = pmtu;
                        result->window = common_divisor(result->window, count_of(stream, "snd_cwnd"));
                }
        }
}

static void add_retransmits(const json_t *sum, struct report_run *run) {
        double number = number_of(sum, "retransmits");

        if (number >= 0 && number < 1e15)
                run->retransmits = (run->retransmits < 0 ? 0 : run->retransmits) + (long)number;
}

static enum run_end tell_error(const char *error, char fault[static RUN_FAULT_SIZE]) {
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
                        "iperf3 says %s", TEXT_QUOTE(error));
}

enum run_end iperf3_parse(const char *text, size_t size, struct iperf3_result *ret,
                          char fault[static RUN_FAULT_SIZE]) {
        json_auto_t *document = NULL;
        struct iperf3_result result = { .run = { .retransmits = -1 } };
        double *values = result.run.values;
        const json_t *start, *end, *forward, *backward, *cpu, *error;
        json_error_t place;
        bool is_reverse;

        /* With --bidir a key is twice in each interval, which is no error. */
        document = json_loadb(text, size, 0, &place);
        if (!json_is_object(document))
                return run_fail(fault, RUN_FAILED,
                                document ? "iperf3 printed JSON that is no report"
                                         : "iperf3 printed no JSON: broken in line %d of %zu bytes",
                                document ? 0 : place.line, size);
        error = json_object_get(document, "error");
        if (json_is_string(error))
                return tell_error(json_string_value(error), fault);

        start = json_object_get(document, "start");
        end = json_object_get(document, "end");
        is_reverse = number_of(json_object_get(start, "test_start"), "reverse") > 0;
        forward = json_object_get(end, "sum_received");
        backward = json_object_get(end, "sum_received_bidir_reverse");
        values[is_reverse ? REPORT_IN : REPORT_OUT] = number_of(forward, "bits_per_second");
        if (backward && !is_reverse)
                values[REPORT_IN] = number_of(backward, "bits_per_second");
        values[REPORT_BOTH] = values[REPORT_OUT] + values[REPORT_IN];
        if (values[REPORT_OUT] < 0 || values[REPORT_IN] < 0 || values[REPORT_BOTH] <= 0)
                return run_fail(fault, RUN_FAILED, "iperf3 reports no byte as received");
        add_retransmits(json_object_get(end, "sum_sent"), &result.run);
        add_retransmits(json_object_get(end, "sum_sent_bidir_reverse"), &result.run);
        cpu = json_object_get(end, "cpu_utilization_percent");
        result.run.cpu_here = fmax(number_of(cpu, "host_total"), 0);
        result.run.cpu_there = fmax(number_of(cpu, "remote_total"), 0);
        result.mss = count_of(start, "tcp_mss_default");
        read_intervals(json_object_get(document, "intervals"), &result);
        *ret = result;
        return RUN_DONE;
}

bool iperf3_has_sent(const struct iperf3_result *result, unsigned mss) {
        return result->window > 0 && mss > IPERF3_TIME_STAMPS &&
               (result->window % mss == 0 || result->window % (mss - IPERF3_TIME_STAMPS) == 0);
}

/* The fault if iperf3 is absent. */
static const char absent[] =
                "iperf3 is not installed; install the package iperf3 here and on the other host";

enum run_end iperf3_check(char ret_version[static 24], char fault[static RUN_FAULT_SIZE]) {
        static const char *const arguments[] = { "iperf3", "--version", NULL };
        const struct measured_process_call call = {
                .arguments = arguments, .name = "iperf3", .absent = absent, .limit_s = 10
        };
        CLEANUP(measured_process_cleanup) struct measured_process result = { .output = NULL };
        unsigned major, minor;
        enum run_end end = measured_process_run(&call, &result, fault);

        if (end == RUN_STOPPED || end == RUN_HOPELESS)
                return end;
        if (end != RUN_DONE || sscanf(result.output, "iperf %4u.%4u", &major, &minor) != 2)
                return run_fail(fault, RUN_HOPELESS, "iperf3 --version shows no version");
        if (major < OLDEST_MAJOR || (major == OLDEST_MAJOR && minor < OLDEST_MINOR))
                return run_fail(fault, RUN_HOPELESS, "iperf3 %u.%u is too old; %u.%u or later is needed",
                                major, minor, OLDEST_MAJOR, OLDEST_MINOR);
        snprintf(ret_version, 24, "%u.%u", major, minor);
        return RUN_DONE;
}

enum run_end iperf3_run(const struct iperf3_call *call, struct progress *progress, struct iperf3_result *ret,
                        char fault[static RUN_FAULT_SIZE]) {
        CLEANUP(measured_process_cleanup) struct measured_process result = { .output = NULL };
        char port[16], seconds[16], mss[16];
        const char *arguments[20] = {
                "iperf3", "--json", "--client", call->host,          "--port",
                port,     "--time", seconds,    "--connect-timeout", CONNECT_TIMEOUT_MS
        };
        enum run_end end;
        size_t n = 10;

        snprintf(port, sizeof(port), "%u", call->port);
        snprintf(seconds, sizeof(seconds), "%u", call->seconds);
        snprintf(mss, sizeof(mss), "%u", call->mss);
        if (call->mss > 0) {
                arguments[n++] = "--set-mss";
                arguments[n++] = mss;
        }
        if (call->is_both_ways)
                arguments[n++] = "--bidir";
        else if (call->is_reverse)
                arguments[n++] = "--reverse";
        end = measured_process_run(&(struct measured_process_call){ .arguments = arguments,
                                                                    .name = "iperf3",
                                                                    .absent = absent,
                                                                    .limit_s = call->seconds + SLACK_S,
                                                                    .progress = progress },
                                   &result, fault);
        if (end != RUN_DONE)
                return end;
        /* iperf3 reports faults in its arguments on stderr. */
        if (result.output_size == 0)
                return measured_process_fail(&result, "iperf3 printed nothing and", fault);
        return iperf3_parse(result.output, result.output_size, ret, fault);
}
