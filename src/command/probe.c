/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* setmtu probe: finds how large a packet the path carries. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/exit_code.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "base/terminal.h"
#include "base/time_span.h"
#include "command/command.h"
#include "config/mtu_spec.h"
#include "output/json.h"
#include "output/openmetrics.h"
#include "output/table.h"
#include "probe/path.h"

#define TIMEOUT_LARGEST_S 600

enum { OPTION_SIZE, OPTION_IPV4, OPTION_IPV6, OPTION_INTERFACE, OPTION_JSON, OPTION_TIMEOUT, OPTION_FORMAT };

/* What is known of a size in one direction. */
enum mark { MARK_UNKNOWN, MARK_YES, MARK_NO, MARK_NEVER };

static enum mark mark_there(const struct verdict *verdict, uint32_t size) {
        if (size <= verdict->forward)
                return MARK_YES;
        if (verdict->kind == VERDICT_INCONCLUSIVE || verdict->kind == VERDICT_UNREACHABLE ||
            verdict->kind == VERDICT_RETURN_PATH || verdict->high == 0 || size < verdict->high ||
            (verdict->kind == VERDICT_BLACK_HOLE && !verdict->has_direction))
                return MARK_UNKNOWN;
        return MARK_NO;
}

static enum mark mark_back(const struct verdict *verdict, uint32_t size) {
        if (verdict->is_one_way)
                return MARK_UNKNOWN;
        if (size <= verdict->back)
                return MARK_YES;
        if (verdict->kind == VERDICT_RETURN_PATH && verdict->high > 0 && size >= verdict->high)
                return MARK_NO;
        return mark_there(verdict, size) == MARK_NO ? MARK_NEVER : MARK_UNKNOWN;
}

static void add_mark(struct table *table, enum mark mark, bool is_utf8) {
        static const char *const words[2][4] = {
                { [MARK_UNKNOWN] = "?", [MARK_YES] = "yes", [MARK_NO] = "no", [MARK_NEVER] = "-" },
                { [MARK_UNKNOWN] = "?", [MARK_YES] = "\u2713", [MARK_NO] = "\u2717", [MARK_NEVER] = "-" },
        };
        static const enum table_colour colours[] = { [MARK_UNKNOWN] = TABLE_YELLOW,
                                                     [MARK_YES] = TABLE_GREEN,
                                                     [MARK_NO] = TABLE_RED,
                                                     [MARK_NEVER] = TABLE_FAINT };

        table_add(table, colours[mark], "%s", words[is_utf8][mark]);
}

static int compare_sizes(const void *a, const void *b) {
        uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

        return left < right ? 1 : left > right ? -1 : 0;
}

/* The sizes that tell: the one asked about, the limit from both sides, the reported one and the base size.
 * Descending; returns their number. */
static size_t sizes_to_show(const struct path *path, const struct verdict *verdict, uint32_t ret[static 8]) {
        uint32_t base = path->target.ss_family == AF_INET6 ? PROBE_SIZE_BASE_V6 : PROBE_SIZE_BASE_V4;
        const uint32_t candidates[] = { verdict->tried, verdict->high, verdict->said, verdict->size, base };
        size_t n = 0, n_different = 0;

        for (size_t i = 0; i < sizeof(candidates) / sizeof(candidates[0]); i++)
                if (candidates[i] > 0 && candidates[i] <= PROBE_SIZE_LARGEST &&
                    (candidates[i] != base || base < verdict->tried))
                        ret[n++] = candidates[i];
        qsort(ret, n, sizeof(ret[0]), compare_sizes);
        for (size_t i = 0; i < n; i++)
                if (i == 0 || ret[i] != ret[i - 1])
                        ret[n_different++] = ret[i];
        return n_different;
}

static bool print_table(const struct path *path, const struct verdict *verdict) {
        struct table table = { .n_columns = 3, .is_number = { [0] = true } };
        bool is_utf8 = terminal_is_utf8();
        uint32_t sizes[8];
        size_t n = sizes_to_show(path, verdict, sizes);

        table_add(&table, TABLE_PLAIN, "SIZE");
        table_add(&table, TABLE_PLAIN, "THERE");
        table_add(&table, TABLE_PLAIN, "BACK");
        for (size_t i = 0; i < n; i++) {
                table_add(&table, TABLE_PLAIN, "%u", sizes[i]);
                add_mark(&table, mark_there(verdict, sizes[i]), is_utf8);
                add_mark(&table, mark_back(verdict, sizes[i]), is_utf8);
        }
        return table_print(&table);
}

