/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "probe/drop.h"

#include <math.h>

/* By hop ---------------------------------------------------------------------------------------------- */

#define TTL_LARGEST 30
#define TTL_UNKNOWN 8
#define HOP_ROUNDS_MAX 4
/* By then a router that is limited to one answer per second can answer again. */
#define LAST_ROUND_S 1.1

struct hop {
        bool has_large; /* the size that is lost got this far */
        bool has_small; /* the size that passes was answered from here */
        bool is_host;
        struct net_address address;
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
                bool is_host = record->outcome & PROBE_ANSWERED;
                struct hop *hop = &ret->hops[record->probe.ttl];

                if (record->probe.ttl == 0 || (record->outcome != PROBE_EXCEEDED && !is_host))
                        continue;
                hop->has_large |= record->probe.size == drop->fails;
                hop->has_small |= record->probe.size != drop->fails;
                hop->is_host |= is_host;
                hop->address = record->from;
        }
        for (int i = 1; i <= TTL_LARGEST; i++)
                if (ret->hops[i].has_large && !ret->hops[i].is_host)
                        ret->reached = i;
        for (int i = TTL_LARGEST; i > ret->reached; i--)
                if (ret->hops[i].has_small)
                        ret->beyond = i;
}

static void queue_hops(struct drop *drop, struct evidence *evidence) {
        struct hop_view view;
        int last = drop->ttl_last;

        look_at_hops(drop, evidence, &view);
        if (drop->n_rounds > 0)
                last = view.beyond > 0 ? view.beyond : last + TTL_UNKNOWN;
        if (last > TTL_LARGEST)
                last = TTL_LARGEST;
        if (drop->n_rounds == HOP_ROUNDS_MAX - 1 && evidence->now < drop->begin + LAST_ROUND_S)
                evidence->due = drop->begin + LAST_ROUND_S;
        /* Large probes first: if a router seldom answers, they matter more. */
        for (int i = view.reached + 1; i <= last; i++)
                if (!view.hops[i].has_large)
                        evidence_add(evidence, evidence->kind, drop->fails, (uint8_t)i, 0);
        for (int i = view.reached + 1; i <= last; i++)
                if (!view.hops[i].has_small)
                        evidence_add(evidence, evidence->kind, drop->passes, (uint8_t)i, 0);
        drop->ttl_last = (uint8_t)last;
        drop->n_rounds++;
}

/* By UDP ---------------------------------------------------------------------------------------------- */

/* The answers needed: one if the size passes; if not, two to smaller probes sent after it. */
#define LEAST 2
#define ASKED_MAX 6
#define STEP_S 0.02
/* Probes of the lost size per round. */
#define AGAIN 4

double drop_udp_left(const struct drop *drop, double now) {
        return fmin(drop->left + now - drop->left_at, DROP_UDP_BURST);
}

void drop_set_udp_left(struct drop *drop, double left, double now) {
        drop->left = fmax(left, 0);
        drop->left_at = now;
}

/* Whether the size is certainly lost on the forward path. */
static bool is_forward(const struct drop *drop, const struct evidence *evidence) {
        return evidence->kind == PROBE_FORWARD ||
               evidence_is_no_accident(evidence, evidence->kind, drop->passes, drop->n_there);
}

bool drop_is_likely_forward(const struct drop *drop, const struct evidence *evidence) {
        /* If the host answers no UDP, the direction is unknown. */
        return !drop->has_answered || drop->n_there > 0 || is_forward(drop, evidence) ||
               evidence_is_no_accident(evidence, evidence->kind, drop->passes, drop->n_hints * AGAIN);
}

void drop_queue_udp(struct drop *drop, struct evidence *evidence, bool may_wait) {
        double wait = LEAST - drop_udp_left(drop, evidence->now);

        /* Also if the answers so far suffice. */
        if (!drop->has_forward || drop->n_asked >= ASKED_MAX || is_forward(drop, evidence) ||
            (wait > 0 && !may_wait))
                return;
        drop->n_asked++;
        for (int i = 0; i < AGAIN; i++)
                evidence_add(evidence, PROBE_FORWARD, drop->fails, 0, i > 0 ? STEP_S : wait > 0 ? wait : 0);
        evidence_add(evidence, PROBE_FORWARD, drop->full, 0, 0);
        /* Controls after them: two answers show that no rate limit held the others back. One may be lost. */
        for (int i = 0; i < 3; i++)
                evidence_add(evidence, PROBE_FORWARD, drop->control, 0, STEP_S);
}

