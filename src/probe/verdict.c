/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "probe/verdict.h"

#include "base/exit_code.h"

static const struct {
        const char *word;
        int exit_code; /* enum exit_code */
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
        return kinds[kind].exit_code;
}

bool verdict_carries(const struct verdict *verdict, uint32_t size) {
        return verdict->kind != VERDICT_UNREACHABLE && verdict->kind != VERDICT_INCONCLUSIVE &&
               verdict->size >= size;
}

const char *verdict_cause_word(enum verdict_cause cause) {
        static const char *const words[VERDICT_CAUSES] = {
                [VERDICT_CAUSE_HOST] = "host",
                [VERDICT_CAUSE_LINK] = "link",
        };

        return words[cause];
}

uint32_t verdict_common_mtu(uint32_t limit) {
        static const uint32_t common[] = { 1500, 4000, 9000 };

        for (size_t i = 0; i < sizeof(common) / sizeof(common[0]); i++)
                if (limit >= common[i] && limit <= common[i] + 22)
                        return common[i];
        return limit;
}

static void explain_ok(FILE *stream, const struct verdict *verdict, const char *host) {
        if (!verdict->is_one_way) {
                fprintf(stream, "packets of %u bytes pass to %s and back.", verdict->size, host);
                if (verdict->size <= 1500)
                        fprintf(stream, " For jumbo frames: setmtu probe --size 9000 %s", host);
        } else
                fprintf(stream, "packets of %u bytes arrive at %s. %s", verdict->size, host,
                        verdict->may_echo
                                        ? "It answers no echo requests, so the way back is not known. Probe "
                                          "from there as well."
                                        : "This user may not send echo requests "
                                          "(net.ipv4.ping_group_range), so the way back is not known. Run "
                                          "this as root, or probe from there as well.");
}

/* The host's own MTU: the first to check, and the cheapest to change. */
static void explain_host(FILE *stream, const struct verdict *verdict, const char *host,
                         const char *interface) {
        fprintf(stream,
                "%s itself has an MTU of %u: it answers larger packets in fragments of that size. Raise it "
                "there: ip link show lists the devices; setmtu set DEVICE %u, ip link set dev DEVICE mtu %u "
                "or its network settings raise it. Then probe again: a switch may have the same limit. Or "
                "give %s an MTU of %u.",
                host, verdict->size, verdict->tried, verdict->tried, interface,
                verdict_common_mtu(verdict->size));
}

/* A drop between `from`, this machine's interface or a router, and `to`, which answers smaller packets. */
static void explain_drop(FILE *stream, const struct verdict *verdict, const char *from, const char *to,
                         const char *interface) {
        uint32_t size = verdict->size, frame = size + 14;
        bool is_local = verdict->after_hop == 0;

        if (verdict->cause == VERDICT_CAUSE_LINK)
                fprintf(stream,
                        "%s between %s and %s drops packets above %u bytes (frames above %u) and does not "
                        "report it. The MTU of %s itself is larger. Raise the limit of every switch and "
                        "port between them",
                        is_local ? "a switch" : "a switch or router", from, to, size, frame, to);
        else
                fprintf(stream,
                        "packets above %u bytes from %s do not arrive at %s, and nothing reports it. Look "
                        "at %s first, with ip link show: if its MTU is %u, raise it there. If it is larger, "
                        "a switch%s between the two drops frames above %u bytes: raise the limit of every "
                        "switch and port there",
                        size, from, to, to, verdict_common_mtu(size), is_local ? "" : " or router", frame);
        if (!is_local)
                fputs(", let the router there send ICMP", stream);
        fprintf(stream, ", or give %s an MTU of %u.", is_local ? interface : "the route",
                verdict_common_mtu(size));
        if (verdict->cause == VERDICT_CAUSE_UNKNOWN)
                fprintf(stream, " %s",
                        verdict->next_is_host && !verdict->may_fragment
                                        ? "Run as root, setmtu probe may tell which of them it is."
                                        : "setmtu cannot tell from here which of them it is.");
}

static void explain_black_hole(FILE *stream, const struct verdict *verdict, const char *host,
                               const char *interface) {
        char router[INET6_ADDRSTRLEN + 32];
        const char *to = verdict->next_is_host ? host : PROBE_ADDRESS_TEXT(&verdict->next);

        snprintf(router, sizeof(router), "hop %d, %s,", verdict->after_hop,
                 PROBE_ADDRESS_TEXT(&verdict->hop));
        if (verdict->after_hop >= 0 && verdict->next.family != AF_UNSPEC)
                explain_drop(stream, verdict, verdict->after_hop == 0 ? interface : router, to, interface);
        else if (verdict->after_hop > 0)
                fprintf(stream,
                        "packets above %u bytes are dropped behind %s and nothing reports it. Let the link "
                        "there carry more and its router send ICMP, or give the route an MTU of %u.",
                        verdict->size, router, verdict_common_mtu(verdict->size));
        else
                fprintf(stream,
                        "packets above %u bytes are dropped on the way to %s or back, and nothing reports "
                        "it or tells where. Look at the MTU of %s first, with ip link show there; then ask "
                        "who runs the network, or give the route an MTU of %u.",
                        verdict->size, host, host, verdict_common_mtu(verdict->size));
}