static int print_text(const struct path *path, const struct path_result *result) {
        const struct verdict *verdict = &result->verdict;
        struct paragraph text;
        bool is_done = true;

        printf("%s", path->host);
        if (strcmp(path->host, path->address) != 0)
                printf(" (%s)", TEXT_SHOW(path->address));
        if (path->link.ifindex > 0)
                printf(" from %s, MTU %u", path->interface, verdict->local_mtu);
        printf(": %u packet%s, %.2f s\n", result->n_packets, result->n_packets == 1 ? "" : "s",
               result->seconds);
        if (verdict->kind != VERDICT_UNREACHABLE || verdict->size > 0)
                is_done = print_table(path, verdict);
        paragraph_begin(&text);
        if (text.stream) {
                fprintf(text.stream, "%s: ", verdict_word(verdict->kind));
                path_explain(text.stream, path, result);
        }
        is_done &= paragraph_end(&text);
        return is_done ? verdict_exit_code(verdict->kind) : EXIT_CODE_FAILURE;
}

static int print_json(const struct path *path, const struct path_result *result) {
        const struct verdict *verdict = &result->verdict;
        char by[INET6_ADDRSTRLEN];
        bool has_by = verdict->by.family != AF_UNSPEC;
        json_t *object = json_pack("{so so so so so so so so so so so si sf}", "host", json_text(path->host),
                                   "address", json_text(path->address), "interface",
                                   json_text(path->link.ifindex > 0 ? path->link.name : NULL), "verdict",
                                   json_text(verdict_word(verdict->kind)), "asked",
                                   json_count(verdict->tried), "size", json_count(verdict->size), "by",
                                   json_text(has_by ? probe_address_text(by, &verdict->by) : NULL), "cause",
                                   json_text(verdict_cause_word(verdict->cause)), "after_hop",
                                   verdict->after_hop < 0 ? json_null() : json_integer(verdict->after_hop),
                                   "forward", json_count(verdict->forward), "return",
                                   json_count(verdict->is_one_way ? 0 : verdict->back), "packets",
                                   (int)result->n_packets, "seconds", result->seconds);

        return json_print(object) ? verdict_exit_code(verdict->kind) : EXIT_CODE_FAILURE;
}

static int print_metrics(const struct path *path, const struct path_result *result) {
        static const char size[] = "setmtu_path_size_bytes", asked[] = "setmtu_path_asked_bytes",
                          word[] = "setmtu_path_verdict";
        const struct verdict *verdict = &result->verdict;

        openmetrics_begin(size, "Largest packet that the path to a host carries, 0 where none is known.");
        openmetrics_add(size, verdict->size, "host", path->host, NULL);
        openmetrics_begin(asked, "Size of packet that the path was probed for.");
        openmetrics_add(asked, verdict->tried, "host", path->host, NULL);
        openmetrics_begin(word, "1 for the verdict on the path to a host, as setmtu probe has it.");
        for (enum verdict_kind kind = 0; kind < VERDICT_COUNT; kind++)
                openmetrics_add(word, kind == verdict->kind, "host", path->host, "verdict",
                                verdict_word(kind), NULL);
        openmetrics_end();
        return verdict_exit_code(verdict->kind);
}

/* Parses --size and --timeout. Returns an exit code. */
static int read_numbers(const struct command_line *line, uint32_t *ret_size, unsigned *ret_timeout_s) {
        const char *size = line->options[OPTION_SIZE], *timeout = line->options[OPTION_TIMEOUT];
        char fault[MTU_SPEC_FAULT_SIZE];
        struct mtu_spec spec = { 0 };

        if (size && !mtu_spec_parse(size, strlen(size), &spec, fault))
                return log_fail(EXIT_CODE_USAGE, "probe: --size: %s", fault);
        if (size && (spec.mtu == MTU_MAX || spec.up || spec.has_backend || spec.mtu > PROBE_SIZE_LARGEST))
                return log_fail(EXIT_CODE_USAGE,
                                "probe: --size: %s is not a number of bytes up to %d, which is the largest "
                                "IP packet",
                                TEXT_QUOTE(size), PROBE_SIZE_LARGEST);
        *ret_size = spec.mtu;
        *ret_timeout_s = 0;
        if (timeout && !time_span_parse(timeout, TIMEOUT_LARGEST_S, ret_timeout_s))
                return log_fail(EXIT_CODE_USAGE,
                                "probe: --timeout: %s is not a time from 1 s to 10 min; write 10, 10s or "
                                "1min",
                                TEXT_QUOTE(timeout));
        return EXIT_CODE_DONE;
}

