/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "command/path_text.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/exit_code.h"
#include "base/text.h"
#include "command/switch_port.h"
#include "config/mtu_spec.h"
#include "plan/stack.h"

static const struct {
        const char *word;
        enum exit_code exit_code;
} kinds[VERDICT_COUNT] = {
        [VERDICT_OK] = { "ok", EXIT_CODE_DONE },
        [VERDICT_TOO_BIG] = { "too big", EXIT_CODE_TOO_BIG },
        [VERDICT_BLACK_HOLE] = { "black hole", EXIT_CODE_BLACK_HOLE },
        [VERDICT_FALSE_TOO_BIG] = { "false too big", EXIT_CODE_FALSE_TOO_BIG },
        [VERDICT_RETURN_PATH] = { "return path", EXIT_CODE_RETURN_PATH },
        [VERDICT_LOCAL_LIMIT] = { "local limit", EXIT_CODE_LOCAL_LIMIT },
        [VERDICT_UNREACHABLE] = { "unreachable", EXIT_CODE_UNREACHABLE },
        [VERDICT_INCONCLUSIVE] = { "inconclusive", EXIT_CODE_INCONCLUSIVE },
};

const char *verdict_word(enum verdict_kind kind) {
        return kinds[kind].word;
}

int verdict_exit_code(enum verdict_kind kind) {
        return (int)kinds[kind].exit_code;
}

uint32_t verdict_common_mtu(uint32_t limit) {
        static const uint32_t common[] = { 1500, 4000, 9000 };

        for (size_t i = 0; i < sizeof(common) / sizeof(common[0]); i++)
                if (limit >= common[i] && limit <= common[i] + 22)
                        return common[i];
        return limit;
}

/* This machine ---------------------------------------------------------------------------------------- */

static int family_of(const struct path *path) {
        return path->target.ss_family == AF_INET6 ? 6 : 4;
}

const char *route_command(struct pool *pool, const struct path *path, const char *lock, uint32_t mtu) {
        int family = family_of(path);
        char address[TEXT_SHELL_WORD_SIZE];
        const char *change = mtu > 0 ? pool_print(pool, " mtu %s%u", lock, mtu) : "";

        text_shell_word(address, path->address);
        return pool_print(pool,
                          "ip -%d route replace $(ip -%d route get fibmatch %s | sed 's/ mtu [a-z]* "
                          "*[0-9]*//')%s",
                          family, family, address, change);
}

const char *egress_text(struct pool *pool, const struct path *path, const struct path_result *result) {
        static const char *const limits[] = {
                [EGRESS_IPV6] = "IPv6 has that MTU, set by a router's advertisement or a program",
                [EGRESS_ROUTE] = "the route to it has that MTU",
                [EGRESS_LEARNED] = "a router reported that limit, which the kernel keeps for ten minutes",
        };
        const struct egress *egress = &result->egress;
        const char *what, *left = "";

        if (!egress_is_narrow(egress, result->verdict.tried))
                return egress_is_cut(egress, result->verdict.tried)
                                       ? pool_print(pool, "this machine sends it no packets above %u: %s",
                                                    egress->sent, limits[egress->limit])
                                       : NULL;
        if (egress->to.size > 0)
                what = pool_print(pool, "the route to %s, the other end of %s,",
                                  NET_ADDRESS_TEXT(&egress->to), egress->above);
        else if (!egress->is_port)
                what = pool_print(pool, "%s, below %s,", egress->name, egress->above);
        else if (egress->is_guess || egress->is_set)
                what = pool_print(pool, "%s, a port of %s,", egress->name, egress->above);
        else
                what = pool_print(pool, "%s, the port of %s that leads to %s,", egress->name, egress->above,
                                  path->host);
        if (egress->room < egress->mtu)
                left = pool_print(pool, ", of which %s leaves %u",
                                  egress->overlay ? egress->overlay : egress->above, egress->room);
        return pool_print(pool, "%s has an MTU of %u%s", what, egress->mtu, left);
}

const char *egress_command(struct pool *pool, const struct path *path, const struct path_result *result) {
        const struct egress *egress = &result->egress;
        uint32_t tried = result->verdict.tried;
        char name[TEXT_SHELL_WORD_SIZE], below[TEXT_SHELL_WORD_SIZE];

        text_shell_word(name, path->link.name);
        text_shell_word(below, egress->is_set ? egress->above : egress->name);
        if (egress_is_narrow(egress, tried) && egress->overlay)
                return pool_print(pool, "setmtu set %s %u", name, egress->room);
        if (egress_is_narrow(egress, tried))
                return pool_print(pool, "setmtu set %s %u", below, tried + egress->mtu - egress->room);
        if (!egress_is_cut(egress, tried))
                return NULL;
        switch (egress->limit) {
        case EGRESS_IPV6:
                return "setmtu doctor";
        case EGRESS_ROUTE:
                return route_command(pool, path, "", 0);
        case EGRESS_LEARNED:
                break;
        }
        return pool_print(pool, "ip -%d route flush cache", family_of(path));
}