static void explain_unreachable(FILE *stream, const struct verdict *verdict, const char *host) {
        if (verdict->by.family != AF_UNSPEC)
                fprintf(stream, "%s says that %s cannot be reached. ", PROBE_ADDRESS_TEXT(&verdict->by),
                        host);
        else if (verdict->size > 0)
                fprintf(stream, "%s answers packets of %u bytes, and none of the base size. ", host,
                        verdict->size);
        else
                fprintf(stream, "%s does not answer, not even to a small packet. ", host);
        fputs(verdict->size > 0 ? "Look for a link with a very small MTU."
                                : "Is it up, is the route right, and does its firewall let ICMP echo pass?",
              stream);
}

static void explain_inconclusive(FILE *stream, const struct verdict *verdict, const char *host) {
        static const char *const doubts[] = {
                [VERDICT_DOUBT_NONE] = "nothing certain was seen",
                [VERDICT_DOUBT_TIME] = "the time ran out",
                [VERDICT_DOUBT_LOSS] = "too many packets of every size are lost",
                [VERDICT_DOUBT_CHANGE] = "the answers contradict each other, as if the path kept changing",
                [VERDICT_DOUBT_INTERRUPTED] = "interrupted",
                [VERDICT_DOUBT_FLOWS] = "some flows had no answer at all",
        };

        fputs(doubts[verdict->doubt], stream);
        if (verdict->size > 0)
                fprintf(stream, "; %u bytes pass to %s%s", verdict->size, host,
                        verdict->is_one_way ? "" : " and back");
        if (verdict->high > 0)
                fprintf(stream,
                        verdict->high <= verdict->forward
                                        ? "; %u bytes arrive there and did not come back whole"
                                        : "; %u bytes had no answer yet",
                        verdict->high);
        fprintf(stream, ". Try again%s.",
                verdict->doubt == VERDICT_DOUBT_NONE || verdict->doubt == VERDICT_DOUBT_FLOWS ? ""
                : verdict->doubt == VERDICT_DOUBT_INTERRUPTED ? ", and let it end by itself"
                                                              : ", with a longer --timeout");
}

void verdict_explain(FILE *stream, const struct verdict *verdict, const char *host, const char *interface) {
        const char *by = PROBE_ADDRESS_TEXT(&verdict->by);

        if (verdict->cause == VERDICT_CAUSE_HOST)
                explain_host(stream, verdict, host, interface);
        else if (verdict->kind == VERDICT_OK)
                explain_ok(stream, verdict, host);
        else if (verdict->kind == VERDICT_TOO_BIG)
                fprintf(stream,
                        "%s says that packets above %u bytes are too big, and it is right. Smaller ones "
                        "pass; to send larger ones, raise the MTU of that router's link.",
                        by, verdict->size);
        else if (verdict->kind == VERDICT_BLACK_HOLE)
                explain_black_hole(stream, verdict, host, interface);
        else if (verdict->kind == VERDICT_FALSE_TOO_BIG && verdict->said > verdict->size)
                fprintf(stream,
                        "%s says that %u bytes would pass, but no more than %u do. Correct that router, or "
                        "give the route a locked MTU of %u.",
                        by, verdict->said, verdict->size, verdict_common_mtu(verdict->size));
        else if (verdict->kind == VERDICT_FALSE_TOO_BIG)
                fprintf(stream,
                        "%s says that packets above %u bytes are too big, but those of %u pass. Correct "
                        "that router: senders that believe it send smaller packets.",
                        by, verdict->said, verdict->size);
        else if (verdict->kind == VERDICT_RETURN_PATH)
                fprintf(stream,
                        "packets of %u bytes arrive at %s, and answers above %u do not come back whole. "
                        "Look at %s first, with ip link show: if its MTU is %u, raise it there; then raise "
                        "the MTU of the way back from there, or give both ends %u.",
                        verdict->forward, host, verdict->size, host, verdict_common_mtu(verdict->size),
                        verdict_common_mtu(verdict->size));
        else if (verdict->kind == VERDICT_LOCAL_LIMIT)
                fprintf(stream,
                        "packets of %u bytes pass to %s and back, and %s sends no larger ones: its MTU is "
                        "%u. Raise that: setmtu try %s %u --probe %s",
                        verdict->size, host, interface, verdict->local_mtu, interface, verdict->tried, host);
        else if (verdict->kind == VERDICT_UNREACHABLE)
                explain_unreachable(stream, verdict, host);
        else
                explain_inconclusive(stream, verdict, host);
}
