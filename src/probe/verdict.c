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

static void explain_ok(FILE *stream, const struct verdict *verdict, const char *host) {
        if (verdict->is_one_way)
                fprintf(stream,
                        "packets of %u bytes arrive at %s. The way back is not known: only UDP could be "
                        "used, for want of an answer to echo, or of the right to send it. Probe from there, "
                        "too.",
                        verdict->size, host);
        else
                fprintf(stream, "packets of %u bytes pass to %s and back. Nothing to do.", verdict->size,
                        host);
}

static void explain_black_hole(FILE *stream, const struct verdict *verdict, const char *host,
                               const char *interface) {
        char hop[INET6_ADDRSTRLEN], next[INET6_ADDRSTRLEN];
        bool has_next = verdict->next.family != AF_UNSPEC;
        const char *to = verdict->next_is_host ? host
                         : has_next            ? probe_address_text(next, &verdict->next)
                                               : NULL;

        if (verdict->after_hop == 0 && to)
                fprintf(stream,
                        "on the local segment, a switch between %s and %s drops frames above %u bytes (with "
                        "their Ethernet header: %u) and says nothing. Let every switch and port there carry "
                        "more, or give %s an MTU of %u.",
                        interface, to, verdict->size, verdict->size + 14, interface, verdict->size);
        else if (verdict->after_hop > 0) {
                fprintf(stream, "packets above %u bytes are dropped after hop %d, %s", verdict->size,
                        verdict->after_hop, probe_address_text(hop, &verdict->hop));
                if (to)
                        fprintf(stream, ", before %s", to);
                fprintf(stream,
                        ", and nobody says so. Let the link there carry more and its router send ICMP, or "
                        "give the route an MTU of %u.",
                        verdict->size);
        } else
                fprintf(stream,
                        "packets above %u bytes are dropped on the way to %s or back, and nobody says so, "
                        "nor where. Ask who runs that network, or give the route an MTU of %u.",
                        verdict->size, host, verdict->size);
}

static void explain_unreachable(FILE *stream, const struct verdict *verdict, const char *host) {
        char by[INET6_ADDRSTRLEN];

        if (verdict->by.family != AF_UNSPEC)
                fprintf(stream, "%s says that %s cannot be reached. ", probe_address_text(by, &verdict->by),
                        host);
        else if (verdict->has_small)
                fprintf(stream, "%s answers packets of %u bytes, and none of the base size. ", host,
                        verdict->size);
        else
                fprintf(stream, "%s answers nothing, not even a small packet. ", host);
        fputs(verdict->has_small ? "Look for a link with a very small MTU."
                                 : "Is it up, is the route right, and does its firewall let ICMP echo pass?",
              stream);
}

static void explain_inconclusive(FILE *stream, const struct verdict *verdict, const char *host) {
        static const char *const whys[] = {
                [VERDICT_DOUBT_NONE] = "nothing certain was seen",
                [VERDICT_DOUBT_TIME] = "the time was up",
                [VERDICT_DOUBT_LOSS] = "too many packets of every size are lost",
                [VERDICT_DOUBT_CHANGE] =
                                "what was seen contradicts itself, as if the path changed all the time",
                [VERDICT_DOUBT_INTERRUPTED] = "interrupted",
        };

        fprintf(stream, "%s", whys[verdict->doubt]);
        if (verdict->size > 0)
                fprintf(stream, "; %u bytes pass to %s", verdict->size, host);
        if (verdict->high > 0)
                fprintf(stream, "; %u had no answer, which proves nothing yet", verdict->high);
        fputs(". Try again, with a longer --timeout.", stream);
}

void verdict_explain(FILE *stream, const struct verdict *verdict, const char *host, const char *interface) {
        char by[INET6_ADDRSTRLEN];

        switch (verdict->kind) {
        case VERDICT_OK:
                explain_ok(stream, verdict, host);
                break;
        case VERDICT_TOO_BIG:
                fprintf(stream,
                        "%s says that packets above %u bytes are too big, and so they are. Who listens to "
                        "it is well; to send more, raise the MTU of that router's link.",
                        probe_address_text(by, &verdict->by), verdict->size);
                break;
        case VERDICT_BLACK_HOLE:
                explain_black_hole(stream, verdict, host, interface);
                break;
        case VERDICT_FALSE_TOO_BIG:
                probe_address_text(by, &verdict->by);
                if (verdict->said > verdict->size)
                        fprintf(stream,
                                "%s says that %u bytes would pass, and no more than %u do. Have it mended, "
                                "or give the route a locked MTU of %u.",
                                by, verdict->said, verdict->size, verdict->size);
                else
                        fprintf(stream,
                                "%s says that packets above %u bytes are too big, and those of %u pass. "
                                "Have it mended: who believes it sends smaller ones.",
                                by, verdict->said, verdict->size);
                break;
        case VERDICT_RETURN_PATH:
                fprintf(stream,
                        "packets of %u bytes arrive at %s, and answers above %u do not come back whole. "
                        "Raise the MTU on its side and on the way from there, or give both ends %u.",
                        verdict->forward, host, verdict->size, verdict->size);
                break;
        case VERDICT_LOCAL_LIMIT:
                fprintf(stream,
                        "packets of %u bytes pass to %s and back, and %s sends no larger ones: its MTU is "
                        "%u. Raise that: setmtu try %s %u --probe %s",
                        verdict->size, host, interface, verdict->local_mtu, interface, verdict->tried, host);
                break;
        case VERDICT_UNREACHABLE:
                explain_unreachable(stream, verdict, host);
                break;
        case VERDICT_INCONCLUSIVE:
                explain_inconclusive(stream, verdict, host);
                break;
        case VERDICT_COUNT:
                break;
        }
}
