/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "probe/evidence.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* The accepted chance that all probes of a size were lost by accident. */
#define DOUBT 1e-4
/* Whatever the chance: some losses come together. */
#define LEAST 5
/* Of small packets, as many as these are taken to have passed before as well, until one is lost: few paths
 * lose one of six. */
#define PASSED_BEFORE 5
/* For the answer to a probe, while no round trip is known. */
#define WAIT_S 0.5

void evidence_add(struct evidence *evidence, enum probe_kind kind, uint32_t size, uint8_t ttl,
                  double after) {
        unsigned id = evidence->n_probes;

        evidence->due += after;
        if (id == PROBE_COUNT_MAX)
                return;
        evidence->probes[id] = (struct probe_record){
                .probe = { .id = id, .kind = kind, .size = size, .ttl = ttl },
                .due = evidence->due,
                .outcome = PROBE_QUEUED,
        };
        evidence->n_probes++;
}

struct probe_record *evidence_next(struct evidence *evidence) {
        for (unsigned i = evidence->round_first; i < evidence->n_probes; i++)
                if (evidence->probes[i].outcome == PROBE_QUEUED)
                        return &evidence->probes[i];
        return NULL;
}

double evidence_round_end(const struct evidence *evidence) {
        double patience = evidence->rtt == 0 ? WAIT_S : fmin(1.5 * evidence->rtt + 0.2, 1), end = 0;

        for (unsigned i = evidence->round_first; i < evidence->n_probes; i++)
                if (evidence->probes[i].outcome == PROBE_WAITING)
                        end = fmax(end, evidence->probes[i].sent + patience);
        return end;
}

void evidence_drop_queued(struct evidence *evidence) {
        while (evidence->n_probes > evidence->round_first &&
               evidence->probes[evidence->n_probes - 1].outcome == PROBE_QUEUED)
                evidence->n_probes--;
}

bool evidence_end_round(struct evidence *evidence) {
        unsigned n = evidence->n_probes;

        evidence->due = evidence->now;
        for (unsigned i = evidence->round_first; i < n; i++) {
                struct probe_record *record = &evidence->probes[i];

                if (record->outcome != PROBE_DOUBTFUL)
                        continue;
                record->outcome = PROBE_SILENT;
                evidence_add(evidence, record->probe.kind, record->probe.size, record->probe.ttl, 0);
        }
        for (unsigned i = evidence->round_first; i < n && evidence->n_probes == n; i++)
                if (evidence->probes[i].outcome == PROBE_WAITING)
                        evidence->probes[i].outcome = PROBE_SILENT;
        return evidence->n_probes > n;
}

/* Probes with a TTL tell about hops, and about the host only if it answers them. */
static bool counts(const struct probe_record *record, enum probe_kind kind) {
        return record->probe.kind == kind && (record->probe.ttl == 0 || (record->outcome & PROBE_ANSWERED));
}

/* The probe that an event without an id is about. An answer proves that the smallest size passes of those
 * that wait, a "too big" that the largest does not. PROBE_ID_UNKNOWN: none, also for probes with a TTL. */
static unsigned find_probe(const struct evidence *evidence, const struct probe_event *event) {
        unsigned id = PROBE_ID_UNKNOWN;

        for (unsigned i = evidence->round_first; i < evidence->n_probes; i++) {
                const struct probe_record *record = &evidence->probes[i];
                uint32_t size = record->probe.size;

                if (record->outcome != PROBE_WAITING || !counts(record, PROBE_FORWARD) ||
                    event->kind == PROBE_EVENT_EXCEEDED)
                        continue;
                if (id == PROBE_ID_UNKNOWN ||
                    (event->kind == PROBE_EVENT_ANSWER ? size < evidence->probes[id].probe.size
                                                       : size > evidence->probes[id].probe.size))
                        id = i;
        }
        return id;
}

