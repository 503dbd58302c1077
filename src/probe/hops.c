/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "probe/hops.h"

#define TTL_LARGEST 30
#define TTL_UNKNOWN 8
#define ROUNDS_MAX 4
/* A router that is allowed one answer a second has had that time by then. */
#define LAST_ROUND_S 1.1

/* What a TTL has shown. */
struct hop {
        bool has_large; /* the size that does not arrive got so far */
        bool has_small; /* the one that arrives was answered from there */
        bool is_host;
        struct probe_address address;
};

/* What the hops have shown, and where in them the end is. */
struct view {
        struct hop hops[TTL_LARGEST + 1]; /* by TTL */
        int reached;                      /* the last one that the large size reaches; 0: none */
        int beyond; /* the first one behind that which answers the small size; 0: none */
};

/* Systems begin with 32, 64, 128 or 255. */
uint8_t hops_likely(uint8_t answer_ttl) {
        static const uint8_t begins[] = { 32, 64, 128, 255 };
        int n = TTL_UNKNOWN;

        for (size_t i = 0; answer_ttl > 0 && i < sizeof(begins); i++)
                if (answer_ttl <= begins[i]) {
                        /* And two, where the ways are not of the same length. */
                        n = begins[i] - answer_ttl + 3;
                        break;
                }
        return (uint8_t)(n < TTL_LARGEST ? n : TTL_LARGEST);
}

static struct view look(const struct method *method) {
        const struct evidence *evidence = &method->evidence;
        struct view view = { .reached = 0 };

        for (unsigned i = method->hop_first; i < evidence->n_probes; i++) {
                const struct probe_record *record = &evidence->probes[i];
                bool is_host = record->outcome == PROBE_WHOLE || record->outcome == PROBE_PIECES;
                struct hop *hop = &view.hops[record->probe.ttl];

                if (record->probe.ttl == 0 || (record->outcome != PROBE_EXCEEDED && !is_host))
                        continue;
                hop->has_large |= record->probe.size == method->fails;
                hop->has_small |= record->probe.size != method->fails;
                hop->is_host |= is_host;
                hop->address = record->from;
        }
        for (int i = 1; i <= TTL_LARGEST; i++)
                if (view.hops[i].has_large && !view.hops[i].is_host)
                        view.reached = i;
        for (int i = TTL_LARGEST; i > view.reached; i--)
                if (view.hops[i].has_small)
                        view.beyond = i;
        return view;
}

void hops_queue(struct method *method, double now) {
        struct view view = look(method);
        int last = method->ttl_last;

        if (method->n_hop_rounds > 0) {
                if (view.beyond > 0)
                        last = view.beyond;
                else if (last + TTL_UNKNOWN <= TTL_LARGEST)
                        last = last + TTL_UNKNOWN;
                else
                        last = TTL_LARGEST;
        }
        if (method->n_hop_rounds == ROUNDS_MAX - 1 && now < method->hops_begin + LAST_ROUND_S)
                method->due = method->hops_begin + LAST_ROUND_S;
        /* The large ones first: where a router answers seldom, they matter more. */
        for (int i = view.reached + 1; i <= last; i++)
                if (!view.hops[i].has_large)
                        (void)evidence_add(&method->evidence, method->kind, method->fails, (uint8_t)i,
                                           method->due);
        for (int i = view.reached + 1; i <= last; i++)
                if (!view.hops[i].has_small)
                        (void)evidence_add(&method->evidence, method->kind, method->passes, (uint8_t)i,
                                           method->due);
        method->ttl_last = (uint8_t)last;
        method->n_hop_rounds++;
}

bool hops_are_known(const struct method *method, bool is_there) {
        struct view view = look(method);
        bool is_certain = is_there && view.beyond == view.reached + 1;

        return method->n_hop_rounds >= (is_certain ? ROUNDS_MAX - 1 : ROUNDS_MAX);
}

bool hops_go_on_behind(const struct method *method) {
        const struct evidence *evidence = &method->evidence;
        struct view view;
        unsigned n = 0;

        /* A message may have been held back. */
        if (method->n_hop_rounds < ROUNDS_MAX - 1)
                return false;
        view = look(method);
        for (unsigned i = method->hop_first; view.beyond > 0 && i < evidence->n_probes; i++) {
                const struct probe_record *record = &evidence->probes[i];
                const struct hop *hop = &view.hops[record->probe.ttl];

                n += record->probe.ttl >= view.beyond && hop->has_small && !hop->is_host &&
                     record->probe.size == method->fails && record->outcome == PROBE_SILENT;
        }
        return evidence_is_no_accident(n, evidence_loss(evidence, method->kind, method->passes));
}

void hops_tell(const struct method *method, struct verdict *verdict) {
        struct view view = look(method);

        if (view.reached == 0 && view.beyond == 0)
                return; /* no router answers at all */
        verdict->after_hop = view.reached;
        verdict->hop = view.hops[view.reached].address;
        if (view.beyond > 0) {
                verdict->next = view.hops[view.beyond].address;
                verdict->next_is_host = view.hops[view.beyond].is_host;
        }
}