/* The path ---------------------------------------------------------------------------------------------- */

static const char *explain_ok(struct pool *pool, const struct verdict *verdict, const char *host) {
        if (!verdict->is_one_way)
                return pool_print(pool, "packets of %u bytes pass to %s and back.", verdict->size, host);
        return pool_print(pool, "packets of %u bytes arrive at %s. %s to test the return path.",
                          verdict->size, host,
                          verdict->may_echo ? "It answers no echo requests: probe from there as well"
                                            : "This user may not send echo requests "
                                              "(net.ipv4.ping_group_range): run this as root");
}

/* The host's own MTU or, where the host fragments by what it knows of the path, that of its route: the first
 * to check, and the cheapest to change. */
static const char *explain_host(struct pool *pool, const struct verdict *verdict, const char *host,
                                const char *interface) {
        return pool_print(pool,
                          "%s sends nothing above %u bytes: it answers larger packets in fragments of that "
                          "size. Raise the MTU of its device, or of its route to here (ip link show, ip "
                          "route list): setmtu set DEVICE %u, or ip link set dev DEVICE mtu %u. Or give %s "
                          "an MTU of %u.",
                          host, verdict->size, verdict->tried, verdict->tried, interface,
                          verdict_common_mtu(verdict->size));
}

/* A switch with a room of 80 bytes for each of its names. By its own words it is at fault if a frame of
 * `size`, with or without a VLAN tag and checksum, is the largest; otherwise it is the first one that may
 * be. What passes refutes less. */
static const char *switch_text(struct pool *pool, const char *device, uint32_t size) {
        json_auto_t *found = switch_port_find(device);
        const char *name = json_string_value(json_object_get(found, "name"));
        const char *port = json_string_value(json_object_get(found, "port"));
        unsigned frame = (unsigned)json_integer_value(json_object_get(found, "largest_frame"));
        char shown[80], shown_port[80];

        if (name && port)
                return pool_print(pool, "%s, port %s%s%s", text_for_terminal(shown, sizeof(shown), name),
                                  text_for_terminal(shown_port, sizeof(shown_port), port),
                                  frame > 0 ? pool_print(pool, " (announces a largest frame of %u)", frame)
                                            : "",
                                  frame >= size + 14 && frame <= size + 14 + 4 + 4 ? ""
                                                                                   : ", or another switch");
        return "a switch";
}

/* A drop between `from`, this machine's interface or a router, and `to`, which answers smaller packets. */
static const char *explain_drop(struct pool *pool, const struct verdict *verdict, const char *from,
                                const char *to, const char *interface) {
        uint32_t size = verdict->size, frame = size + 14, common = verdict_common_mtu(size);
        bool is_local = verdict->after_hop == 0;
        bool may_tell = verdict->cause == VERDICT_CAUSE_UNKNOWN && verdict->next_is_host &&
                        !verdict->may_fragment;
        const char *equipment = is_local ? switch_text(pool, interface, size) : "a switch or router", *fault;

        if (verdict->cause == VERDICT_CAUSE_LINK)
                fault = pool_print(pool,
                                   "%s between %s and %s drops packets above %u bytes (frames above %u) and "
                                   "does not report it; the MTU of %s is larger. Raise",
                                   equipment, from, to, size, frame, to);
        else
                fault = pool_print(pool,
                                   "packets above %u bytes from %s do not arrive at %s, and nothing reports "
                                   "it. If ip link show there has an MTU of %u, raise that; otherwise %s "
                                   "drops frames above %u bytes: raise",
                                   size, from, to, common, equipment, frame);
        return pool_print(pool,
                          "%s the limit of every switch and port between them%s, or give %s an MTU of "
                          "%u.%s",
                          fault, is_local ? "" : ", let the router there send ICMP",
                          is_local && verdict->next_is_host ? interface : "the route", common,
                          may_tell ? " Run as root, setmtu probe may tell which of them it is." : "");
}

