/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* setmtu watch: what the TCP connections of this machine prove of the paths to their peers. */

#include <errno.h>
#include <math.h>
#include <net/if.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/exit_code.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "base/pool.h"
#include "base/text.h"
#include "command/command.h"
#include "command/path_find.h"
#include "command/path_text.h"
#include "command/prepare.h"
#include "command/traffic_look.h"
#include "kernel/route.h"
#include "output/json.h"
#include "output/openmetrics.h"
#include "output/progress.h"
#include "output/table.h"
#include "probe/tcp_flows.h"

#define INTERVAL_LARGEST_S 600
/* How often a suspected peer is probed, if the first time does not tell. */
#define TRIES 2
/* Where more peers are silent, the reason is no one path, and a probe of each would take long; so it would
 * each time that one comes and goes. */
#define SILENT_MAX 4
#define SILENT_AGAIN_S 600
/* How often a peer that is refuted is probed again by other flows, for one of several equal links: later
 * when the connection has been stalled for that many times as long. */
#define LINK_AGAIN_S 4
#define LINK_AGAIN_SHARE 4
/* After so many looks, a hole that begins before the first one has been named, and metrics are printed. */
#define METRICS_LOOKS 20
/* A probe takes up to 20 s or so; then no more of them: what runs the command each few minutes waits. */
#define METRICS_PROBES_S 60
/* The peers that have metrics of their own. */
#define METRICS_PEERS 20

enum { OPTION_ONCE, OPTION_INTERVAL, OPTION_JSON, OPTION_FORMAT };

static const char *const words[TRAFFIC_STATES] = { "quiet",     "proven",  "silent",
                                                   "suspected", "refuted", "stuck" };

struct watch {
        const struct command_line *line;
        struct netlink_socket *route, *diag;
        struct traffic traffic;
        struct progress progress;
        unsigned n_probes;
        bool has_title, has_failed;
        double now, probes_end;
};

static void watch_cleanup(struct watch *watch) {
        traffic_free(&watch->traffic);
        netlink_socket_cleanup(&watch->route);
        netlink_socket_cleanup(&watch->diag);
}

/* The address, with its scope, fit for a command line. */
static const char *address_of(struct pool *pool, const struct traffic_peer *peer) {
        const struct sockaddr_storage address = route_sockaddr(&peer->address, peer->ifindex);
        char text[NI_MAXHOST];

        return getnameinfo((const struct sockaddr *)&address, sizeof(address), text, sizeof(text), NULL, 0,
                           NI_NUMERICHOST) == 0
                               ? pool_copy(pool, text)
                               : "-";
}

/* As setmtu probe takes it: by the device that the connections are bound to, if they are. */
static const char *host_of(struct pool *pool, const struct traffic_peer *peer) {
        const char *address = address_of(pool, peer);
        char device[IF_NAMESIZE], word[TEXT_SHELL_WORD_SIZE];

        if (peer->ifindex == 0 || !if_indextoname(peer->ifindex, device))
                return address;
        text_shell_word(word, device);
        return pool_print(pool, "%s -I %s", address, word);
}

/* The device that leads there; NULL: it is not known. */
static const char *device_of(const struct watch *watch, const struct traffic_peer *peer,
                             char ret[static IF_NAMESIZE]) {
        const struct sockaddr_storage address = route_sockaddr(&peer->address, peer->ifindex);
        unsigned ifindex;

        return route_get_interface(watch->route, (const struct sockaddr *)&address, peer->ifindex,
                                   &ifindex) == 0
                               ? if_indextoname(ifindex, ret)
                               : NULL;
}

/* Output ------------------------------------------------------------------------------------------------ */

static const char *ago(struct pool *pool, double seconds) {
        return seconds < 2      ? "now"
               : seconds < 120  ? pool_print(pool, "%.0f s ago", seconds)
               : seconds < 7200 ? pool_print(pool, "%.0f min ago", seconds / 60)
                                : pool_print(pool, "%.0f h ago", seconds / 3600);
}

