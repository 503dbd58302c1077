/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* setmtu bench: which MTU is best here, by measurement. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/exit_code.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "base/text.h"
#include "bench/bench_options.h"
#include "bench/iperf3.h"
#include "bench/rounds.h"
#include "command/command.h"
#include "command/path_find.h"
#include "command/path_text.h"
#include "command/set_args.h"
#include "kernel/capability.h"
#include "kernel/ethtool.h"
#include "kernel/route.h"

/* Seeds below this are exact in any JSON parser. */
#define SEED_LIMIT (UINT64_C(1) << 53)
/* More than any probing takes. */
#define PROBE_GUARD_S 120
/* Smaller segments have no room for options (TCP_MIN_MSS). */
#define MSS_SMALLEST 88

enum {
        OPTION_MTU,
        OPTION_RUNS,
        OPTION_TIME,
        OPTION_BIDIR,
        OPTION_REVERSE,
        OPTION_METHOD,
        OPTION_COMMAND,
        OPTION_BYTES,
        OPTION_PORT,
        OPTION_INTERFACE,
        OPTION_JSON,
        OPTION_CSV,
        OPTION_SVG,
        OPTION_APPLY,
        OPTION_YES,
};

struct bench {
        struct rounds rounds;
        struct report report;
        bool is_mtu; /* the device's own MTU is changed */
        struct netlink_socket *socket;
        struct path path;
        struct bench_device device;
        char version[24], driver[ETHTOOL_DRIVER_SIZE], date[sizeof("2026-11-22T12:34:56Z")];
        struct utsname system;
        uint32_t above; /* the largest size left out only for the device's present MTU; 0: none */
        FILE *csv, *svg;
};

static void bench_cleanup(struct bench *bench) {
        bench_device_close(&bench->device);
        netlink_socket_cleanup(&bench->socket);
        free(bench->report.runs);
        if (bench->csv)
                (void)fclose(bench->csv);
        if (bench->svg)
                (void)fclose(bench->svg);
}

/* Options ---------------------------------------------------------------------------------------------- */

static int parse_options(const struct command_line *line, struct bench *bench) {
        const struct bench_options options = {
                .mtus = line->options[OPTION_MTU],
                .runs = line->options[OPTION_RUNS],
                .time = line->options[OPTION_TIME],
                .method = line->options[OPTION_METHOD],
                .command = line->options[OPTION_COMMAND],
                .bytes = line->options[OPTION_BYTES],
                .port = line->options[OPTION_PORT],
                .is_reverse = line->options[OPTION_REVERSE],
                .is_both_ways = line->options[OPTION_BIDIR],
        };
        bool is_applied = line->options[OPTION_APPLY], is_sure = line->options[OPTION_YES];
        char fault[BENCH_OPTIONS_FAULT_SIZE];

        bench->rounds.report = &bench->report;
        bench->report.host = line->words[0];
        if (!bench_options_parse(&options, &bench->rounds, &bench->is_mtu, fault))
                return log_fail(EXIT_CODE_USAGE, "bench: %s", fault);
        if (is_sure && !is_applied)
                return log_fail(EXIT_CODE_USAGE, "bench: --yes needs --apply");
        if (is_applied && !is_sure && !isatty(STDIN_FILENO))
                return log_fail(EXIT_CODE_USAGE, "bench: --apply asks for confirmation, but there is no "
                                                 "terminal; give --yes");
        return EXIT_CODE_DONE;
}

/* Host and device ------------------------------------------------------------------------------------- */