static void take_answer(struct evidence *evidence, struct probe_record *record,
                        const struct probe_event *event) {
        /* The answer to UDP is another packet: its fragments do not count. */
        bool is_in_pieces = record->probe.kind != PROBE_FORWARD && event->fragment > 0 &&
                            event->fragment < record->probe.size;
        uint32_t *piece = &evidence->pieces[record->probe.kind];

        record->is_late = record->outcome == PROBE_SILENT;
        record->outcome = is_in_pieces ? PROBE_PIECES : PROBE_WHOLE;
        evidence->rtt = fmax(evidence->rtt, evidence->now - record->sent);
        if (event->ttl > 0 && record->probe.kind == PROBE_ECHO)
                evidence->answer_ttl = event->ttl;
        if (is_in_pieces && event->fragment > *piece && record->probe.id >= evidence->since)
                *piece = event->fragment;
}

/* The probe that was sent before, and met with the same; NULL: none. */
static struct probe_record *find_hinted(struct evidence *evidence, const struct probe_record *record,
                                        const struct probe_event *event) {
        for (unsigned i = evidence->since; i < record->probe.id; i++) {
                struct probe_record *other = &evidence->probes[i];

                if (other->hint.is_short && other->hinted <= record->sent &&
                    other->probe.kind == record->probe.kind && other->probe.size == record->probe.size &&
                    other->probe.ttl == record->probe.ttl && other->hint.kind == event->kind &&
                    other->hint.mtu == event->mtu && net_address_equals(&other->hint.from, &event->from))
                        return other;
        }
        return NULL;
}

/* Takes what came about a probe that was sent. */
static const struct probe_record *take_event(struct evidence *evidence, struct probe_record *record,
                                             const struct probe_event *event) {
        static const enum probe_outcome outcomes[] = {
                [PROBE_EVENT_TOO_BIG] = PROBE_TOO_BIG,
                [PROBE_EVENT_EXCEEDED] = PROBE_EXCEEDED,
                [PROBE_EVENT_REFUSED] = PROBE_REFUSED,
                [PROBE_EVENT_LOCAL] = PROBE_REFUSED,
        };

        if (event->kind == PROBE_EVENT_TOO_BIG && record->probe.id >= evidence->since &&
            evidence->n_claims < EVIDENCE_CLAIMS_MAX) {
                struct probe_event *claim = &evidence->claims[evidence->n_claims++];

                *claim = *event;
                claim->size = record->probe.size;
        }
        /* What has been answered stays so: duplicates do not count, and an answer outweighs reports. */
        if ((record->outcome & PROBE_ANSWERED) || record->outcome == outcomes[event->kind])
                return event->kind == PROBE_EVENT_TOO_BIG ? record : NULL;
        record->from = event->from;
        if (event->kind == PROBE_EVENT_ANSWER) {
                take_answer(evidence, record, event);
                return record;
        }
        record->outcome = outcomes[event->kind];
        if (event->kind == PROBE_EVENT_REFUSED)
                evidence->refused_by = event->from;
        return record;
}

const struct probe_record *evidence_take(struct evidence *evidence, const struct probe_event *event) {
        unsigned id = event->id == PROBE_ID_UNKNOWN ? find_probe(evidence, event) : event->id;
        struct probe_record *record = &evidence->probes[id < evidence->n_probes ? id : 0], *hinted = NULL;
        const struct probe_record *taken;

        if (id >= evidence->n_probes || record->outcome == PROBE_QUEUED ||
            (event->size > 0 && event->size != record->probe.size))
                return NULL;
        if (event->is_short) {
                hinted = find_hinted(evidence, record, event);
                record->hint = *event;
                record->hinted = evidence->now;
                if (!hinted && record->outcome == PROBE_WAITING)
                        record->outcome = PROBE_DOUBTFUL;
                if (!hinted)
                        return NULL;
        }
        taken = take_event(evidence, record, event);
        if (taken && hinted && hinted->outcome == PROBE_SILENT) {
                hinted->outcome = record->outcome;
                hinted->from = event->from;
        }
        return taken;
}

void evidence_forget(struct evidence *evidence) {
        evidence->since = evidence->n_probes;
        evidence->n_claims = 0;
        memset(evidence->pieces, 0, sizeof(evidence->pieces));
}

void evidence_forgive(struct evidence *evidence, enum probe_kind kind) {
        for (unsigned i = evidence->since; i < evidence->n_probes; i++)
                if (counts(&evidence->probes[i], kind) && evidence->probes[i].outcome == PROBE_SILENT)
                        evidence->probes[i].outcome = PROBE_UNKNOWN;
}