static const char *state_text(struct pool *pool, const struct traffic_peer *peer, double seconds) {
        const char *host = host_of(pool, peer), *text = "nothing large is proven yet";

        if (peer->state == TRAFFIC_SILENT)
                return pool_print(pool,
                                  "silent for %.0f s: nothing arrives, large or small; setmtu probe %s",
                                  seconds, host);
        if (peer->state == TRAFFIC_SUSPECTED || peer->state == TRAFFIC_CONFIRMED)
                return pool_print(pool,
                                  "%s for %.0f s: packets of %u bytes are lost, others arrive%s; setmtu "
                                  "probe %s%s",
                                  words[peer->state], seconds, peer->stuck,
                                  peer->is_one_link ? ", as do those of other flows" : "", host,
                                  peer->is_one_link ? " --flows 32" : "");
        if (peer->state == TRAFFIC_REFUTED)
                return pool_print(pool,
                                  "a connection is stuck for %.0f s, but a probe of %u bytes passes: a "
                                  "firewall, or one of several links; setmtu probe %s --flows 32",
                                  seconds, peer->stuck, host);
        if (peer->state == TRAFFIC_PROVEN)
                text = pool_print(pool, "proven by %u segment%s", peer->segments,
                                  peer->segments == 1 ? "" : "s");
        return peer->limited == 0 ? text
                                  : pool_print(pool, "%s; the %s %u", text,
                                               peer->is_by_peer ? "peer takes segments of" : "MSS is",
                                               peer->limited);
}

static json_t *peer_json(const struct watch *watch, struct pool *pool, const struct traffic_peer *peer,
                         const struct path_result *result) {
        char device[IF_NAMESIZE];
        bool is_stalled = peer->state >= TRAFFIC_SILENT;

        return JSON_OBJECT({
                        { "peer", json_text(address_of(pool, peer)) },
                        { "interface", json_text(device_of(watch, peer, device)) },
                        { "state", json_text(words[peer->state]) },
                        { "sent", json_count(peer->sent) },
                        { "segments", json_count(peer->segments) },
                        { "proven_seconds_ago", peer->sent > 0 && peer->is_dated
                                                                ? json_real(watch->now - peer->sent_at)
                                                                : json_null() },
                        { "received", json_count(peer->received) },
                        { "packet", json_count(peer->packet) },
                        { "peer_mss", json_count(peer->limited) },
                        { "limited_by", json_text(peer->is_by_peer ? "peer" : NULL) },
                        { "lost", json_count(peer->state >= TRAFFIC_SUSPECTED ? peer->stuck : 0) },
                        { "seconds", is_stalled ? json_real(watch->now - peer->since) : json_null() },
                        { "verdict", json_text(result ? verdict_word(result->verdict.kind) : NULL) },
                        { "size", json_count(result ? result->verdict.size : 0) },
                        { "after_hop", result && result->verdict.after_hop >= 0
                                                       ? json_integer(result->verdict.after_hop)
                                                       : json_null() },
        });
}

