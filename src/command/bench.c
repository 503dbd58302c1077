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
#include "command/path_text.h"
#include "kernel/capability.h"
#include "kernel/route.h"

#define MTUS_DEFAULT "1500,4000,9000"
#define RUNS_DEFAULT 10
#define TIME_DEFAULT_S 5
#define TIME_LARGEST_S 86400
#define PORT_DEFAULT 5201
/* More than any probing takes. */
#define PROBE_GUARD_S 120

enum {
        OPTION_MTU,
        OPTION_RUNS,
        OPTION_TIME,
        OPTION_REVERSE,
        OPTION_PORT,
        OPTION_INTERFACE,
        OPTION_JSON,
};

struct bench {
        struct rounds rounds;
        struct report report;
        struct netlink_socket *socket;
        struct path path;
};

static void bench_cleanup(struct bench *bench) {
        rounds_close(&bench->rounds);
        netlink_socket_cleanup(&bench->socket);
}

/* Options ---------------------------------------------------------------------------------------------- */

/* Logs what is wrong with the value of an option. */
static int refuse_option(const char *option, const char *value, const char *what) {
        return log_fail(EXIT_CODE_USAGE, "bench: --%s: \"%.64s\" %s", option, value, what);
}

static int parse_sizes(const char *text, struct report *report) {
        char fault[MTU_SPEC_FAULT_SIZE];

        for (const char *rest = text;; rest += strcspn(rest, ",") + 1) {
                size_t size = strcspn(rest, ",");
                struct mtu_spec spec;
                char word[64];

                snprintf(word, sizeof(word), "%.*s", (int)size, rest);
                if (size > 0 && !mtu_spec_parse(word, &spec, fault))
                        return log_fail(EXIT_CODE_USAGE, "bench: --mtu: %s", fault);
                if (size == 0 || strspn(rest, "0123456789") != size)
                        return refuse_option("mtu", text,
                                             "is not a list of numbers of bytes with commas in between");
                if (!report_add_size(report, spec.mtu))
                        return refuse_option("mtu", text, "has more than 12 sizes");
                if (!rest[size])
                        break;
        }
        return report->rates.n_sizes >= 2
                               ? EXIT_CODE_DONE
                               : refuse_option("mtu", text, "is a single size; give at least two");
}

static int parse_numbers(const char *const *options, struct report *report) {
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
        return EXIT_CODE_DONE;
}

static int parse_options(const struct command_line *line, struct report *report) {
        const char *const *options = line->options;
        int exit_code;

        *report = (struct report){ .host = line->words[0], .is_reverse = options[OPTION_REVERSE] };
        exit_code = parse_numbers(options, report);
        return exit_code == EXIT_CODE_DONE
                               ? parse_sizes(options[OPTION_MTU] ? options[OPTION_MTU] : MTUS_DEFAULT,
                                             report)
                               : exit_code;
}

/* Host and device ------------------------------------------------------------------------------------- */

/* Leaves out, with a warning, the sizes that the device does not take. */
static void choose_sizes(struct report *report, const struct link *link) {
        for (size_t i = 0; i < report->rates.n_sizes;) {
                uint32_t mtu = report->mtus[i];

                if (mtu >= link->mtu_min && (link->mtu_max == 0 || mtu <= link->mtu_max)) {
                        i++;
                        continue;
                }
                log_warning("%u is left out: %s takes %u to %u", mtu, link->name, link->mtu_min,
                            link->mtu_max);
                report_leave_out(report, i);
        }
}

