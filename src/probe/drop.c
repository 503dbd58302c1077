/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "probe/drop.h"

#include <math.h>

/* By hop ---------------------------------------------------------------------------------------------- */

#define TTL_LARGEST 30
#define TTL_UNKNOWN 8
#define HOP_ROUNDS_MAX 4
/* Probes of the size that is lost to the hop that only smaller ones reach. */
#define LARGE_LEAST 3

struct hop {
        unsigned n_large; /* probes of the size that is lost */
        bool is_host;
        struct net_address address; /* whose answer came from here */
};

struct hop_view {
        struct hop hops[TTL_LARGEST + 1]; /* by TTL */
        int reached;                      /* the last hop that the large size reaches; 0: none */
        int beyond;                       /* the first hop after it that answers the small size; 0: none */
};

/* How many routers an answer with this TTL has probably passed; -1: unknown. Systems start at 32, 64, 128 or
 * 255. */
static int routers_passed(uint8_t answer_ttl) {
        static const uint8_t begins[] = { 32, 64, 128, 255 };

        for (size_t i = 0; answer_ttl > 0 && i < sizeof(begins); i++)
                if (answer_ttl <= begins[i])
                        return begins[i] - answer_ttl;
        return -1;
}

static void look_at_hops(const struct drop *drop, const struct evidence *evidence, struct hop_view *ret) {
        *ret = (struct hop_view){ .reached = 0 };
        for (unsigned i = drop->first; i < evidence->n_probes; i++) {
                const struct probe_record *record = &evidence->probes[i];
                bool is_large = record->probe.size == drop->fails;
                bool is_host = !is_large && (record->outcome & PROBE_ANSWERED);
                struct hop *hop = &ret->hops[record->probe.ttl];

                hop->n_large += is_large;
                if (record->probe.ttl == 0 || (record->outcome != PROBE_EXCEEDED && !is_host))
                        continue;
                if (is_large && record->probe.ttl > ret->reached)
                        ret->reached = record->probe.ttl;
                hop->is_host |= is_host;
                hop->address = record->from;
        }
        for (int i = TTL_LARGEST; i > ret->reached; i--)
                if (ret->hops[i].address.size > 0)
                        ret->beyond = i;
}

static void queue_hops(struct drop *drop, struct evidence *evidence) {
        int n_routers = routers_passed(evidence->answer_ttl), last;
        struct hop_view view;

        look_at_hops(drop, evidence, &view);
        if (n_routers < 0)
                n_routers = TTL_UNKNOWN;
        /* First to all routers by the size that is lost, then to the one behind by both; it may be the host.
         * Then further: the return path may be shorter. */
        last = drop->n_rounds == 0   ? n_routers
               : drop->n_rounds == 1 ? view.reached + 1
               : view.beyond > 0     ? view.beyond
                                     : n_routers + 3 + TTL_UNKNOWN * ((int)drop->n_rounds - 2);
        if (last > TTL_LARGEST)
                last = TTL_LARGEST;
        /* Then a router that is limited to one answer per second can answer again; and so can the host,
         * which the next hop may be. */
        if (drop->n_rounds == HOP_ROUNDS_MAX - 1 || (evidence->kind == PROBE_FORWARD && drop->n_rounds > 0 &&
                                                     drop_udp_left(drop, evidence->now) < 1))
                evidence->due += DROP_UDP_STEP_S;
        /* Large probes first: if a router seldom answers, they matter more. */
        for (int i = view.reached + 1; i <= last; i++) {
                unsigned n = drop->n_rounds > 0 && i == view.reached + 1 ? 2 : 1;

                if (drop->n_rounds == 1 && i > n_routers)
                        n = 0; /* as likely as not the host, to which it is lost already */
                for (; n > 0 && !view.hops[i].is_host; n--)
                        evidence_add(evidence, evidence->kind, drop->fails, (uint8_t)i, 0);
        }
        for (int i = view.reached + 1; i <= last && drop->n_rounds > 0; i++)
                if (view.hops[i].address.size == 0)
                        evidence_add(evidence, evidence->kind, drop->passes, (uint8_t)i, 0);
        drop->n_rounds++;
}