/* The peer as it is now. `result` is that of a probe just now, or NULL. */
static void print_peer(struct watch *watch, struct traffic_peer *peer, const struct path *path,
                       const struct path_result *result) {
        CLEANUP(pool_free) struct pool pool = { 0 };
        char device[IF_NAMESIZE];
        const char *name, *state;

        peer->shown = peer->state;
        if (watch->line->options[OPTION_FORMAT])
                return;
        progress_clear(&watch->progress);
        if (watch->line->options[OPTION_JSON]) {
                watch->has_failed |= !json_print_line(peer_json(watch, &pool, peer, result));
                return;
        }
        if (!watch->has_title)
                printf("%-15s  %-8s  %5s  %8s  %-10s  %s\n", "PEER", "DEVICE", "SENT", "RECEIVED",
                       "LAST PROOF", "STATE");
        watch->has_title = true;
        name = device_of(watch, peer, device);
        state = state_text(&pool, peer, watch->now - peer->since);
        paragraph_print(0, 2, "%-15s  %-8s  %5s  %8s  %-10s  %s", address_of(&pool, peer), name ? name : "-",
                        peer->sent > 0 ? pool_print(&pool, "%u", peer->sent) : "-",
                        peer->received > 0 ? pool_print(&pool, "%u", peer->received) : "-",
                        peer->sent > 0 && peer->is_dated ? ago(&pool, watch->now - peer->sent_at) : "-",
                        state);
        if (result && result->flows.n > 1)
                paragraph_print(2, 2,
                                "%s: of %u TCP flows, %s: one of several equal links on the way drops "
                                "large packets, and nothing reports it.",
                                verdict_word(result->verdict.kind), result->flows.n,
                                flows_list(&pool, &result->flows));
        else if (result)
                paragraph_print(2, 2, "%s", path_text(&pool, path, result));
        watch->has_failed |= pool.failed;
        (void)fflush(stdout);
}

static uint32_t count_peers(const struct watch *watch, enum traffic_state state) {
        uint32_t n = 0;

        for (const struct traffic_peer *peer = watch->traffic.peers; peer; peer = peer->next)
                n += peer->state == state;
        return n;
}

/* Connections to an address may be bound to a device or not, and are two peers then. */
static void print_lost(const struct watch *watch, const char *metric, const struct traffic_peer *peer) {
        CLEANUP(pool_free) struct pool pool = { 0 };
        char device[IF_NAMESIZE];
        const char *name = device_of(watch, peer, device);

        openmetrics_add(metric, peer->stuck, "peer", address_of(&pool, peer), "device", name ? name : "",
                        "bound", peer->ifindex > 0 ? "yes" : "no", "state", words[peer->state], NULL);
}

/* Most peers are counted and not named: a host may have thousands. */
static void print_metrics(const struct watch *watch) {
        static const char peers[] = "setmtu_traffic_peers", lost[] = "setmtu_traffic_lost_bytes";
        unsigned n_named = 0;

        openmetrics_begin(peers, "Peers in each state that their TCP connections show, as setmtu watch has "
                                 "it.");
        for (enum traffic_state state = 0; state < TRAFFIC_STATES; state++)
                openmetrics_add(peers, count_peers(watch, state), "state", words[state], NULL);
        openmetrics_begin(lost, "Size of packets that are lost on the way to a peer while others arrive.");
        for (enum traffic_state state = TRAFFIC_CONFIRMED; state >= TRAFFIC_REFUTED; state--)
                for (const struct traffic_peer *peer = watch->traffic.peers; peer; peer = peer->next)
                        if (peer->state == state && n_named++ < METRICS_PEERS)
                                print_lost(watch, lost, peer);
        openmetrics_end();
}

static const char *sum_text(struct pool *pool, const struct watch *watch) {
        return pool_print(pool, "%zu peer%s: %u proven, %u stuck, %u suspected, %u silent, %u probed",
                          watch->traffic.n_peers, watch->traffic.n_peers == 1 ? "" : "s",
                          count_peers(watch, TRAFFIC_PROVEN), count_peers(watch, TRAFFIC_CONFIRMED),
                          count_peers(watch, TRAFFIC_SUSPECTED), count_peers(watch, TRAFFIC_SILENT),
                          watch->n_probes);
}

/* Probes ------------------------------------------------------------------------------------------------ */

/* What the probe says of packets of the size that is lost. */
static enum traffic_state answer_of(const struct verdict *verdict, uint32_t size) {
        if (verdict->kind == VERDICT_LOCAL_LIMIT || verdict->kind == VERDICT_UNREACHABLE ||
            verdict->kind == VERDICT_INCONCLUSIVE)
                return TRAFFIC_SUSPECTED;
        /* The way back, and a router that is wrong, explain no loss on the way there. */
        return verdict->kind == VERDICT_OK || verdict->forward >= size ? TRAFFIC_REFUTED : TRAFFIC_CONFIRMED;
}