/* Leaves out, with a warning, the sizes that the device or the method cannot take. */
static void choose_sizes(struct bench *bench, const struct link *link) {
        struct report *report = &bench->report;
        unsigned headers = bench->rounds.headers;
        const char *name = TEXT_SHOW(link->name);

        for (size_t i = 0; i < report->n_sizes;) {
                uint32_t mtu = report->mtus[i];

                if (bench->is_mtu && (mtu < link->mtu_min || (link->mtu_max > 0 && mtu > link->mtu_max)))
                        log_warning("%u is left out: %s takes %u to %u", mtu, name, link->mtu_min,
                                    link->mtu_max);
                else if (!bench->is_mtu && mtu > link->mtu && link->mtu_max > 0 && mtu > link->mtu_max)
                        log_warning("%u is left out: %s takes no more than %u", mtu, name, link->mtu_max);
                else if (!bench->is_mtu && mtu > link->mtu) {
                        log_warning("%u is left out: %s has an MTU of %u; --method mtu would raise it", mtu,
                                    name, link->mtu);
                        bench->above = mtu;
                } else if (!bench->is_mtu && mtu > IPERF3_MSS_LARGEST + headers)
                        log_warning("%u is left out: iperf3 takes segments of up to %u bytes; --method mtu "
                                    "has no such limit",
                                    mtu, IPERF3_MSS_LARGEST);
                else if (mtu < MSS_SMALLEST + headers)
                        log_warning("%u is left out: it is too small for TCP, which needs %u", mtu,
                                    MSS_SMALLEST + headers);
                else {
                        i++;
                        continue;
                }
                report_leave_out(report, i);
        }
}

/* If only the device's own MTU is in the way, says what to type on both hosts. */
static void say_how_to_raise(const struct bench *bench, const char *mtus) {
        if (bench->above == 0)
                return;
        log_info("on %s, as root, for the device towards this host: ip link set dev DEVICE mtu %u",
                 bench->path.host, bench->above);
        log_info("then here, as root: setmtu bench %s --method mtu%s%s", bench->path.host,
                 mtus ? " --mtu " : "", mtus ? mtus : "");
        log_info("that changes the MTU of %s for each run, and puts it back", bench->path.interface);
}

/* Opens a report's file before anything is measured, because measuring may take an hour. */
static bool open_report(const char *path, FILE **ret) {
        *ret = path ? fopen(path, "we") : NULL;
        return *ret || !path || log_fail(false, "%s: %s", TEXT_SHOW(path), strerror(errno));
}