/* By UDP ---------------------------------------------------------------------------------------------- */

/* The answers needed: one if the size passes; if not, two to smaller probes sent after it. */
#define LEAST 2
#define ASKED_MAX 6
#define TRIALS_MAX 3 /* without any answer */
#define STEP_S 0.01
/* Probes of the lost size per round, and smaller ones, of which one may be lost. */
#define AGAIN 6
#define CONTROLS 3

double drop_udp_left(const struct drop *drop, double now) {
        return fmin(now - drop->spent_at, DROP_UDP_BURST);
}

void drop_set_udp_left(struct drop *drop, double left, double now) {
        drop->spent_at = now - fmax(left, 0);
}

/* Whether the size is certainly lost on the forward path. */
static bool is_forward(const struct drop *drop, const struct evidence *evidence) {
        return evidence->kind == PROBE_FORWARD ||
               drop->n_there >= evidence_needed(evidence, evidence->kind, drop->passes);
}

bool drop_is_likely_forward(const struct drop *drop, const struct evidence *evidence) {
        /* If the host answers no UDP, the direction is unknown. */
        return (!drop->has_answered && drop->n_asked > 1) || drop->n_there > 0 ||
               is_forward(drop, evidence) ||
               drop->n_hints >= evidence_needed(evidence, evidence->kind, drop->passes);
}

/* Without `may_wait`, only if the host has answers left for them. */
static void queue_udp(struct drop *drop, struct evidence *evidence, bool may_wait) {
        /* A host that has answered nothing so far may answer no UDP at all. */
        bool is_trial = drop->n_asked > 0 && !drop->has_answered;
        double wait = (is_trial ? 1 : LEAST) - drop_udp_left(drop, evidence->now);
        /* Or its answers were lost, as others were. */
        unsigned n_lost = evidence_count(evidence, 0, evidence->kind, drop->passes, PROBE_SILENT);

        if (!drop->has_forward || drop->n_asked >= (is_trial ? TRIALS_MAX + n_lost : ASKED_MAX) ||
            is_forward(drop, evidence) || (wait > 0 && !may_wait))
                return;
        drop->n_asked++;
        evidence->due += fmax(wait, 0);
        /* An answer to the first one makes the others needless. */
        for (int i = 0; i < (is_trial ? 1 : AGAIN); i++)
                evidence_add(evidence, PROBE_FORWARD, drop->fails, 0,
                             i == 1 ? STEP_S + evidence->rtt : STEP_S);
        /* Controls after them: two answers show that no rate limit held the others back. */
        for (int i = 0; i < (is_trial ? 1 : CONTROLS); i++)
                evidence_add(evidence, PROBE_FORWARD, drop->passes, 0, STEP_S);
}

void drop_weigh_udp(struct drop *drop, const struct evidence *evidence) {
        unsigned n_controls = 0, n_answered = 0, n_lost = 0;
        double last = 0;

        if (evidence->kind == PROBE_FORWARD)
                return;
        /* The host regains one answer per second: with two left for the controls, it had one for each probe
         * of that second. */
        for (unsigned i = evidence->n_probes; i-- > evidence->round_first;) {
                const struct probe_record *record = &evidence->probes[i];

                if (record->probe.kind != PROBE_FORWARD)
                        continue;
                if (record->probe.size == drop->passes) {
                        last = fmax(last, record->sent);
                        n_controls++;
                        n_answered += record->outcome == PROBE_WHOLE;
                }
                n_lost += record->probe.size == drop->fails && record->outcome == PROBE_SILENT &&
                          record->sent > last - 1;
        }
        /* Missing answers were lost, or held back by the rate limit. */
        if (n_answered < n_controls)
                drop_set_udp_left(drop,
                                  n_answered < 2 ? 0 : drop_udp_left(drop, last) - n_controls + n_answered,
                                  last);
        if (n_answered >= 2)
                drop->n_there += n_lost;
        /* It could have answered them, unless it regained this answer just then. */
        else if (n_answered == 1)
                drop->n_hints += n_lost;
}