/* Where the probe passes, it may have taken another one of several equal links than the connection. */
static enum traffic_state probe_links(struct traffic_peer *peer, const struct path *path,
                                      struct path_result *result) {
        uint32_t size = peer->stuck - TCP_FLOWS_ROOM;
        int n_lost = tcp_flows_probe(path, size);

        if (n_lost == -ECANCELED)
                return TRAFFIC_SUSPECTED;
        if (n_lost <= 0)
                return TRAFFIC_REFUTED;
        peer->is_one_link = true;
        result->verdict = (struct verdict){ .kind = VERDICT_BLACK_HOLE, .after_hop = -1 };
        result->flows.n = TCP_FLOWS;
        for (int i = 0; i < TCP_FLOWS; i++)
                result->flows.sizes[i] = i < n_lost ? TRAFFIC_SMALL : size;
        return TRAFFIC_CONFIRMED;
}

static void probe_peer(struct watch *watch, struct traffic_peer *peer) {
        CLEANUP(pool_free) struct pool pool = { 0 };
        struct path_settings settings = { .socket = watch->route, .size = peer->stuck };
        struct path_result result = { .egress = { .room = 0 } };
        struct path path = { .host = NULL };
        enum traffic_state answer = TRAFFIC_SUSPECTED;
        enum traffic_state before = peer->state;
        char device[IF_NAMESIZE];
        /* As the connections, if they are bound to one. */
        const char *bound = peer->ifindex > 0 ? if_indextoname(peer->ifindex, device) : NULL;
        bool is_probed = path_find(watch->route, address_of(&pool, peer), AF_UNSPEC, bound, &path) ==
                                         EXIT_CODE_DONE &&
                         path.link.ifindex > 0;

        if (is_probed) {
                path.source = route_sockaddr(&peer->own, path.link.ifindex);
                is_probed = path_probe_one(&path, &settings, &result) == EXIT_CODE_DONE;
        }
        watch->n_probes += is_probed;
        if (is_probed)
                answer = answer_of(&result.verdict, peer->stuck);
        if (answer == TRAFFIC_REFUTED)
                answer = probe_links(peer, &path, &result);
        watch->now = clock_monotonic_s();
        if (before == TRAFFIC_SILENT || before == TRAFFIC_REFUTED || answer == TRAFFIC_REFUTED)
                peer->probed_at = watch->now;
        traffic_answer(peer, answer, result.verdict.size);
        /* A silent peer that a probe reaches may be back: the next look shows that. */
        if (before == TRAFFIC_SUSPECTED || answer == TRAFFIC_CONFIRMED)
                print_peer(watch, peer, &path, is_probed ? &result : NULL);
        else if (before == TRAFFIC_SILENT && answer != TRAFFIC_REFUTED && peer->shown != peer->state)
                print_peer(watch, peer, NULL, NULL);
}

/* The rounds -------------------------------------------------------------------------------------------- */

/* The peer to be probed in this round, or NULL: one at a time, since nothing else is looked at meanwhile. */
static struct traffic_peer *find_unclear(const struct watch *watch) {
        struct traffic_peer *silent = NULL, *refuted = NULL;

        for (struct traffic_peer *peer = watch->traffic.peers; peer; peer = peer->next) {
                if (peer->is_unclear || (peer->state == TRAFFIC_SUSPECTED && peer->n_probes < TRIES))
                        return peer;
                if (peer->state == TRAFFIC_REFUTED &&
                    watch->now - peer->probed_at >
                                    fmax(LINK_AGAIN_S, (watch->now - peer->since) / LINK_AGAIN_SHARE))
                        refuted = peer;
                if (peer->state == TRAFFIC_SILENT &&
                    (peer->probed_at == 0 || watch->now - peer->probed_at > SILENT_AGAIN_S))
                        silent = peer;
        }
        return silent && count_peers(watch, TRAFFIC_SILENT) <= SILENT_MAX ? silent : refuted;
}

