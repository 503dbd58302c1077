/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* setmtu probe: finds how large a packet the path to a host carries, or the paths to many. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/exit_code.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "base/pool.h"
#include "base/terminal.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "command/command.h"
#include "command/path_find.h"
#include "command/path_text.h"
#include "command/prepare.h"
#include "command/switch_port.h"
#include "command/traffic_look.h"
#include "kernel/netlink.h"
#include "output/json.h"
#include "output/openmetrics.h"
#include "output/progress.h"
#include "output/table.h"

#define TIMEOUT_LARGEST_S 600

#define RATE_DEFAULT 2000
#define RATE_LARGEST 1000000

enum {
        OPTION_FROM,
        OPTION_SIZE,
        OPTION_IPV4,
        OPTION_IPV6,
        OPTION_INTERFACE,
        OPTION_JSON,
        OPTION_TIMEOUT,
        OPTION_RATE,
        OPTION_FLOWS,
        OPTION_FORMAT,
        OPTION_TRAFFIC
};

/* What is known of a size in one direction. */
static const struct mark {
        const char *word;
        enum table_colour colour;
} unknown = { "?", TABLE_YELLOW }, yes = { "yes", TABLE_GREEN }, no = { "no", TABLE_RED },
  never = { "-", TABLE_FAINT };

static const struct mark *mark_there(const struct verdict *verdict, uint32_t size) {
        if (size <= verdict->forward)
                return &yes;
        if (verdict->kind == VERDICT_INCONCLUSIVE || verdict->kind == VERDICT_UNREACHABLE ||
            verdict->kind == VERDICT_RETURN_PATH || verdict->high == 0 || size < verdict->high ||
            (verdict->kind == VERDICT_BLACK_HOLE && !verdict->has_direction))
                return &unknown;
        return &no;
}

static const struct mark *mark_back(const struct verdict *verdict, uint32_t size) {
        if (verdict->is_one_way)
                return &unknown;
        if (size <= verdict->back)
                return &yes;
        if (verdict->kind == VERDICT_RETURN_PATH && verdict->high > 0 && size >= verdict->high)
                return &no;
        return mark_there(verdict, size) == &no ? &never : &unknown;
}

static void add_mark(struct table *table, const struct mark *mark) {
        table_add(table, mark->colour, "%s", mark->word);
}

/* The next one below `size` of the sizes that tell: the one asked about, the limit from both sides, what
 * is known to arrive, the reported one and the base size; 0: none is left. */
static uint32_t next_size(const struct path *path, const struct verdict *verdict, uint32_t size) {
        uint32_t base = path->target.ss_family == AF_INET6 ? PROBE_SIZE_BASE_V6 : PROBE_SIZE_BASE_V4;
        const uint32_t sizes[] = { verdict->tried,    verdict->high, verdict->forward,
                                   verdict->reported, verdict->size, base };
        uint32_t next = 0;

        for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
                if (sizes[i] < size && sizes[i] > next && (sizes[i] != base || base < verdict->tried))
                        next = sizes[i];
        return next;
}

static bool print_table(const struct path *path, const struct verdict *verdict) {
        struct table table = { .n_columns = 3, .is_number = { [0] = true } };
        uint32_t size = PROBE_SIZE_LARGEST + 1;

        table_add(&table, TABLE_PLAIN, "SIZE");
        table_add(&table, TABLE_PLAIN, "THERE");
        table_add(&table, TABLE_PLAIN, "BACK");
        while ((size = next_size(path, verdict, size)) > 0) {
                table_add(&table, TABLE_PLAIN, "%u", size);
                add_mark(&table, mark_there(verdict, size));
                add_mark(&table, mark_back(verdict, size));
        }
        return table_print(&table);
}