static void describe_host(struct bench *bench) {
        int fd = ethtool_open();
        time_t now = time(NULL);
        struct tm utc;

        if (fd >= 0 && ethtool_driver(fd, bench->path.link.name, bench->driver) == 0)
                bench->report.driver = bench->driver;
        cleanup_close(&fd);
        if (uname(&bench->system) == 0) {
                bench->report.here = bench->system.nodename;
                bench->report.kernel = bench->system.release;
        }
        strftime(bench->date, sizeof(bench->date), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
        bench->report.date = bench->date;
}

/* Finds the program, the host and the device. Returns an exit code. */
static int look_around(struct bench *bench, const char *interface) {
        unsigned routed = 0;
        const char *fault;
        int exit_code, r;

        if (!bench->report.command) {
                enum run_end end = iperf3_check(bench->version, bench->rounds.fault);

                if (end != RUN_DONE)
                        return log_fail(EXIT_CODE_FAILURE, "%s",
                                        end == RUN_HOPELESS ? bench->rounds.fault : "interrupted");
                bench->report.iperf3 = bench->version;
                bench->report.seconds = bench->rounds.call.seconds;
        }
        r = netlink_socket_open(&bench->socket);
        if (r < 0)
                return log_fail(EXIT_CODE_FAILURE, "cannot open an rtnetlink socket: %s", strerror(-r));
        exit_code = path_find(bench->socket, bench->report.host, AF_UNSPEC, interface, &bench->path);
        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        if (bench->path.link.ifindex == 0)
                return log_fail(EXIT_CODE_FAILURE, "%s: there is no route to it", bench->path.host);
        if (interface && !bench->report.command &&
            route_get_interface(bench->socket, (const struct sockaddr *)&bench->path.target, 0, &routed) ==
                            0 &&
            routed != bench->path.link.ifindex)
                return log_fail(EXIT_CODE_FAILURE,
                                "%s is not reached by %s, and iperf3 follows the routes; add a route, or "
                                "omit -I",
                                bench->path.host, bench->path.interface);
        fault = interface_name_fault(bench->path.link.name, strlen(bench->path.link.name));
        if (bench->is_mtu && fault)
                return log_fail(EXIT_CODE_FAILURE, "%s %s", bench->path.interface, fault);
        if (bench->is_mtu && !capability_has_net_admin())
                return log_fail(EXIT_CODE_FAILURE,
                                "%s: setting an MTU needs the capability CAP_NET_ADMIN; run this as root%s",
                                bench->path.interface,
                                bench->report.command ? "" : ", or with --method mss");
        bench->report.address = bench->path.address;
        bench->rounds.headers = bench->path.target.ss_family == AF_INET6 ? 60 : 40;
        bench->report.device = bench->path.link.name;
        describe_host(bench);
        return EXIT_CODE_DONE;
}

/* Leaves out the sizes that the path does not carry: measuring them would hang. If no probe is answered, the
 * measurements show it. False if interrupted, or if the MTU for the probe was not set, which is logged. */
static bool ask_path(struct bench *bench) {
        struct report *report = &bench->report;
        uint32_t largest = report->mtus[report->n_sizes - 1];
        const struct path_settings settings = {
                .size = largest,
                .local_mtu = bench->rounds.device ? largest : bench->path.link.mtu,
        };
        struct path_result result;
        const struct verdict *verdict = &result.verdict;

        /* No packet is larger than the device's own MTU. */
        if (bench->rounds.device && !bench_device_set(bench->rounds.device, largest, PROBE_GUARD_S))
                return false;
        if (path_probe_one(&bench->path, &settings, &result) != EXIT_CODE_DONE)
                return true;
        if (verdict->kind == VERDICT_OK || verdict->kind == VERDICT_UNREACHABLE ||
            verdict->kind == VERDICT_INCONCLUSIVE || verdict->size == 0)
                return !interrupt_seen();
        if (largest > verdict->size)
                path_log(LOG_PRIORITY_WARNING, &bench->path, &result);
        for (; report->n_sizes > 0 && report->mtus[report->n_sizes - 1] > verdict->size; report->n_sizes--)
                log_warning("%u is left out: setmtu probe says that the path carries no more than %u",
                            report->mtus[report->n_sizes - 1], verdict->size);
        return !interrupt_seen();
}

/* Results --------------------------------------------------------------------------------------------- */

/* False if it could not be written, which is logged. */
static bool write_report(const struct report *report, const char *path, FILE **stream,
                         void (*write)(const struct report *report, FILE *stream)) {
        bool is_good;

        if (!*stream)
                return true;
        write(report, *stream);
        is_good = !ferror(*stream);
        is_good = fclose(*stream) == 0 && is_good;
        *stream = NULL;
        return is_good || log_fail(false, "%s: %s", TEXT_SHOW(path), strerror(errno));
}

static bool ask_to_apply(const char *name, uint32_t mtu) {
        char answer[16];

        (void)fflush(stdout);
        fprintf(stderr, "Give %s an MTU of %u, now and from now on? [y/N] ", TEXT_SHOW(name), mtu);
        if (!fgets(answer, sizeof(answer), stdin))
                return false;
        return answer[0] == 'y' || answer[0] == 'Y';
}

static int apply_best(const struct report *report, bool is_asked) {
        struct set_args args = { .word = report->device };

        if (report->conclusion.kind != CONCLUSION_BEST) {
                log_info("nothing is applied: no MTU was found to be best");
                return EXIT_CODE_DONE;
        }
        args.line.spec.mtu = report->mtus[report->conclusion.winner];
        if (is_asked && !ask_to_apply(report->device, args.line.spec.mtu))
                return EXIT_CODE_DONE;
        return set_execute(&args);
}

static int print_report(struct bench *bench, const struct command_line *line) {
        struct report *report = &bench->report;
        bool is_good;

        report_summarise(report);
        is_good = line->options[OPTION_JSON] ? report_print_json(report) : report_print_text(report);
        is_good &= write_report(report, line->options[OPTION_CSV], &bench->csv, report_write_csv);
        is_good &= write_report(report, line->options[OPTION_SVG], &bench->svg, report_write_svg);
        return is_good ? EXIT_CODE_DONE : EXIT_CODE_FAILURE;
}

static bool bench_prepare(struct bench *bench, const struct command_line *line) {
        if (!open_report(line->options[OPTION_CSV], &bench->csv) ||
            !open_report(line->options[OPTION_SVG], &bench->svg))
                return false;
        if (getrandom(&bench->rounds.random.state, sizeof(bench->rounds.random.state), GRND_NONBLOCK) < 0)
                bench->rounds.random.state = (uint64_t)time(NULL);
        bench->rounds.random.state %= SEED_LIMIT;
        bench->report.seed = bench->rounds.random.state;
        if (!bench->is_mtu)
                return true;
        if (!bench_device_open(&bench->path.link, &bench->device))
                return false;
        bench->rounds.device = &bench->device;
        return true;
}

static int bench_run(const struct command_line *line) {
        CLEANUP(bench_cleanup) struct bench bench = { .device = { .pipe = { -1, -1 } } };
        int exit_code = parse_options(line, &bench);
        bool is_good, is_back;

        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        interrupt_catch();
        exit_code = look_around(&bench, line->options[OPTION_INTERFACE]);
        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        choose_sizes(&bench, &bench.path.link);
        if (!rounds_has_sizes(&bench.rounds)) {
                say_how_to_raise(&bench, line->options[OPTION_MTU]);
                return EXIT_CODE_FAILURE;
        }
        if (!bench_prepare(&bench, line))
                return EXIT_CODE_FAILURE;

        is_good = ask_path(&bench) && rounds_has_sizes(&bench.rounds) && rounds_measure(&bench.rounds);
        is_back = bench.is_mtu && bench_device_put_back(&bench.device);
        is_good &= is_back || !bench.is_mtu;
        if (interrupt_seen())
                log_error("interrupted%s", is_back ? "; the MTU is as it was" : "");
        bench_device_close(&bench.device);
        if (!is_good || interrupt_seen())
                return EXIT_CODE_FAILURE;
        exit_code = print_report(&bench, line);
        if (exit_code == EXIT_CODE_DONE && line->options[OPTION_APPLY])
                exit_code = apply_best(&bench.report, !line->options[OPTION_YES]);
        return exit_code;
}

const struct command command_bench = {
        .name = "bench",
        .has_page = true,
        .arguments = "HOST",
        .summary = "find by measurement which MTU is best",
        .text = "Measures each size repeatedly, in random order, with iperf3 to HOST, where iperf3 -s "
                "runs, and names the smallest MTU that is as good as the best, or says that there is "
                "none. The device is not changed or, with --method mtu, gets its MTU back in any case.",
        .examples = { "$ setmtu bench nas", "# setmtu bench nas --mtu 1500,9000 --method mtu --apply" },
        .options = { [OPTION_MTU] = { "mtu", "LIST", "sizes to compare; by default " BENCH_MTUS_DEFAULT },
                     [OPTION_RUNS] = { "runs", "N",
                                       "rounds, 3 to 200; by default 5 to 20, until it is clear" },
                     [OPTION_TIME] = { "time", "TIME", "duration of each run: 5, 5s, 1min; by default 5s" },
                     [OPTION_BIDIR] = { "bidir", NULL, "measure both ways at once" },
                     [OPTION_REVERSE] = { "reverse", NULL, "measure from HOST to here" },
                     [OPTION_METHOD] = { "method", "mss|mtu",
                                         "limit TCP segments, or change the device's MTU" },
                     [OPTION_COMMAND] = { "command", "CMD", "time this shell command instead of iperf3" },
                     [OPTION_BYTES] = { "bytes", "N",
                                        "bytes that the command moves, to count bytes per second" },
                     [OPTION_PORT] = { "port", "P", "port of iperf3 on HOST; by default 5201" },
                     [OPTION_INTERFACE] = { "interface", "IFACE",
                                            "the device; by default the one towards HOST", 'I' },
                     [OPTION_JSON] = { "json", NULL, "print a JSON object; its keys are in setmtu-json(5)" },
                     [OPTION_CSV] = { "csv", "FILE", "also write a line for each run" },
                     [OPTION_SVG] = { "svg", "FILE", "also write a picture" },
                     [OPTION_APPLY] = { "apply", NULL,
                                        "ask whether to set the best one as setmtu set does" },
                     [OPTION_YES] = { "yes", NULL, "with --apply: do not ask" } },
        .changes = true,
        .words_min = 1,
        .words_max = 1,
        .run = bench_run,
};