/* The largest or smallest size above `low` of those from `first` on with one of these outcomes; 0: none. */
static uint32_t find_size(const struct evidence *evidence, unsigned first, enum probe_kind kind,
                          unsigned outcomes, uint32_t low, bool is_smallest) {
        uint32_t found = 0;

        for (unsigned i = first > evidence->since ? first : evidence->since; i < evidence->n_probes; i++) {
                const struct probe_record *record = &evidence->probes[i];
                uint32_t size = record->probe.size;

                if (counts(record, kind) && (record->outcome & outcomes) && size > low &&
                    (found == 0 || (is_smallest ? size < found : size > found)))
                        found = size;
        }
        return found;
}

uint32_t evidence_low(const struct evidence *evidence, enum probe_kind kind) {
        return find_size(evidence, 0, kind, PROBE_WHOLE, 0, false);
}

uint32_t evidence_high(const struct evidence *evidence, enum probe_kind kind, uint32_t low) {
        uint32_t own = find_size(evidence, 0, kind, PROBE_FAILED, low, true),
                 datagram = find_size(evidence, 0, PROBE_FORWARD, PROBE_SILENT, low, true);

        return datagram > 0 && (own == 0 || datagram < own) ? datagram : own;
}

uint32_t evidence_forward(const struct evidence *evidence, unsigned first) {
        uint32_t echo = find_size(evidence, 0, PROBE_ECHO, PROBE_ANSWERED, 0, false),
                 datagram = find_size(evidence, first, PROBE_FORWARD, PROBE_ANSWERED, 0, false);

        return echo > datagram ? echo : datagram;
}

unsigned evidence_count(const struct evidence *evidence, unsigned first, enum probe_kind kind, uint32_t size,
                        unsigned outcomes) {
        unsigned n = 0;

        for (unsigned i = first > evidence->since ? first : evidence->since; i < evidence->n_probes; i++) {
                const struct probe_record *record = &evidence->probes[i];

                n += counts(record, kind) && record->probe.size == size && (record->outcome & outcomes);
        }
        return n;
}

unsigned evidence_needed(const struct evidence *evidence, enum probe_kind kind, uint32_t low,
                         unsigned n_more) {
        /* How often a packet of up to `low` is lost: rather too high than too low, as if one more was. */
        double n_lost = 1, n_passed = n_more, loss;
        /* Of a size that has arrived, no other loss has raised the suspicion. */
        unsigned n_first = evidence_forward(evidence, 0) > low;

        for (unsigned i = evidence->since; i < evidence->n_probes; i++) {
                const struct probe_record *record = &evidence->probes[i];

                if (record->probe.size > low)
                        n_passed += record->probe.kind == PROBE_FRAGMENTED &&
                                    (record->outcome & PROBE_ANSWERED);
                else if (record->outcome & (PROBE_WHOLE | PROBE_EXCEEDED))
                        n_passed++;
                else
                        n_lost += counts(record, kind) && record->outcome == PROBE_SILENT;
        }
        loss = n_lost / (n_lost + n_passed + (n_lost == 1 ? PASSED_BEFORE : 0));
        /* Three packets where others are two. */
        if (kind == PROBE_FRAGMENTED)
                loss *= 1.5;
        return loss <= 0.5 ? n_first + (unsigned)fmax(ceil(log(DOUBT) / log(loss)), LEAST) : UINT_MAX;
}

const struct probe_event *evidence_false_claim(const struct evidence *evidence) {
        uint32_t forward = evidence_forward(evidence, 0);

        for (unsigned i = 0; i < evidence->n_claims; i++) {
                const struct probe_event *claim = &evidence->claims[i];

                if (claim->mtu >= claim->size || (claim->mtu > 0 && claim->mtu < forward))
                        return claim;
        }
        return NULL;
}

const struct probe_event *evidence_true_claim(const struct evidence *evidence, uint32_t low) {
        for (unsigned i = 0; i < evidence->n_claims; i++) {
                const struct probe_event *claim = &evidence->claims[i];

                if (claim->mtu == low || (claim->mtu == 0 && claim->size == low + 1))
                        return claim;
        }
        return NULL;
}