/* False if out of memory. */
static bool print_text(const struct path *path, const struct path_result *result) {
        CLEANUP(pool_free) struct pool pool = { 0 };
        const char *text = path_text(&pool, path, result);
        const struct verdict *verdict = &result->verdict;
        bool is_done = true;
        const char *address = strcmp(path->host, path->address) == 0
                                              ? ""
                                              : pool_print(&pool, " (%s)", path->address);
        const char *from = path->link.ifindex == 0 ? ""
                                                   : pool_print(&pool, " from %s, MTU %u", path->link.name,
                                                                path->link.mtu);

        paragraph_print(0, 2, "%s%s%s: %u packet%s, %.2f s", path->host, address, from, result->n_packets,
                        result->n_packets == 1 ? "" : "s", result->seconds);
        if (verdict->kind != VERDICT_UNREACHABLE || verdict->size > 0)
                is_done = print_table(path, verdict);
        if (pool.failed)
                return log_fail(false, LOG_OUT_OF_MEMORY);
        paragraph_print_within(text, 0, 0, terminal_columns(STDOUT_FILENO));
        return is_done;
}

static json_t *flows_json(const struct flows *flows) {
        json_t *array = json_array();
        uint32_t size = UINT32_MAX;
        unsigned n;

        while ((n = flows_next(flows, &size)) > 0)
                array = json_append(array, json_pack("{so si}", "size", json_count(size), "count", (int)n));
        return array;
}

/* The switch beside this machine, if the limit may be there. */
static json_t *switch_json(json_t *switches, const char *device, const struct verdict *verdict) {
        if (verdict->after_hop != 0 && verdict->kind != VERDICT_RETURN_PATH)
                return json_null();
        if (!json_object_get(switches, device))
                (void)json_object_set_new_nocheck(switches, device, switch_port_find(device));
        return json_incref(json_object_get(switches, device));
}

static json_t *result_json(json_t *switches, const struct path *path, const struct path_result *result) {
        static const char *const causes[] = { NULL, "host", "link" };
        const struct verdict *verdict = &result->verdict;
        const char *by = verdict->by.size > 0 ? NET_ADDRESS_TEXT(&verdict->by) : NULL;
        const char *interface = path->link.ifindex > 0 ? path->link.name : NULL;

        return JSON_OBJECT({
                        { "host", json_text(path->host) },
                        { "address", json_text(path->address) },
                        { "interface", json_text(interface) },
                        { "verdict", json_text(verdict_word(verdict->kind)) },
                        { "asked", json_count(verdict->tried) },
                        { "size", json_count(verdict->size) },
                        { "by", json_text(by) },
                        { "cause", json_text(causes[verdict->cause]) },
                        { "after_hop",
                          verdict->after_hop < 0 ? json_null() : json_integer(verdict->after_hop) },
                        { "switch", switch_json(switches, path->link.name, verdict) },
                        { "forward", json_count(verdict->forward) },
                        { "return", json_count(verdict->is_one_way ? 0 : verdict->back) },
                        { "flows", flows_json(&result->flows) },
                        { "packets", json_integer(result->n_packets) },
                        { "seconds", json_real(result->seconds) },
        });
}

static void print_metrics(const struct path *paths, const struct path_result *results, size_t n) {
        static const char size[] = "setmtu_path_size_bytes", asked[] = "setmtu_path_asked_bytes",
                          word[] = "setmtu_path_verdict";

        openmetrics_begin(size, "Largest packet that the path to a host carries, 0 where none is known.");
        for (size_t i = 0; i < n; i++)
                openmetrics_add(size, results[i].verdict.size, "host", paths[i].host, NULL);
        openmetrics_begin(asked, "Size of packet that the path was probed for.");
        for (size_t i = 0; i < n; i++)
                openmetrics_add(asked, results[i].verdict.tried, "host", paths[i].host, NULL);
        openmetrics_begin(word, "1 for the verdict on the path to a host, as setmtu probe has it.");
        for (size_t i = 0; i < n; i++)
                for (enum verdict_kind kind = 0; kind < VERDICT_COUNT; kind++)
                        openmetrics_add(word, kind == results[i].verdict.kind, "host", paths[i].host,
                                        "verdict", verdict_word(kind), NULL);
        openmetrics_end();
}