/* The live line on a terminal; `userdata` is the path. */
static void show_progress(void *userdata, uint32_t low, uint32_t high) {
        const struct path *path = userdata;

        fprintf(stderr, "\r\x1b[K%s: ", path->host);
        if (low == 0)
                fputs("no answer yet", stderr);
        else if (high == 0)
                fprintf(stderr, "%u passes", low);
        else
                fprintf(stderr, "%u passes, %u does not yet", low, high);
        fputs(" ... ", stderr);
}

static int probe(const struct command_line *line, const struct path *path, struct path_settings *settings) {
        struct path_result result;
        bool is_live = isatty(STDERR_FILENO) && !line->options[OPTION_JSON] && !line->options[OPTION_FORMAT];

        if (is_live)
                settings->progress = show_progress;
        settings->userdata = (void *)(uintptr_t)path;
        /* A signal ends the probing; the results so far are printed. */
        interrupt_catch();
        if (!path_probe(path, settings, &result))
                return EXIT_CODE_FAILURE;
        if (is_live)
                fputs("\r\x1b[K", stderr);
        return line->options[OPTION_FORMAT] ? print_metrics(path, &result)
               : line->options[OPTION_JSON] ? print_json(path, &result)
                                            : print_text(path, &result);
}

static int run(const struct command_line *line) {
        CLEANUP(netlink_socket_cleanup) struct netlink_socket *socket = NULL;
        struct path_settings settings = { 0 };
        struct path path;
        const char *format = line->options[OPTION_FORMAT];
        unsigned timeout_s;
        int family = line->options[OPTION_IPV4]   ? AF_INET
                     : line->options[OPTION_IPV6] ? AF_INET6
                                                  : AF_UNSPEC;
        int exit_code = read_numbers(line, &settings.size, &timeout_s), r;

        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        if (format && (strcmp(format, "openmetrics") != 0 || line->options[OPTION_JSON]))
                return log_fail(EXIT_CODE_USAGE,
                                "probe: the only format is openmetrics, which excludes --json");
        if (line->options[OPTION_IPV4] && line->options[OPTION_IPV6])
                return log_fail(EXIT_CODE_USAGE, "probe: -4 and -6 exclude each other");
        r = netlink_socket_open(&socket);
        if (r < 0)
                return log_fail(EXIT_CODE_FAILURE, "cannot open an rtnetlink socket: %s", strerror(-r));
        exit_code = path_find(socket, line->words[0], family, line->options[OPTION_INTERFACE], &path);
        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        settings.local_mtu = path.link.mtu;
        settings.timeout = timeout_s;
        if (settings.size == 0)
                settings.size = path.link.mtu < PROBE_SIZE_LARGEST ? path.link.mtu : PROBE_SIZE_LARGEST;
        if (settings.size < path_size_least(&path) && path.link.ifindex > 0)
                return log_fail(EXIT_CODE_USAGE, "%s: %u is less than the %u bytes that every link carries",
                                path.host, settings.size, path_size_least(&path));
        return probe(line, &path, &settings);
}

const struct command command_probe = {
        .name = "probe",
        .arguments = "HOST",
        .summary = "find how large a packet the path to a host carries",
        .text = "Sends packets to HOST, a name or an address, and finds out how large they may be there "
                "and back, and what limits them: a router that reports it, rightly or wrongly; a switch, "
                "a router or the host that drops them silently; the way back; this machine. Sizes are "
                "those of whole IP packets, like an MTU. In most cases needs no root. Exit status: 0 ok; "
                "10 too big; 11 black hole; 12 false too big; 13 return path; 14 local limit; 15 "
                "unreachable; 16 inconclusive.",
        .examples = { "$ setmtu probe nas", "$ setmtu probe 192.0.2.7 --size 9000 -I eth0" },
        .options = { [OPTION_SIZE] = { "size", "BYTES",
                                       "the size to ask about; by default the interface MTU" },
                     [OPTION_IPV4] = { "ipv4", NULL, "use IPv4 only", '4' },
                     [OPTION_IPV6] = { "ipv6", NULL, "use IPv6 only", '6' },
                     [OPTION_INTERFACE] = { "interface", "IFACE",
                                            "send through this interface, whatever the routes", 'I' },
                     [OPTION_JSON] = { "json", NULL, "print a JSON object; its keys are in setmtu-json(5)" },
                     [OPTION_TIMEOUT] = { "timeout", "TIME", "stop after this time; by default 5s" },
                     [OPTION_FORMAT] = { "format", "NAME", "openmetrics: print metrics for Prometheus" } },
        .words_min = 1,
        .words_max = 1,
        .run = run,
};