void drop_weigh_udp(struct drop *drop, const struct evidence *evidence) {
        unsigned first = evidence->round_first,
                 n_controls = evidence_count(evidence, first, PROBE_FORWARD, drop->control, ~0u),
                 n_answered = evidence_count(evidence, first, PROBE_FORWARD, drop->control, PROBE_WHOLE);
        double last, left = drop_udp_left(drop, evidence->now) - n_controls + n_answered;

        if (evidence->kind == PROBE_FORWARD || n_controls == 0 || !drop->has_answered)
                return;
        /* A control ends the round. */
        last = evidence->probes[evidence->n_probes - 1].sent;
        /* Missing answers were lost, or held back by the rate limit. */
        if (n_answered < n_controls)
                drop_set_udp_left(drop, n_answered < 2 ? 0 : left, evidence->now);
        /* The host could have answered an earlier probe, unless it regained this answer just then. */
        if (n_answered == 1)
                drop->n_hints++;
        /* The host regains one answer per second: with two left, it had one for each probe of that
         * second. */
        for (unsigned i = first; n_answered >= 2 && i < evidence->n_probes; i++) {
                const struct probe_record *record = &evidence->probes[i];

                drop->n_there += record->probe.kind == PROBE_FORWARD && record->probe.ttl == 0 &&
                                 record->probe.size == drop->fails && record->outcome == PROBE_SILENT &&
                                 record->sent > last - 1;
        }
}

/* By fragments ---------------------------------------------------------------------------------------- */

#define FRAGMENTED_COUNT 6
/* Beyond the lost size, by more than VLAN tags add. */
#define FRAGMENTED_EXCESS 100

static uint32_t fragmented_size(const struct drop *drop) {
        uint32_t size = drop->fails + FRAGMENTED_EXCESS;

        return size < PROBE_SIZE_LARGEST ? size : PROBE_SIZE_LARGEST;
}

static void queue_fragmented(const struct drop *drop, struct evidence *evidence) {
        /* The size that passes must be sent in fragments, too, to show that fragments are carried. */
        if (!drop->has_fragmented || evidence->kind != PROBE_ECHO || drop->passes <= PROBE_FRAGMENT_SIZE)
                return;
        for (int i = 0; i < FRAGMENTED_COUNT; i++) {
                evidence_add(evidence, PROBE_FRAGMENTED, fragmented_size(drop), 0, STEP_S);
                evidence_add(evidence, PROBE_FRAGMENTED, drop->passes, 0, 0);
        }
}

/* Fragments are counted in units of 8 bytes. */
bool drop_is_of_host(const struct evidence *evidence, enum probe_kind kind, uint32_t low) {
        uint32_t piece = evidence->pieces[kind];

        return piece <= low && piece + 8 > low && routers_passed(evidence->answer_ttl) == 0;
}

static enum verdict_cause cause_of(const struct drop *drop, const struct evidence *evidence) {
        uint32_t size = fragmented_size(drop), piece = evidence->pieces[PROBE_FRAGMENTED];
        unsigned n_lost = evidence_count(evidence, drop->first, PROBE_FRAGMENTED, size, PROBE_SILENT);

        if (drop_is_of_host(evidence, PROBE_FRAGMENTED, drop->passes))
                return VERDICT_CAUSE_HOST;
        if (evidence_count(evidence, drop->first, PROBE_FRAGMENTED, size, PROBE_WHOLE) > 0 ||
            piece > drop->passes ||
            evidence_is_no_accident(evidence, PROBE_FRAGMENTED, drop->passes, n_lost))
                return VERDICT_CAUSE_LINK;
        return VERDICT_CAUSE_UNKNOWN;
}

/* All methods ------------------------------------------------------------------------------------------- */

void drop_locate(struct drop *drop, struct evidence *evidence) {
        int n_routers = routers_passed(evidence->answer_ttl);

        drop->n_rounds = 0;
        drop->begin = evidence->now;
        drop->first = evidence->n_probes;
        /* Two more than the likely number, in case the return path is shorter. */
        drop->ttl_last = (uint8_t)(n_routers < 0 ? TTL_UNKNOWN : n_routers + 3);
        queue_hops(drop, evidence);
        queue_fragmented(drop, evidence);
        drop_queue_udp(drop, evidence, false);
}

void drop_locate_further(struct drop *drop, struct evidence *evidence) {
        struct hop_view view;
        bool is_certain, are_known;

        look_at_hops(drop, evidence, &view);
        is_certain = (!drop->has_forward || is_forward(drop, evidence)) && view.beyond == view.reached + 1;
        are_known = drop->n_rounds >= (is_certain ? HOP_ROUNDS_MAX - 1 : HOP_ROUNDS_MAX);
        if (!are_known)
                queue_hops(drop, evidence);
        if (!are_known || drop->has_answered)
                drop_queue_udp(drop, evidence, are_known);
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
