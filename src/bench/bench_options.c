/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "bench/bench_options.h"

#include <string.h>

#include "base/text.h"

#define RUNS_DEFAULT 10
#define TIME_DEFAULT_S 5
#define COMMAND_TIME_DEFAULT_S 600
#define TIME_LARGEST_S 86400
#define PORT_DEFAULT 5201

static bool option_fault(char *fault, const char *option, const char *value, const char *what) {
        snprintf(fault, BENCH_OPTIONS_FAULT_SIZE, "--%s: %s %s", option, TEXT_QUOTE(value), what);
        return false;
}

static bool parse_sizes(const char *text, struct report *report, char *fault) {
        char mtu_fault[MTU_SPEC_FAULT_SIZE];

        for (const char *word = text;; word += strcspn(word, ",") + 1) {
                size_t size = strcspn(word, ",");
                struct mtu_spec spec;

                if (size > 0 && !mtu_spec_parse(word, size, &spec, mtu_fault)) {
                        snprintf(fault, BENCH_OPTIONS_FAULT_SIZE, "--mtu: %s", mtu_fault);
                        return false;
                }
                if (size == 0 || strspn(word, "0123456789") != size)
                        return option_fault(fault, "mtu", text,
                                            "is not a list of numbers of bytes with commas in between");
                if (!report_add_size(report, spec.mtu))
                        return option_fault(fault, "mtu", text, "has more than 12 sizes");
                if (!word[size])
                        break;
        }
        return report->n_sizes >= 2 ||
               option_fault(fault, "mtu", text, "is a single size; give at least two");
}

/* Checks which options fit together. */
static bool check_method(const struct bench_options *options, bool is_mtu, char *fault) {
        const char *text = NULL;

        if (options->method && strcmp(options->method, "mss") != 0 && strcmp(options->method, "mtu") != 0)
                return option_fault(fault, "method", options->method, "is neither mss nor mtu");
        if (options->command && !is_mtu)
                return option_fault(fault, "method", options->method,
                                    "does not work with --command: only iperf3 can be given a segment size");
        if (options->command && !*options->command)
                return option_fault(fault, "command", options->command, "is empty");
        if (options->command && (options->is_both_ways || options->is_reverse || options->port))
                text = "--bidir, --reverse and --port are for iperf3, which --command replaces";
        else if (options->is_both_ways && options->is_reverse)
                text = "--bidir is both ways at once already; leave --reverse out";
        else if (options->bytes && !options->command)
                text = "--bytes needs --command, and says how much it moves";
        if (text)
                snprintf(fault, BENCH_OPTIONS_FAULT_SIZE, "%s", text);
        return !text;
}

static bool parse_numbers(const struct bench_options *options, struct rounds *rounds, char *fault) {
        uint64_t runs = RUNS_DEFAULT, port = PORT_DEFAULT;

        if (options->runs &&
            !text_parse_number(options->runs, CONCLUSION_RUNS_MIN, CONCLUSION_RUNS_MAX, &runs))
                return option_fault(fault, "runs", options->runs,
                                    "is not a number from 3 to 200; fewer do not show the noise");
        rounds->n_runs = runs;
        rounds->call.seconds = options->command ? COMMAND_TIME_DEFAULT_S : TIME_DEFAULT_S;
        if (options->time && !text_parse_seconds(options->time, TIME_LARGEST_S, &rounds->call.seconds))
                return option_fault(fault, "time", options->time,
                                    "is not a time from 1 s to 1 day; write 5, 5s or 1min");
        if (options->bytes && !text_parse_number(options->bytes, 1, UINT64_C(1) << 60, &rounds->bytes))
                return option_fault(fault, "bytes", options->bytes, "is not a number of bytes");
        if (options->port && !text_parse_number(options->port, 1, 65535, &port))
                return option_fault(fault, "port", options->port, "is not a port from 1 to 65535");
        rounds->call.port = (unsigned)port;
        return true;
}

bool bench_options_parse(const struct bench_options *options, struct rounds *rounds, bool *ret_is_mtu,
                         char fault[static BENCH_OPTIONS_FAULT_SIZE]) {
        struct report *report = rounds->report;
        bool is_mtu = options->method ? strcmp(options->method, "mtu") == 0 : options->command != NULL;

        if (!check_method(options, is_mtu, fault) || !parse_numbers(options, rounds, fault) ||
            !parse_sizes(options->mtus ? options->mtus : BENCH_MTUS_DEFAULT, report, fault))
                return false;
        *ret_is_mtu = is_mtu;
        report->command = options->command;
        rounds->call.is_reverse = options->is_reverse;
        rounds->call.is_both_ways = options->is_both_ways;
        report->method = is_mtu ? "mtu" : "mss";
        report->unit = !report->command    ? REPORT_BITS_PER_SECOND
                       : rounds->bytes > 0 ? REPORT_BYTES_PER_SECOND
                                           : REPORT_SECONDS;
        report->judged = report->command || rounds->call.is_both_ways ? REPORT_BOTH
                         : rounds->call.is_reverse                    ? REPORT_IN
                                                                      : REPORT_OUT;
        report->first_way = rounds->call.is_both_ways ? REPORT_OUT : report->judged;
        return true;
}
