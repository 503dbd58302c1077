/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* setmtu bench: which MTU is best here, by measurement. */

#include <string.h>

#include "base/cleanup.h"
#include "base/exit_code.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "base/text.h"
#include "command/bench_rounds.h"
#include "command/command.h"
#include "command/path_find.h"
#include "command/prepare.h"
#include "kernel/capability.h"

#define MTUS_DEFAULT "1500,4000,9000"
#define RUNS_DEFAULT 10
#define TIME_DEFAULT_S 5
#define TIME_LARGEST_S 86400
#define PORT_DEFAULT 5201

enum {
        OPTION_MTU,
        OPTION_RUNS,
        OPTION_TIME,
        OPTION_REVERSE,
        OPTION_PORT,
        OPTION_JSON,
};

/* Options ---------------------------------------------------------------------------------------------- */

/* Logs what is wrong with the value of an option. */
static int refuse_option(const char *option, const char *value, const char *what) {
        return log_fail(EXIT_CODE_USAGE, "bench: --%s: \"%.64s\" %s", option, value, what);
}

static int refuse_sizes(const char *text) {
        return refuse_option("mtu", text, "is not a list of 2 to 12 MTUs with commas in between");
}

static int parse_sizes(const char *text, struct report *report) {
        for (const char *word = text, *comma; word; word = comma ? comma + 1 : NULL) {
                char number[16];
                uint64_t mtu;

                comma = strchr(word, ',');
                snprintf(number, sizeof(number), "%.*s", (int)strcspn(word, ","), word);
                if (!text_parse_number(number, MTU_SMALLEST, MTU_LARGEST, &mtu) ||
                    !report_add_size(report, (uint32_t)mtu))
                        return refuse_sizes(text);
        }
        return report->rates.n_sizes >= 2 ? EXIT_CODE_DONE : refuse_sizes(text);
}

static int parse_options(const char *const *options, struct report *report) {
        uint64_t runs = RUNS_DEFAULT, port = PORT_DEFAULT;

        report->seconds = TIME_DEFAULT_S;
        if (options[OPTION_RUNS] &&
            !text_parse_number(options[OPTION_RUNS], CONCLUSION_RUNS_MIN, CONCLUSION_RUNS_MAX, &runs))
                return refuse_option("runs", options[OPTION_RUNS],
                                     "is not a number from 5 to 200; fewer do not show the noise");
        if (options[OPTION_TIME] &&
            !text_parse_seconds(options[OPTION_TIME], TIME_LARGEST_S, &report->seconds))
                return refuse_option("time", options[OPTION_TIME],
                                     "is not a time from 1 s to 1 day; write 5, 5s or 1min");
        if (options[OPTION_PORT] && !text_parse_number(options[OPTION_PORT], 1, 65535, &port))
                return refuse_option("port", options[OPTION_PORT], "is not a port from 1 to 65535");
        report->runs = (size_t)runs;
        report->port = (unsigned)port;
        return parse_sizes(options[OPTION_MTU] ? options[OPTION_MTU] : MTUS_DEFAULT, report);
}

/* Host and device ------------------------------------------------------------------------------------- */

/* Finds the host and the device. Returns an exit code. */
static int find_host(struct netlink_socket *socket, struct report *report, struct path *path) {
        int exit_code = path_find(socket, report->host, AF_UNSPEC, NULL, path);

        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        if (path->link.ifindex == 0)
                return log_fail(EXIT_CODE_FAILURE, "%s: there is no route to it", path->host);
        if (!capability_has_net_admin())
                return log_fail(EXIT_CODE_FAILURE,
                                "%s: setting an MTU needs the capability CAP_NET_ADMIN; run this as root",
                                path->link.name);
        report->address = path->address;
        report->headers = path->target.ss_family == AF_INET6 ? 60 : 40;
        report->device = path->link.name;
        return EXIT_CODE_DONE;
}

static int bench_run(const struct command_line *line) {
        CLEANUP(snapshot_cleanup) struct snapshot snapshot = { 0 };
        struct report report = { .host = line->words[0], .is_reverse = line->options[OPTION_REVERSE] };
        struct path path;
        bool is_good;
        int exit_code = parse_options(line->options, &report);

        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        if (!prepare_check(snapshot_open(&diagnostic_silent, &snapshot)))
                return EXIT_CODE_FAILURE;
        exit_code = find_host(snapshot.socket, &report, &path);
        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        interrupt_catch();
        if (!bench_measure(&report, &path.link, &snapshot))
                return EXIT_CODE_FAILURE;
        is_good = line->options[OPTION_JSON] ? report_print_json(&report) : report_print_text(&report);
        return is_good ? EXIT_CODE_DONE : EXIT_CODE_FAILURE;
}

const struct command command_bench = {
        .name = "bench",
        .has_page = true,
        .arguments = "HOST",
        .summary = "find by measurement which MTU is best",
        .text = "Measures with iperf3 to HOST, where iperf3 -s must run: each size once per round, in "
                "random order. Names the smallest MTU that is as good as the best, or says that there is "
                "none. HOST must have the largest size already; here, each run sets the device's MTU, which "
                "is always restored.",
        .examples = { "# setmtu bench nas", "# setmtu bench nas --mtu 1500,9000 --runs 20" },
        .options = { [OPTION_MTU] = { "mtu", "LIST", "sizes to compare; by default " MTUS_DEFAULT },
                     [OPTION_RUNS] = { "runs", "N", "number of rounds; by default 10" },
                     [OPTION_TIME] = { "time", "TIME", "duration of each run: 5, 5s, 1min; by default 5s" },
                     [OPTION_REVERSE] = { "reverse", NULL, "measure from HOST to this machine" },
                     [OPTION_PORT] = { "port", "P", "port of iperf3 on HOST; by default 5201" },
                     [OPTION_JSON] = { "json", NULL,
                                       "print a JSON object; its keys are in setmtu-json(5)" } },
        .changes = true,
        .words_min = 1,
        .words_max = 1,
        .run = bench_run,
};