/* The number that an option has; 0: the option is not given. False with a message. */
static bool read_number(const struct command_line *line, int option, const char *unit, unsigned most,
                        unsigned *ret) {
        const char *text = line->options[option];
        uint64_t number = 0;

        if (text && !text_parse_number(text, 1, most, &number))
                return log_fail(false, "probe: --%s: \"%.64s\" is not a number of %s from 1 to %u",
                                line->command->options[option].name, text, unit, most);
        *ret = (unsigned)number;
        return true;
}

static int read_options(const struct command_line *line, struct path_settings *ret) {
        const char *format = line->options[OPTION_FORMAT], *timeout = line->options[OPTION_TIMEOUT];

        if (!read_number(line, OPTION_SIZE, "bytes", PROBE_SIZE_LARGEST, &ret->size) ||
            !read_number(line, OPTION_RATE, "packets per second", RATE_LARGEST, &ret->rate) ||
            !read_number(line, OPTION_FLOWS, "flows", FLOWS_MAX, &ret->flows))
                return EXIT_CODE_USAGE;
        if (timeout && !text_parse_seconds(timeout, TIMEOUT_LARGEST_S, &ret->timeout))
                return log_fail(EXIT_CODE_USAGE,
                                "probe: --timeout: \"%.64s\" is not a time from 1 s to 10 min; write 10, "
                                "10s or 1min",
                                timeout);
        if (!prepare_format("probe", format, line->options[OPTION_JSON]))
                return EXIT_CODE_USAGE;
        if (line->options[OPTION_TRAFFIC] && ret->flows > 1)
                return log_fail(EXIT_CODE_USAGE,
                                "probe: --traffic and --flows exclude each other: a connection proves one "
                                "of several links");
        if (line->options[OPTION_IPV4] && line->options[OPTION_IPV6])
                return log_fail(EXIT_CODE_USAGE, "probe: -4 and -6 exclude each other");
        if (line->n_words == 0 && !line->options[OPTION_FROM])
                return log_fail(EXIT_CODE_USAGE, "probe: HOST is missing; give one, or --from; "
                                                 "setmtu probe --help shows how");
        return EXIT_CODE_DONE;
}

static int family_of(const struct command_line *line) {
        return line->options[OPTION_IPV4] ? AF_INET : line->options[OPTION_IPV6] ? AF_INET6 : AF_UNSPEC;
}

/* Adds the hosts of the file, one per line; "-" is standard input. Empty lines and what follows a # do not
 * count. False with a message. */
static bool add_file(struct pool *pool, struct pool_list *hosts, const char *file) {
        CLEANUP(cleanup_free) char *text = NULL;
        size_t size;
        int r = whole_file_read_named(file, &text, &size);
        char *rest = text, *line, *word, *further;

        file = strcmp(file, "-") == 0 ? "standard input" : file;
        if (r < 0)
                return log_fail(false, "%s: %s", file, whole_file_fault(r));
        if (memchr(text, '\0', size))
                return log_fail(false,
                                "%s: has a NUL byte: it may be in UTF-16; write one host per line, in UTF-8",
                                file);
        for (unsigned number = 1; (line = strsep(&rest, "\n")); number++) {
                line[strcspn(line, "#")] = '\0';
                word = strtok_r(line, " \t\r", &further);
                if (!word)
                        continue;
                if (strtok_r(NULL, " \t\r", &further))
                        return log_fail(false, "%s:%u: there is more than one host; write one per line",
                                        file, number);
                pool_list_add(pool, hosts, word);
        }
        if (hosts->n_items == 0 && !pool->failed)
                return log_fail(false, "%s: it names no host", file);
        return true;
}

/* The hosts, of which one is shown with all that is known of it, and several with a line each as soon as its
 * verdict is known. */