static void show(struct watch *watch) {
        CLEANUP(pool_free) struct pool pool = { 0 };
        struct traffic_peer *unclear = watch->now < watch->probes_end ? find_unclear(watch) : NULL;

        for (struct traffic_peer *peer = watch->traffic.peers; peer && !watch->has_failed; peer = peer->next)
                if (peer == unclear)
                        probe_peer(watch, peer);
                else if (peer->state != peer->shown || watch->line->options[OPTION_ONCE])
                        print_peer(watch, peer, NULL, NULL);
        progress_print(&watch->progress, "%s", sum_text(&pool, watch));
}

static int watch_run(const struct command_line *line) {
        CLEANUP(watch_cleanup) struct watch watch = { .line = line };
        CLEANUP(pool_free) struct pool pool = { 0 };
        const char *interval = line->options[OPTION_INTERVAL], *format = line->options[OPTION_FORMAT];
        /* 0: any number. */
        unsigned interval_s = 1, looks = line->options[OPTION_ONCE] ? 1 : format ? METRICS_LOOKS : 0;
        int r;

        if (interval && !text_parse_seconds(interval, INTERVAL_LARGEST_S, &interval_s))
                return log_fail(EXIT_CODE_USAGE,
                                "watch: --interval: \"%.64s\" is not a time from 1 s to 10 min; write 5, 5s "
                                "or 1min",
                                interval);
        if (!prepare_format("watch", format, line->options[OPTION_JSON]))
                return EXIT_CODE_USAGE;
        r = netlink_socket_open(NETLINK_ROUTE, &watch.route);
        if (r < 0)
                return log_fail(EXIT_CODE_FAILURE, "cannot open a netlink socket: %s", strerror(-r));
        watch.probes_end = format ? clock_monotonic_s() + METRICS_PROBES_S : INFINITY;
        progress_open(&watch.progress);
        interrupt_catch();
        do {
                int exit_code = traffic_look_exit_code(traffic_look(&watch.diag, &watch.traffic));

                if (exit_code != EXIT_CODE_DONE)
                        return exit_code;
                watch.now = watch.traffic.now;
                show(&watch);
                if (watch.has_failed)
                        return EXIT_CODE_FAILURE;
        } while (--looks != 0 && !interrupt_seen() && clock_sleep_ms(interval_s * 1000));
        progress_clear(&watch.progress);
        if (format)
                print_metrics(&watch);
        else if (!line->options[OPTION_JSON])
                puts(sum_text(&pool, &watch));
        if (count_peers(&watch, TRAFFIC_CONFIRMED) > 0)
                return EXIT_CODE_BLACK_HOLE;
        return count_peers(&watch, TRAFFIC_SUSPECTED) > 0 ? EXIT_CODE_INCONCLUSIVE : EXIT_CODE_DONE;
}

const struct command command_watch = {
        .name = "watch",
        .arguments = "",
        .summary = "see what TCP connections prove of their paths",
        .text = "Reads the kernel's counters of all TCP connections once an interval, and prints for each "
                "peer the largest packet that has arrived there for sure, and the largest that has come "
                "from there. Where large segments are lost and others arrive, probes the path once, and "
                "prints what limits it. Prints changes until Ctrl-C. Needs no root. Exit status: 0 no peer "
                "is stuck; 11 a peer is; 16 a peer is suspected.",
        .examples = { "$ setmtu watch", "$ setmtu watch --once" },
        .options = { [OPTION_ONCE] = { "once", NULL, "print all peers once, and exit" },
                     [OPTION_INTERVAL] = { "interval", "TIME", "the time between two looks; by default 1s" },
                     [OPTION_JSON] = { "json", NULL, "print a JSON object per line; see setmtu-json(5)" },
                     [OPTION_FORMAT] = { "format", "NAME",
                                         "openmetrics: print metrics for Prometheus after 20 looks" } },
        .run = watch_run,
};
