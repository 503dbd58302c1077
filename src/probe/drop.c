/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "probe/drop.h"

#include <math.h>

/* Probes of the size that is lost to the hop that only smaller ones reach. */
#define LARGE_LEAST 3
/* Smaller probes after those of the size that is lost: they show that answers come. */
#define CONTROLS 2
/* In this time a Linux host, and many a router, has another answer to send. */
#define REGAIN_S 1.0
#define STEP_S 0.01

/* By hop ---------------------------------------------------------------------------------------------- */

#define TTL_LARGEST 30
#define TTL_UNKNOWN 8
/* The routers that are asked at once: most limits are near. */
#define TTL_FIRST 4
#define HOP_ROUNDS_MAX 4

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

static int routers_before(const struct evidence *evidence) {
        int n = routers_passed(evidence->answer_ttl);

        return n < 0 ? TTL_UNKNOWN : n;
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

/* First to the routers by the size that is lost, then to the one behind those that it reaches by both; it
 * may be the host. Then further: the return path may be shorter. */
static void queue_hops(const struct drop *drop, struct evidence *evidence, const struct hop_view *view) {
        int n_routers = routers_before(evidence), next = view->reached + 1, last;
        /* As likely as not the host, to which the size is lost already. */
        bool is_host = drop->n_rounds > 0 && drop->n_rounds <= 2 && next > n_routers;

        if (drop->n_rounds == 0)
                last = next == 1 && n_routers > TTL_FIRST ? TTL_FIRST : n_routers;
        else if (drop->n_rounds == 1 || is_host)
                last = next;
        else
                last = view->beyond > 0 ? view->beyond
                                        : n_routers + 3 + TTL_UNKNOWN * ((int)drop->n_rounds - 2);
        if (last > TTL_LARGEST)
                last = TTL_LARGEST;
        /* Large probes first: if a router seldom answers, they matter more. */
        for (int i = next; i <= last && !is_host; i++)
                for (int n = drop->n_rounds > 0 && i == next ? 2 : 1; n > 0 && !view->hops[i].is_host; n--)
                        evidence_add(evidence, evidence->kind, drop->fails, (uint8_t)i, 0);
        for (int i = next; i <= last && drop->n_rounds > 0; i++)
                if (view->hops[i].address.size == 0)
                        evidence_add(evidence, evidence->kind, drop->passes, (uint8_t)i, 0);
}

/* By small answers: of a router where a TTL ends, of the host to UDP -------------------------------------
 */

#define PROOF_MAX 8
#define ASKED_MAX 6
#define TRIALS_MAX 3 /* without any answer */

double drop_udp_left(const struct drop *drop, double now) {
        return fmin(now - drop->spent_at, DROP_UDP_BURST);
}

void drop_set_udp_left(struct drop *drop, double left, double now) {
        drop->spent_at = now - fmax(left, 0);
}

/* Whether the probe was lost on the way there, or by accident: its answer is no larger than those to at
 * least so many smaller ones after it, and whoever gave them had one for it as well. */
static bool is_lost_there(const struct drop *drop, const struct evidence *evidence,
                          const struct probe_record *lost, unsigned least) {
        bool is_udp = lost->probe.kind == PROBE_FORWARD;

        if (lost->probe.size != drop->fails || !(lost->outcome & (PROBE_SILENT | PROBE_UNKNOWN)) ||
            is_udp != (lost->probe.ttl == 0) ||
            (is_udp && evidence_forward(evidence, drop->first) > drop->passes))
                return false;
        for (unsigned i = lost->probe.id + 1; i < evidence->n_probes && least > 0; i++) {
                const struct probe_record *record = &evidence->probes[i];
                bool is_answered = is_udp ? record->outcome == PROBE_WHOLE
                                          : record->outcome == PROBE_EXCEEDED &&
                                                                   record->probe.ttl == lost->probe.ttl;

                least -= is_answered && record->probe.kind == lost->probe.kind &&
                         record->probe.size == drop->passes && record->sent - lost->sent < REGAIN_S;
        }
        return least == 0;
}

static unsigned count_lost_there(const struct drop *drop, const struct evidence *evidence, unsigned least) {
        struct hop_view view;
        unsigned n = 0;

        look_at_hops(drop, evidence, &view);
        for (unsigned i = evidence->since; i < evidence->n_probes && evidence->kind == PROBE_ECHO; i++) {
                const struct probe_record *record = &evidence->probes[i];

                n += (record->probe.ttl == 0 || record->probe.ttl > view.reached) &&
                     is_lost_there(drop, evidence, record, least);
        }
        return n;
}

unsigned drop_count_there(const struct drop *drop, const struct evidence *evidence) {
        return count_lost_there(drop, evidence, CONTROLS);
}

bool drop_is_forward(const struct drop *drop, const struct evidence *evidence) {
        return evidence->kind == PROBE_FORWARD ||
               drop_count_there(drop, evidence) >= evidence_needed(evidence, PROBE_ECHO, drop->passes, 0);
}

bool drop_is_likely_forward(const struct drop *drop, const struct evidence *evidence) {
        /* If the host answers no UDP, the direction is unknown. With one answer, a probe before it could
         * have been answered, unless the host regained this answer just then. */
        return (!drop->has_answered && drop->n_asked > 1) || evidence->kind == PROBE_FORWARD ||
               drop_count_there(drop, evidence) > 0 ||
               count_lost_there(drop, evidence, 1) >= evidence_needed(evidence, PROBE_ECHO, drop->passes, 0);
}

/* How many of the lost size are missing. Those of a moment ago count: their controls are to come. */
static unsigned proof_missing(const struct drop *drop, const struct evidence *evidence, enum probe_kind kind,
                              int ttl) {
        unsigned needed = evidence_needed(evidence, evidence->kind, drop->passes, CONTROLS), n_lost = 0;

        for (unsigned i = evidence->since; i < evidence->n_probes; i++) {
                const struct probe_record *record = &evidence->probes[i];
                bool is_recent = record->outcome == PROBE_SILENT && record->probe.size == drop->fails &&
                                 evidence->due - record->sent < REGAIN_S / 2;

                n_lost += record->probe.kind == kind && record->probe.ttl == ttl &&
                          (is_recent || is_lost_there(drop, evidence, record, CONTROLS));
        }
        if (needed > PROOF_MAX)
                needed = PROOF_MAX;
        return needed > n_lost ? needed - n_lost : 0;
}

static void queue_controls(const struct drop *drop, struct evidence *evidence, unsigned n) {
        for (unsigned i = 0; i < n; i++)
                evidence_add(evidence, drop->control.kind, drop->control.size, drop->control.ttl, STEP_S);
}

/* Sends what is lost so often that it is known to be lost on the way there, and then the controls. */
static void queue_proof(struct drop *drop, struct evidence *evidence, enum probe_kind kind, int ttl,
                        int ttl_controls) {
        unsigned n = proof_missing(drop, evidence, kind, ttl);

        /* An answer to the first one makes the others needless. */
        for (unsigned i = 0; i < n; i++)
                evidence_add(evidence, kind, drop->fails, (uint8_t)ttl,
                             i == 1 ? STEP_S + evidence->rtt : STEP_S);
        drop->control = (struct probe){ .kind = kind, .size = drop->passes, .ttl = (uint8_t)ttl_controls };
        queue_controls(drop, evidence, CONTROLS);
}

/* Without `may_wait`, only if the host has answers left for them. */
static void queue_udp(struct drop *drop, struct evidence *evidence, int ttl_controls, bool may_wait) {
        /* A host that has answered nothing so far may answer no UDP at all. */
        bool is_trial = drop->n_asked > 0 && !drop->has_answered;
        double wait = (is_trial ? 1 : CONTROLS) - drop_udp_left(drop, evidence->now);

        if (!drop->has_forward || drop->n_asked >= (is_trial ? TRIALS_MAX : ASKED_MAX) ||
            drop_is_forward(drop, evidence) || (wait > 0 && !may_wait))
                return;
        drop->n_asked++;
        evidence->due += fmax(wait, 0);
        if (is_trial) {
                evidence_add(evidence, PROBE_FORWARD, drop->fails, 0, STEP_S);
                drop->control = (struct probe){ .kind = PROBE_FORWARD, .size = drop->passes };
                queue_controls(drop, evidence, 1);
        } else
                queue_proof(drop, evidence, PROBE_FORWARD, 0, ttl_controls);
}

void drop_weigh(struct drop *drop, const struct evidence *evidence) {
        unsigned n_answered = 0, n_missing = 0;
        double last = 0;

        for (unsigned i = evidence->round_first; i < evidence->n_probes && evidence->kind == PROBE_ECHO;
             i++) {
                const struct probe_record *record = &evidence->probes[i];

                if (record->probe.kind != drop->control.kind || record->probe.ttl != drop->control.ttl ||
                    record->probe.size != drop->control.size)
                        continue;
                last = fmax(last, record->sent);
                n_answered += (record->outcome & (PROBE_WHOLE | PROBE_EXCEEDED)) > 0;
                n_missing += record->outcome == PROBE_SILENT;
        }
        drop->is_unsure = n_missing > 0 && n_answered > 0;
        /* Missing answers were lost, or held back by the rate limit. */
        if (n_missing > 0 && drop->control.kind == PROBE_FORWARD)
                drop_set_udp_left(drop, n_answered == 0 ? 0 : drop_udp_left(drop, last) - n_missing, last);
}

/* By fragments ---------------------------------------------------------------------------------------- */

/* Of the size that passes, until one is answered: it shows that fragments are carried. */
#define FRAGMENTED_SMALL 2
/* Of the larger size, at most. */
#define FRAGMENTED_MAX 10
/* Beyond the lost size, by more than VLAN tags add. */
#define FRAGMENTED_EXCESS 100

/* How often the larger size came to one of these outcomes. */
static unsigned count_fragmented(const struct drop *drop, const struct evidence *evidence,
                                 unsigned outcomes) {
        return evidence_count(evidence, drop->first, PROBE_FRAGMENTED, drop->fails + FRAGMENTED_EXCESS,
                              outcomes);
}

/* Whether the host takes fragments and answers them. */
static bool takes_fragments(const struct drop *drop, const struct evidence *evidence) {
        return evidence_count(evidence, drop->first, PROBE_FRAGMENTED, drop->passes, PROBE_WHOLE) > 0;
}

/* `n_more`: smaller probes of other kinds that are sent with them. */
static void queue_fragmented(const struct drop *drop, struct evidence *evidence, unsigned n_more) {
        unsigned n_small = evidence_count(evidence, drop->first, PROBE_FRAGMENTED, drop->passes, ~0u),
                 n_sent = count_fragmented(drop, evidence, ~0u), n;
        bool is_taken = takes_fragments(drop, evidence);

        /* The size that passes must be sent in fragments, too. */
        if (!drop->has_fragmented || evidence->kind != PROBE_ECHO || drop->passes <= PROBE_FRAGMENT_SIZE ||
            drop->fails + FRAGMENTED_EXCESS > PROBE_SIZE_LARGEST ||
            count_fragmented(drop, evidence, PROBE_ANSWERED) > 0)
                return;
        n = evidence_needed(evidence, PROBE_FRAGMENTED, drop->passes, n_small == 0 ? 1 + n_more : 0);
        if (n > FRAGMENTED_MAX)
                n = FRAGMENTED_MAX;
        /* An answer to the first one makes the others needless. */
        for (unsigned i = n_sent; i < n && (n_small == 0 || is_taken || i == 0); i++)
                evidence_add(evidence, PROBE_FRAGMENTED, drop->fails + FRAGMENTED_EXCESS, 0,
                             i == 1 ? STEP_S + evidence->rtt : STEP_S);
        if (!is_taken && n_small < FRAGMENTED_SMALL)
                evidence_add(evidence, PROBE_FRAGMENTED, drop->passes, 0, STEP_S);
}

/* Fragments are counted in units of 8 bytes. */
bool drop_is_of_host(const struct evidence *evidence, enum probe_kind kind, uint32_t low) {
        uint32_t piece = evidence->pieces[kind];

        return piece <= low && piece + 8 > low && routers_passed(evidence->answer_ttl) == 0;
}

static enum verdict_cause cause_of(const struct drop *drop, const struct evidence *evidence) {
        if (drop_is_of_host(evidence, PROBE_FRAGMENTED, drop->passes))
                return VERDICT_CAUSE_HOST;
        if (count_fragmented(drop, evidence, PROBE_WHOLE) > 0 ||
            evidence->pieces[PROBE_FRAGMENTED] > drop->passes ||
            (takes_fragments(drop, evidence) &&
             count_fragmented(drop, evidence, PROBE_SILENT) >=
                             evidence_needed(evidence, PROBE_FRAGMENTED, drop->passes, 0)))
                return VERDICT_CAUSE_LINK;
        return VERDICT_CAUSE_UNKNOWN;
}

/* All methods ------------------------------------------------------------------------------------------- */

void drop_begin(struct drop *drop, const struct evidence *evidence, uint32_t passes) {
        drop->passes = passes;
        drop->fails = passes + 1;
        drop->n_rounds = 0;
        drop->is_unsure = false;
        /* A host that has answered nothing so far may answer no UDP at all. */
        if (drop->has_answered)
                drop->n_asked = 0;
        drop->first = evidence->n_probes;
}

/* UDP passes. Of equal links echo may take another one: the routers say whether it arrives there. */
static void queue_check(struct drop *drop, struct evidence *evidence, const struct hop_view *view) {
        int n_routers = routers_before(evidence), next = view->reached + 1;
        unsigned n_asked = view->hops[next].n_large;

        if (next > n_routers || n_asked > 1 ||
            evidence_count(evidence, 0, PROBE_ECHO, drop->fails, PROBE_PIECES) > 0)
                return;
        if (n_asked == 1)
                queue_proof(drop, evidence, PROBE_ECHO, next, next);
        for (int i = next; i <= n_routers && n_asked == 0; i++)
                evidence_add(evidence, PROBE_ECHO, drop->fails, (uint8_t)i, 0);
}

void drop_locate(struct drop *drop, struct evidence *evidence, bool may_wait) {
        bool is_echo = evidence->kind == PROBE_ECHO, is_known, is_host;
        unsigned n_probes = evidence->n_probes;
        int n_routers = routers_before(evidence), next;
        struct hop_view view;
        const struct hop *beyond;

        if (drop->is_unsure) {
                drop->is_unsure = false;
                queue_controls(drop, evidence, CONTROLS);
                return;
        }
        look_at_hops(drop, evidence, &view);
        next = view.reached + 1;
        beyond = &view.hops[view.beyond];
        if (is_echo && evidence_forward(evidence, drop->first) > drop->passes) {
                queue_check(drop, evidence, &view);
                return;
        }
        is_known = drop->n_rounds >= HOP_ROUNDS_MAX ||
                   (view.beyond == next && (beyond->is_host || beyond->n_large >= LARGE_LEAST));
        /* Without routers there is no hop to be found first; and there may be more of them. */
        if (is_echo && drop->n_rounds == 0 && n_routers == 0)
                drop->n_rounds = 1;
        else if (drop->n_rounds == 1 && view.reached == TTL_FIRST && n_routers > TTL_FIRST &&
                 view.hops[next].n_large == 0)
                drop->n_rounds = 0;
        is_host = beyond->is_host || (is_echo && drop->n_rounds == 1 && view.reached == n_routers);
        if (is_echo && drop->n_rounds == 0 && drop->has_forward) {
                /* If it is lost on the way back alone, an answer comes before the routers are asked. */
                if (evidence_count(evidence, 0, PROBE_FORWARD, drop->fails, PROBE_SILENT) == 0) {
                        evidence_add(evidence, PROBE_FORWARD, drop->fails, 0, STEP_S);
                        evidence->due += evidence->rtt;
                } else if (evidence->rtt > EVIDENCE_NEAR_S)
                        evidence_add(evidence, PROBE_ECHO, drop->fails, 0, STEP_S);
        } else if (is_echo && drop->n_rounds == 1 && !is_host && !is_known)
                queue_proof(drop, evidence, PROBE_ECHO, next, next);
        else
                queue_udp(drop, evidence, !is_known && drop->n_rounds == 1 ? next : 0, may_wait && is_known);
        if (!is_known && (drop->n_rounds != 1 || evidence->n_probes == n_probes))
                queue_hops(drop, evidence, &view);
        if (is_host)
                queue_fragmented(drop, evidence, evidence->n_probes > n_probes ? CONTROLS : 0);
        drop->n_rounds++;
}

void drop_tell(const struct drop *drop, const struct evidence *evidence, struct verdict *verdict) {
        struct hop_view view;

        look_at_hops(drop, evidence, &view);
        verdict->has_direction = drop_is_forward(drop, evidence);
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