/* Finds the host and the device. Returns an exit code. */
static int find_host(struct bench *bench, const char *interface) {
        struct report *report = &bench->report;
        const struct path *path = &bench->path;
        const char *fault;
        unsigned routed = 0;
        int r = netlink_socket_open(NETLINK_ROUTE, &bench->socket), exit_code;

        if (r < 0)
                return log_fail(EXIT_CODE_FAILURE, "cannot open an rtnetlink socket: %s", strerror(-r));
        exit_code = path_find(bench->socket, report->host, AF_UNSPEC, interface, &bench->path);
        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        if (path->link.ifindex == 0)
                return log_fail(EXIT_CODE_FAILURE, "%s: there is no route to it", path->host);
        if (interface &&
            route_get_interface(bench->socket, (const struct sockaddr *)&path->target, 0, &routed) == 0 &&
            routed != path->link.ifindex)
                return log_fail(EXIT_CODE_FAILURE,
                                "%s is not reached by %s, and iperf3 follows the routes; add a route, or "
                                "omit -I",
                                path->host, path->link.name);
        fault = interface_name_fault(path->link.name);
        if (fault)
                return log_fail(EXIT_CODE_FAILURE, "%s %s", path->link.name, fault);
        if (!capability_has_net_admin())
                return log_fail(EXIT_CODE_FAILURE,
                                "%s: setting an MTU needs the capability CAP_NET_ADMIN; run this as root",
                                path->link.name);
        report->address = path->address;
        report->headers = path->target.ss_family == AF_INET6 ? 60 : 40;
        report->device = path->link.name;
        bench->rounds.link = &path->link;
        return EXIT_CODE_DONE;
}

/* Leaves out the sizes that the path does not carry: measuring them would hang. If no probe is answered, the
 * measurements show it. False if interrupted, or if the MTU for the probe was not set, which is logged. */
static bool probe_path(struct bench *bench) {
        struct report *report = &bench->report;
        uint32_t largest = report->mtus[report->rates.n_sizes - 1];
        const struct path_settings settings = {
                .socket = bench->socket,
                .size = largest,
                .local_mtu = largest,
        };
        struct path_result result;
        const struct verdict *verdict = &result.verdict;

        /* No packet is larger than the device's own MTU. */
        if (!rounds_set_mtu(&bench->rounds, largest, PROBE_GUARD_S))
                return false;
        if (path_probe_one(&bench->path, &settings, &result) != EXIT_CODE_DONE)
                return true;
        if (verdict->kind == VERDICT_OK || verdict->kind == VERDICT_UNREACHABLE ||
            verdict->kind == VERDICT_INCONCLUSIVE || verdict->size == 0)
                return !interrupt_seen();
        if (largest > verdict->size)
                path_log(LOG_PRIORITY_WARNING, &bench->path, &result);
        for (; report->rates.n_sizes > 0 && report->mtus[report->rates.n_sizes - 1] > verdict->size;
             report->rates.n_sizes--)
                log_warning("%u is left out: setmtu probe says that the path carries no more than %u",
                            report->mtus[report->rates.n_sizes - 1], verdict->size);
        return !interrupt_seen();
}

static int bench_run(const struct command_line *line) {
        CLEANUP(bench_cleanup) struct bench bench = { .rounds.pipe = { -1, -1 } };
        struct report *report = &bench.report;
        bool is_good, is_restored;
        int exit_code = parse_options(line, report);

        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        bench.rounds.report = report;
        interrupt_catch();
        exit_code = find_host(&bench, line->options[OPTION_INTERFACE]);
        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        choose_sizes(report, &bench.path.link);
        if (!rounds_has_sizes(&bench.rounds) || !rounds_open_device(&bench.rounds))
                return EXIT_CODE_FAILURE;

        is_good = probe_path(&bench) && rounds_has_sizes(&bench.rounds) && rounds_measure(&bench.rounds);
        is_restored = rounds_restore_mtu(&bench.rounds);
        if (interrupt_seen())
                log_error("interrupted%s", is_restored ? "; the MTU is restored" : "");
        rounds_close(&bench.rounds);
        if (!is_good || !is_restored || interrupt_seen())
                return EXIT_CODE_FAILURE;
        is_good = line->options[OPTION_JSON] ? report_print_json(report) : report_print_text(report);
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
                     [OPTION_INTERFACE] = { "interface", "IFACE",
                                            "the device; by default the one towards HOST", 'I' },
                     [OPTION_JSON] = { "json", NULL,
                                       "print a JSON object; its keys are in setmtu-json(5)" } },
        .changes = true,
        .words_min = 1,
        .words_max = 1,
        .run = bench_run,
};