struct probe_list {
        const struct command_line *line;
        const struct path *paths;
        size_t n_hosts, n_paths, n_done; /* to be probed; found; probed */
        int width;                       /* of the hosts */
        unsigned n_packets, n_verdicts[VERDICT_COUNT];
        bool is_one, is_text, has_failed;
        json_t *switches; /* by device, once they are asked for */
        struct progress progress;
        int exit_code;
};

/* That of all that are not ok, or EXIT_CODE_SEVERAL if they differ. */
static void note_exit_code(struct probe_list *list, int exit_code) {
        if (exit_code != EXIT_CODE_DONE)
                list->exit_code = list->exit_code == EXIT_CODE_DONE || list->exit_code == exit_code
                                                  ? exit_code
                                                  : EXIT_CODE_SEVERAL;
}

/* What there is to say beside the verdict's word and the size; empty: nothing. */
static const char *detail_of(struct pool *pool, const struct path *path, const struct path_result *result) {
        const struct verdict *verdict = &result->verdict;
        const struct egress *egress = &result->egress;
        const char *by = NET_ADDRESS_TEXT(&verdict->by);

        if (verdict->kind == VERDICT_TOO_BIG || verdict->kind == VERDICT_FALSE_TOO_BIG)
                return pool_print(pool, "%s says %u", by, verdict->reported);
        if (verdict->kind == VERDICT_RETURN_PATH)
                return pool_print(pool, "%u there", verdict->forward);
        if (verdict->kind == VERDICT_LOCAL_LIMIT)
                return pool_print(pool, "the MTU of %s",
                                  egress_is_narrow(egress, verdict->tried) ? egress->name
                                  : egress_is_cut(egress, verdict->tried)  ? "the route"
                                                                           : path->link.name);
        if (verdict->kind == VERDICT_UNREACHABLE)
                return path->link.ifindex == 0  ? "no route"
                       : result->send_error > 0 ? pool_copy(pool, strerror(result->send_error))
                       : verdict->by.size > 0   ? pool_print(pool, "%s says so", by)
                                                : "no answer";
        if (verdict->kind == VERDICT_OK && result->n_packets == 0)
                return "TCP connections have proven it";
        if (verdict->cause == VERDICT_CAUSE_HOST)
                return "the host, or its route to here";
        if (verdict->after_hop > 0)
                return pool_print(pool, "after hop %d, %s", verdict->after_hop,
                                  NET_ADDRESS_TEXT(&verdict->hop));
        return verdict->after_hop == 0 ? "in the local segment" : "";
}

/* False if out of memory. */
static bool print_row(const struct probe_list *list, const struct path *path,
                      const struct path_result *result) {
        CLEANUP(pool_free) struct pool pool = { 0 };
        const struct verdict *verdict = &result->verdict;
        const char *detail = detail_of(&pool, path, result), *mark = *detail ? "; " : "";
        const char *size = verdict->size > 0 ? pool_print(&pool, "%u", verdict->size) : "-";

        if (result->flows.n > 1)
                detail = pool_print(&pool, "%s%sflows: %s", detail, mark, flows_list(&pool, &result->flows));
        if (pool.failed)
                return log_fail(false, LOG_OUT_OF_MEMORY);
        paragraph_print(0, 2, "%-*s  %-13s  %5s  %s", list->width, path->host, verdict_word(verdict->kind),
                        size, *detail ? detail : "-");
        return true;
}

static void report_one(void *userdata, const struct path *path, const struct path_result *result) {
        struct probe_list *list = userdata;

        list->n_done++;
        if (result->error < 0) {
                path_log_no_socket(path, result);
                note_exit_code(list, EXIT_CODE_FAILURE);
                return;
        }
        list->n_packets += result->n_packets;
        list->n_verdicts[result->verdict.kind]++;
        note_exit_code(list, verdict_exit_code(result->verdict.kind));
        progress_clear(&list->progress);
        if (list->is_text && list->is_one)
                list->has_failed |= !print_text(path, result);
        else if (list->is_text)
                list->has_failed |= !print_row(list, path, result);
        else if (list->line->options[OPTION_JSON])
                list->has_failed |= !(list->is_one ? json_print : json_print_line)(
                                result_json(list->switches, path, result));
        (void)fflush(stdout);
        if (!list->is_one)
                progress_print(&list->progress, "%zu of %zu hosts, %zu not ok", list->n_done, list->n_hosts,
                               list->n_done - list->n_verdicts[VERDICT_OK]);
}