static const char *explain_black_hole(struct pool *pool, const struct verdict *verdict, const char *host,
                                      const char *interface) {
        uint32_t size = verdict->size, common = verdict_common_mtu(size);
        const char *to = verdict->next_is_host ? host : NET_ADDRESS_TEXT(&verdict->next);
        const char *router =
                        pool_print(pool, "hop %d, %s,", verdict->after_hop, NET_ADDRESS_TEXT(&verdict->hop));

        if (verdict->after_hop >= 0 && verdict->next.size > 0)
                return explain_drop(pool, verdict, verdict->after_hop == 0 ? interface : router, to,
                                    interface);
        if (verdict->after_hop > 0)
                return pool_print(pool,
                                  "packets above %u bytes are dropped after %s and nothing reports it. Let "
                                  "the link there carry more and its router send ICMP, or give the route an "
                                  "MTU of %u.",
                                  size, router, common);
        return pool_print(pool,
                          "packets above %u bytes are dropped on the way to %s or back, and nothing reports "
                          "it. Look at the MTU of %s first, with ip link show there; then ask who runs the "
                          "network, or give the route an MTU of %u.",
                          size, host, host, common);
}

static const char *explain_unreachable(struct pool *pool, const struct path *path,
                                       const struct path_result *result) {
        const struct verdict *verdict = &result->verdict;
        const char *host = path->host, *found;

        if (path->link.ifindex == 0)
                return pool_print(pool, "there is no route to %s. Look at ip route get %s", host,
                                  path->address);
        if (result->send_error > 0)
                return pool_print(
                                pool,
                                "nothing can be sent to %s: %s. Look at this machine's routes and firewall.",
                                host, strerror(result->send_error));
        if (verdict->by.size > 0)
                found = pool_print(pool, "%s says that %s cannot be reached", NET_ADDRESS_TEXT(&verdict->by),
                                   host);
        else if (verdict->size > 0)
                found = pool_print(pool, "%s answers packets of %u bytes, and none of the base size", host,
                                   verdict->size);
        else
                found = pool_print(pool, "%s does not answer, not even to a small packet", host);
        return pool_print(pool, "%s. %s", found,
                          verdict->size > 0 ? "Look for a link with a very small MTU."
                                            : "Is it up, is the route right, and does its firewall let ICMP "
                                              "echo pass?");
}

static const char *explain_inconclusive(struct pool *pool, const struct verdict *verdict, const char *host) {
        static const char *const doubts[] = {
                [VERDICT_DOUBT_TIME] = "it timed out",
                [VERDICT_DOUBT_LOSS] = "too many packets of every size are lost",
                [VERDICT_DOUBT_CHANGE] = "the answers contradict each other, as if the path kept changing",
                [VERDICT_DOUBT_INTERRUPTED] = "interrupted",
                [VERDICT_DOUBT_FLOWS] = "some flows had no answer at all",
        };
        bool is_slow = verdict->doubt != VERDICT_DOUBT_INTERRUPTED && verdict->doubt != VERDICT_DOUBT_FLOWS;
        const char *low = "", *high = "";

        if (verdict->size > 0)
                low = pool_print(pool, "; %u bytes pass to %s%s", verdict->size, host,
                                 verdict->is_one_way ? "" : " and back");
        if (verdict->high > 0)
                high = pool_print(pool, "; %u bytes had no whole answer yet", verdict->high);
        return pool_print(pool, "%s%s%s. Try again%s.", doubts[verdict->doubt], low, high,
                          is_slow ? ", with a longer --timeout" : "");
}

static const char *explain_local_limit(struct pool *pool, const struct path *path,
                                       const struct path_result *result) {
        const struct verdict *verdict = &result->verdict;
        const char *here = egress_text(pool, path, result), *interface = path->link.name;

        if (here)
                return pool_print(pool, "packets of %u bytes pass to %s and back; %s. Next: %s",
                                  verdict->size, path->host, here, egress_command(pool, path, result));
        return pool_print(pool,
                          "packets of %u bytes pass to %s and back, and %s sends no larger ones: its MTU is "
                          "%u. Raise that: setmtu try %s %u --probe %s",
                          verdict->size, path->host, interface, verdict->local_mtu, interface,
                          verdict->tried, path->host);
}

