/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "command/bench_options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/exit_code.h"
#include "base/log.h"
#include "base/text.h"
#include "base/time_span.h"

#define RUNS_DEFAULT 10
#define TIME_DEFAULT_S 5
#define COMMAND_TIME_DEFAULT_S 600
#define TIME_LARGEST_S 86400
#define PORT_DEFAULT 5201

/* A whole number, and nothing but that. */
static bool parse_number(const char *text, uint64_t least, uint64_t largest, uint64_t *ret) {
        unsigned long long number;
        char *end;

        if (*text < '0' || *text > '9')
                return false;
        errno = 0;
        number = strtoull(text, &end, 10);
        if (*end || errno != 0 || number < least || number > largest)
                return false;
        *ret = number;
        return true;
}

static int refuse_option(const char *option, const char *value, const char *what) {
        char quoted[TEXT_QUOTE_SIZE];

        log_error("bench: --%s: %s %s", option, text_quote(quoted, value, strlen(value)), what);
        return EXIT_CODE_USAGE;
}

static int parse_sizes(const char *text, struct report *report) {
        char fault[MTU_SPEC_FAULT_SIZE];

        for (const char *word = text;; word += strcspn(word, ",") + 1) {
                size_t size = strcspn(word, ",");
                struct mtu_spec spec;

                if (size == 0)
                        return refuse_option("mtu", text,
                                             "is to be numbers of bytes with commas in between");
                if (!mtu_spec_parse(word, size, &spec, fault)) {
                        log_error("bench: --mtu: %s", fault);
                        return EXIT_CODE_USAGE;
                }
                if (spec.mtu == MTU_MAX || spec.up || spec.has_backend)
                        return refuse_option("mtu", text,
                                             "is to be numbers of bytes with commas in between");
                if (!report_add_size(report, spec.mtu))
                        return refuse_option("mtu", text, "has more than 12 sizes");
                if (!word[size])
                        break;
        }
        if (report->n_sizes < 2)
                return refuse_option("mtu", text, "is one size; at least two can be compared");
        return EXIT_CODE_DONE;
}

static int check_method(const struct command_line *line, bool *ret_is_mtu) {
        const char *method = line->options[BENCH_OPTION_METHOD],
                   *command = line->options[BENCH_OPTION_COMMAND];

        if (method && strcmp(method, "mss") != 0 && strcmp(method, "mtu") != 0)
                return refuse_option("method", method, "is neither mss nor mtu");
        *ret_is_mtu = method ? strcmp(method, "mtu") == 0 : command != NULL;
        if (command && !*ret_is_mtu)
                return refuse_option(
                                "method", method,
                                "cannot be had with --command: iperf3 alone can be told a segment's size");
        if (command && !*command)
                return refuse_option("command", command, "is empty");
        if (command && (line->options[BENCH_OPTION_BIDIR] || line->options[BENCH_OPTION_REVERSE] ||
                        line->options[BENCH_OPTION_PORT])) {
                log_error("bench: --bidir, --reverse and --port are for iperf3, and --command runs none");
                return EXIT_CODE_USAGE;
        }
        if (line->options[BENCH_OPTION_BIDIR] && line->options[BENCH_OPTION_REVERSE]) {
                log_error("bench: --bidir is both ways at once already; leave --reverse out");
                return EXIT_CODE_USAGE;
        }
        if (line->options[BENCH_OPTION_BYTES] && !command) {
                log_error("bench: --bytes says what --command moves, and there is none");
                return EXIT_CODE_USAGE;
        }
        if (line->options[BENCH_OPTION_YES] && !line->options[BENCH_OPTION_APPLY]) {
                log_error("bench: --yes answers what --apply asks, and that is not there");
                return EXIT_CODE_USAGE;
        }
        if (line->options[BENCH_OPTION_APPLY] && !line->options[BENCH_OPTION_YES] && !isatty(STDIN_FILENO)) {
                log_error("bench: --apply asks, and there is no terminal to ask on; give --yes");
                return EXIT_CODE_USAGE;
        }
        return EXIT_CODE_DONE;
}

static int parse_numbers(const struct command_line *line, struct bench_options *options) {
        const char *runs = line->options[BENCH_OPTION_RUNS], *duration = line->options[BENCH_OPTION_TIME];
        const char *bytes = line->options[BENCH_OPTION_BYTES], *port = line->options[BENCH_OPTION_PORT];
        bool has_command = line->options[BENCH_OPTION_COMMAND];
        uint64_t number = RUNS_DEFAULT;

        if (runs && !parse_number(runs, FINDING_RUNS_MIN, FINDING_RUNS_MAX, &number))
                return refuse_option("runs", runs,
                                     "is no number from 3 to 200; fewer say nothing of the noise");
        options->n_runs = number;
        options->method->seconds = has_command ? COMMAND_TIME_DEFAULT_S : TIME_DEFAULT_S;
        if (duration && !time_span_parse(duration, TIME_LARGEST_S, &options->method->seconds))
                return refuse_option("time", duration, "is no time from 1 s to 1 day; write 5, 5s or 1min");
        number = 0;
        if (bytes && !parse_number(bytes, 1, UINT64_C(1) << 60, &number))
                return refuse_option("bytes", bytes, "is no number of bytes");
        options->method->bytes = number;
        number = PORT_DEFAULT;
        if (port && !parse_number(port, 1, 65535, &number))
                return refuse_option("port", port, "is no port from 1 to 65535");
        options->method->port = (unsigned)number;
        return EXIT_CODE_DONE;
}

int bench_options_parse(const struct command_line *line, struct bench_options *options) {
        const char *mtus = line->options[BENCH_OPTION_MTU];
        struct report *report = options->report;
        int exit_code = check_method(line, &options->is_mtu);

        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        exit_code = parse_numbers(line, options);
        if (exit_code == EXIT_CODE_DONE)
                exit_code = parse_sizes(mtus ? mtus : BENCH_MTUS_DEFAULT, report);
        options->method->command = line->options[BENCH_OPTION_COMMAND];
        options->method->is_reverse = line->options[BENCH_OPTION_REVERSE];
        options->method->is_both_ways = line->options[BENCH_OPTION_BIDIR];
        report->host = line->words[0];
        report->method = options->is_mtu ? "mtu" : "mss";
        report->command = options->method->command;
        report->unit = !report->command             ? REPORT_BITS_PER_SECOND
                       : options->method->bytes > 0 ? REPORT_BYTES_PER_SECOND
                                                    : REPORT_SECONDS;
        report->judged = report->command || options->method->is_both_ways ? REPORT_BOTH
                         : options->method->is_reverse                    ? REPORT_IN
                                                                          : REPORT_OUT;
        report->has_way[REPORT_OUT] = !report->command && !options->method->is_reverse;
        report->has_way[REPORT_IN] = options->method->is_reverse || options->method->is_both_ways;
        report->has_way[REPORT_BOTH] = report->judged == REPORT_BOTH;
        return exit_code;
}