static void print_sum(const struct probe_list *list, double seconds) {
        const char *mark = ": ";

        progress_clear(&list->progress);
        printf("%zu host%s", list->n_done, list->n_done == 1 ? "" : "s");
        for (enum verdict_kind kind = 0; kind < VERDICT_COUNT; kind++)
                if (list->n_verdicts[kind] > 0) {
                        printf("%s%u %s", mark, list->n_verdicts[kind], verdict_word(kind));
                        mark = ", ";
                }
        printf("; %u packets, %.2f s\n", list->n_packets, seconds);
}

static int probe_all(struct probe_list *list, struct path_settings *settings) {
        CLEANUP(cleanup_free) struct path_result *results = calloc(list->n_paths + 1, sizeof(*results));
        bool has_lines = list->is_text && !list->is_one;
        double begin = clock_monotonic_s();

        if (!results)
                return log_fail(EXIT_CODE_FAILURE, LOG_OUT_OF_MEMORY);
        settings->report = report_one;
        settings->userdata = list;
        if (list->is_one)
                progress_print(&list->progress, "%s: probing", list->paths->host);
        else if (settings->rate == 0)
                settings->rate = RATE_DEFAULT;
        if (has_lines)
                printf("%-*s  %-13s  %5s  %s\n", list->width, "HOST", "VERDICT", "SIZE", "WHY");
        path_probe(list->paths, list->n_paths, settings, results);
        if (list->is_one && results->error < 0)
                return list->exit_code;
        if (has_lines)
                print_sum(list, clock_monotonic_s() - begin);
        if (list->line->options[OPTION_FORMAT])
                print_metrics(list->paths, results, list->n_paths);
        if (list->n_done < list->n_hosts) {
                log_error("interrupted: %zu of %zu hosts were not probed", list->n_hosts - list->n_done,
                          list->n_hosts);
                note_exit_code(list, EXIT_CODE_INCONCLUSIVE);
        }
        return list->has_failed ? EXIT_CODE_FAILURE : list->exit_code;
}

static int probe_hosts(const struct command_line *line, struct netlink_socket *socket,
                       const struct pool_list *hosts, struct path_settings *settings, bool is_one) {
        CLEANUP(cleanup_free) struct path *paths = calloc(hosts->n_items + 1, sizeof(*paths));
        json_auto_t *switches = json_object();
        struct probe_list list = {
                .line = line,
                .paths = paths,
                .n_hosts = hosts->n_items,
                .width = sizeof("HOST") - 1,
                .switches = switches,
                .is_one = is_one,
                .is_text = !line->options[OPTION_JSON] && !line->options[OPTION_FORMAT],
        };

        if (list.is_text)
                progress_open(&list.progress);
        if (!paths)
                return log_fail(EXIT_CODE_FAILURE, LOG_OUT_OF_MEMORY);
        for (size_t i = 0; i < hosts->n_items && !interrupt_seen(); i++) {
                struct path *path = &paths[list.n_paths];
                int exit_code = path_find(socket, hosts->items[i], family_of(line),
                                          line->options[OPTION_INTERFACE], path);
                uint32_t size = settings->size > 0 ? settings->size : path->link.mtu;

                if (exit_code == EXIT_CODE_DONE && path->link.ifindex > 0 && size < path_size_least(path))
                        exit_code = log_fail(EXIT_CODE_USAGE,
                                             "%s: %u is less than the %u bytes that every link carries",
                                             path->host, size, path_size_least(path));
                note_exit_code(&list, exit_code);
                if (exit_code != EXIT_CODE_DONE) {
                        list.n_hosts--;
                        continue;
                }
                if ((int)strlen(path->host) > list.width)
                        list.width = (int)strlen(path->host);
                list.n_paths++;
        }
        if (is_one && list.n_paths == 0)
                return list.exit_code;
        /* A signal ends the probing; the results so far are printed. */
        interrupt_catch();
        if (line->options[OPTION_TRAFFIC]) {
                progress_print(&list.progress, "looking at TCP connections");
                note_exit_code(&list, traffic_find_proven(socket, paths, list.n_paths, settings->size));
        }
        return probe_all(&list, settings);
}