/* By fragments ---------------------------------------------------------------------------------------- */

/* Of the larger size, and of the one that passes. */
#define FRAGMENTED_LARGE 6
#define FRAGMENTED_SMALL 4
/* Beyond the lost size, by more than VLAN tags add. */
#define FRAGMENTED_EXCESS 100

static void queue_fragmented(const struct drop *drop, struct evidence *evidence) {
        uint32_t size = drop->fails + FRAGMENTED_EXCESS;

        /* The size that passes must be sent in fragments, too, to show that fragments are carried. */
        if (!drop->has_fragmented || evidence->kind != PROBE_ECHO || drop->passes <= PROBE_FRAGMENT_SIZE ||
            size > PROBE_SIZE_LARGEST ||
            evidence_count(evidence, drop->first, PROBE_FRAGMENTED, size, ~0u) > 0)
                return;
        for (int i = 0; i < FRAGMENTED_LARGE; i++) {
                evidence_add(evidence, PROBE_FRAGMENTED, size, 0, STEP_S);
                if (i < FRAGMENTED_SMALL)
                        evidence_add(evidence, PROBE_FRAGMENTED, drop->passes, 0, 0);
        }
}

/* Fragments are counted in units of 8 bytes. */
bool drop_is_of_host(const struct evidence *evidence, enum probe_kind kind, uint32_t low) {
        uint32_t piece = evidence->pieces[kind];

        return piece <= low && piece + 8 > low && routers_passed(evidence->answer_ttl) == 0;
}

static enum verdict_cause cause_of(const struct drop *drop, const struct evidence *evidence) {
        uint32_t size = drop->fails + FRAGMENTED_EXCESS, piece = evidence->pieces[PROBE_FRAGMENTED];
        unsigned n_lost = evidence_count(evidence, drop->first, PROBE_FRAGMENTED, size, PROBE_SILENT);

        if (drop_is_of_host(evidence, PROBE_FRAGMENTED, drop->passes))
                return VERDICT_CAUSE_HOST;
        if (evidence_count(evidence, drop->first, PROBE_FRAGMENTED, size, PROBE_WHOLE) > 0 ||
            piece > drop->passes || n_lost >= evidence_needed(evidence, PROBE_FRAGMENTED, drop->passes))
                return VERDICT_CAUSE_LINK;
        return VERDICT_CAUSE_UNKNOWN;
}

/* All methods ------------------------------------------------------------------------------------------- */

void drop_begin(struct drop *drop, const struct evidence *evidence, uint32_t passes) {
        drop->passes = passes;
        drop->fails = passes + 1;
        drop->n_rounds = drop->n_asked = drop->n_there = drop->n_hints = 0;
        drop->first = evidence->n_probes;
}

void drop_locate(struct drop *drop, struct evidence *evidence) {
        struct hop_view view;
        const struct hop *beyond;
        bool is_known;

        look_at_hops(drop, evidence, &view);
        beyond = &view.hops[view.beyond];
        is_known = drop->n_rounds == HOP_ROUNDS_MAX ||
                   (view.beyond == view.reached + 1 && (beyond->is_host || beyond->n_large >= LARGE_LEAST));
        if (beyond->is_host)
                queue_fragmented(drop, evidence);
        queue_udp(drop, evidence, is_known);
        if (!is_known)
                queue_hops(drop, evidence);
}

void drop_tell(const struct drop *drop, const struct evidence *evidence, struct verdict *verdict) {
        struct hop_view view;

        look_at_hops(drop, evidence, &view);
        verdict->has_direction = is_forward(drop, evidence);
        if (view.reached == 0 && view.beyond == 0)
                return; /* no router answers at all */
        verdict->after_hop = view.reached;
        verdict->hop = view.hops[view.reached].address;
        if (view.beyond > 0) {
                verdict->next = view.hops[view.beyond].address;
                verdict->next_is_host = view.hops[view.beyond].is_host;
        }
        if (verdict->next_is_host)
                verdict->cause = cause_of(drop, evidence);
}