static const char *explain(struct pool *pool, const struct path *path, const struct path_result *result) {
        const struct verdict *verdict = &result->verdict;
        const char *host = path->host, *interface = path->link.name, *by = NET_ADDRESS_TEXT(&verdict->by);
        uint32_t common = verdict_common_mtu(verdict->size);

        if (verdict->cause == VERDICT_CAUSE_HOST)
                return explain_host(pool, verdict, host, interface);
        switch (verdict->kind) {
        case VERDICT_OK:
                return explain_ok(pool, verdict, host);
        case VERDICT_TOO_BIG:
                return pool_print(
                                pool,
                                "%s says that packets above %u bytes are too big, and it is right. Smaller "
                                "ones pass; to send larger ones, raise the MTU of that router's link.",
                                by, verdict->size);
        case VERDICT_BLACK_HOLE:
                return pool_print(pool, "%s%s", explain_black_hole(pool, verdict, host, interface),
                                  verdict->after_hop == 0
                                                  ? ""
                                                  : " Or this machine's own firewall may drop what a router "
                                                    "reports: nft list ruleset shows it.");
        case VERDICT_FALSE_TOO_BIG:
                if (verdict->reported > verdict->size)
                        return pool_print(
                                        pool,
                                        "%s says that %u bytes would pass, but no more than %u do. Correct "
                                        "that router, or give the route a locked MTU of %u.",
                                        by, verdict->reported, verdict->size, common);
                return pool_print(pool,
                                  "%s says that packets above %u bytes are too big, but those of %u pass. "
                                  "Correct that router: senders that believe it send smaller packets.",
                                  by, verdict->reported, verdict->size);
        case VERDICT_RETURN_PATH:
                return pool_print(pool,
                                  "packets of %u bytes arrive at %s, and answers above %u do not return "
                                  "whole. If ip link show there has an MTU of %u, raise that; otherwise "
                                  "raise the MTU of the return path, or give both ends %u.",
                                  verdict->forward, host, verdict->size, common, common);
        case VERDICT_LOCAL_LIMIT:
                return explain_local_limit(pool, path, result);
        case VERDICT_UNREACHABLE:
                return explain_unreachable(pool, path, result);
        case VERDICT_INCONCLUSIVE:
        case VERDICT_COUNT:
                break;
        }
        return explain_inconclusive(pool, verdict, host);
}

const char *flows_list(struct pool *pool, const struct flows *flows) {
        const char *list = "", *mark = "";
        uint32_t size = UINT32_MAX;
        unsigned n;

        for (; (n = flows_next(flows, &size)) > 0; mark = ", ")
                if (size > 0)
                        list = pool_print(pool, "%s%s%u carr%s %u bytes", list, mark, n,
                                          n == 1 ? "ies" : "y", size);
                else
                        list = pool_print(pool, "%s%s%u had no answer", list, mark, n);
        return list;
}

/* A sentence about them, after a space; empty if there is one flow. */
static const char *explain_flows(struct pool *pool, const struct flows *flows) {
        uint32_t size = UINT32_MAX;
        unsigned n = flows_next(flows, &size);

        if (flows->has_no_udp)
                return " It answers no UDP: no further flow could be probed.";
        if (flows->n <= 1)
                return "";
        if (n == flows->n)
                return pool_print(pool, " All %u flows carry %u bytes.", n, size);
        return pool_print(
                        pool,
                        " Of %u flows, %s: one of several equal links on the way is likely to be at fault.",
                        flows->n, flows_list(pool, flows));
}

/* Whether jumbo frames need nothing but that: other devices depend on those below them. */
static bool can_set_9000(const struct link *link) {
        return link->mtu_max >= 9000 && link->controller_ifindex == 0 &&
               (!link->kind[0] || strcmp(link->kind, "veth") == 0 || stack_is_setter(link));
}

/* With `advice`, which may be empty, after the verdict. */
static const char *text_with(struct pool *pool, const struct path *path, const struct path_result *result,
                             const char *advice) {
        return pool_print(pool, "%s: %s%s%s", verdict_word(result->verdict.kind),
                          explain(pool, path, result), advice, explain_flows(pool, &result->flows));
}

const char *path_text(struct pool *pool, const struct path *path, const struct path_result *result) {
        const struct verdict *verdict = &result->verdict;
        const char *advice = "";
        char word[TEXT_SHELL_WORD_SIZE];

        if (verdict->kind == VERDICT_OK && !verdict->is_one_way && verdict->size <= MTU_ETHERNET &&
            can_set_9000(&path->link))
                advice = pool_print(pool, " For jumbo frames: setmtu set %s 9000 --probe %s",
                                    text_shell_word(word, path->link.name), path->host);
        return text_with(pool, path, result, advice);
}

void path_log(enum log_priority priority, const struct path *path, const struct path_result *result) {
        CLEANUP(pool_free) struct pool pool = { 0 };
        /* No advice: who sets an MTU has chosen one. */
        const char *text = text_with(&pool, path, result, "");

        log_message(priority, "%s: %s", path->link.name,
                    pool.failed ? verdict_word(result->verdict.kind) : text);
}