static int probe_run(const struct command_line *line) {
        CLEANUP(netlink_socket_cleanup) struct netlink_socket *socket = NULL;
        CLEANUP(pool_free) struct pool pool = { 0 };
        struct pool_list hosts = { 0 };
        struct path_settings settings = { 0 };
        bool is_one = line->n_words == 1 && !line->options[OPTION_FROM];
        int exit_code = read_options(line, &settings), r;

        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        r = netlink_socket_open(NETLINK_ROUTE, &socket);
        if (r < 0)
                return log_fail(EXIT_CODE_FAILURE, "cannot open an rtnetlink socket: %s", strerror(-r));
        settings.socket = socket;
        /* Finding many hosts may take a while, and what is found by then is probed. */
        if (!is_one)
                interrupt_catch();
        for (int i = 0; i < line->n_words; i++)
                pool_list_add(&pool, &hosts, line->words[i]);
        if (line->options[OPTION_FROM] && !add_file(&pool, &hosts, line->options[OPTION_FROM]))
                return EXIT_CODE_FAILURE;
        if (pool.failed)
                return log_fail(EXIT_CODE_FAILURE, LOG_OUT_OF_MEMORY);
        return probe_hosts(line, socket, &hosts, &settings, is_one);
}

const struct command command_probe = {
        .name = "probe",
        .has_page = true,
        .arguments = "[HOST...]",
        .summary = "find how large a packet a path carries",
        .text = "Sends packets to HOST, a name or an address, and finds the largest size that passes in "
                "both "
                "directions, and what limits it: a router that reports it, rightly or wrongly; a switch, a "
                "router or the host that drops larger packets silently; the return path; this machine. "
                "Sizes are those of whole IP packets, like an MTU. Several hosts are probed at the same "
                "time. Usually needs no root. Exit status: 0 ok; 10 too big; 11 black hole; 12 false too "
                "big; 13 return path; 14 local limit; 15 unreachable; 16 inconclusive; 17 different "
                "verdicts.",
        .examples = { "$ setmtu probe nas", "$ setmtu probe 192.0.2.7 --size 9000 -I eth0" },
        .options = { [OPTION_FROM] = { "from", "FILE", "also the hosts in FILE, one per line; - is stdin" },
                     [OPTION_SIZE] = { "size", "BYTES", "the size to probe; by default the interface MTU" },
                     [OPTION_IPV4] = { "ipv4", NULL, "use IPv4 only", '4' },
                     [OPTION_IPV6] = { "ipv6", NULL, "use IPv6 only", '6' },
                     [OPTION_INTERFACE] = { "interface", "IFACE",
                                            "send through this interface, whatever the routes", 'I' },
                     [OPTION_JSON] = { "json", NULL, "print a JSON object; its keys are in setmtu-json(5)" },
                     [OPTION_TIMEOUT] = { "timeout", "TIME", "stop after this time; by default 5s" },
                     [OPTION_RATE] = { "rate", "N", "packets per second at most; 2000 for several hosts" },
                     [OPTION_FLOWS] = { "flows", "N", "flows to each host, for equal links; by default 1" },
                     [OPTION_FORMAT] = { "format", "NAME", "openmetrics: print metrics for Prometheus" },
                     [OPTION_TRAFFIC] = { "traffic", NULL,
                                          "probe no path that TCP connections prove within 10 s" } },
        .words_max = -1,
        .run = probe_run,
};
