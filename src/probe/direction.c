/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "probe/direction.h"

#include "probe/hops.h"

/* What a host gives at once; and then one a second (XRLIM_BURST_FACTOR and icmp_ratelimit of Linux, for
 * IPv4; for IPv6 it gives more). */
#define BURST 6.0
/* What it takes: one answer where the size passes, two to smaller ones behind it where it does not. */
#define LEAST 2
#define ASKED_MAX 6
#define HINTS_ENOUGH 2
#define STEP_S 0.02
/* So many of the size that is lost, each time. */
#define AGAIN 4

double direction_left(const struct method *method, double now) {
        double left = method->udp_left + now - method->udp_left_at;

        return left < BURST ? left : BURST;
}

static void set_left(struct method *method, double left, double now) {
        method->udp_left = left > 0 ? left : 0;
        method->udp_left_at = now;
}

void direction_restore(struct method *method, double now) {
        set_left(method, BURST, now);
}

void direction_answered(struct method *method, bool is_overdue, double now) {
        method->has_answered_udp = true;
        set_left(method, is_overdue ? 0 : direction_left(method, now) - 1, now);
}

void direction_none_left(struct method *method, double now) {
        set_left(method, 0, now);
}

void direction_begin(struct method *method) {
        method->n_there = 0;
        method->n_hints = 0;
        method->n_asked = 0;
}

bool direction_is_there(const struct method *method) {
        double loss = evidence_loss(&method->evidence, method->kind, method->passes);

        return method->kind == PROBE_FORWARD || evidence_is_no_accident(method->n_there, loss) ||
               hops_go_on_behind(method);
}

bool direction_is_likely(const struct method *method) {
        double loss = evidence_loss(&method->evidence, method->kind, method->passes);

        /* Where the host answers no UDP, nobody can tell. */
        return !method->has_answered_udp || method->n_there > 0 || direction_is_there(method) ||
               evidence_is_no_accident(method->n_hints * AGAIN, loss);
}

/* Whether the question can be asked at all and has not been answered enough. */
static bool is_open(const struct method *method) {
        return method->settings.has_forward && method->n_asked < ASKED_MAX &&
               method->n_hints < HINTS_ENOUGH && !direction_is_there(method);
}

void direction_queue(struct method *method, bool may_wait, double now) {
        double wait = LEAST - direction_left(method, now);

        if (!is_open(method) || (wait > 0 && !may_wait))
                return;
        method->n_asked++;
        for (int i = 0; i < AGAIN; i++)
                method_queue(method, PROBE_FORWARD, method->fails, i > 0 ? STEP_S : wait > 0 ? wait : 0);
        method_queue(method, PROBE_FORWARD, method->full, 0);
        /* Behind them: two answers to these say that the others' were not held back for their number. And
         * one may be lost. */
        for (int i = 0; i < 3; i++)
                method_queue(method, PROBE_FORWARD, method_control(method), STEP_S);
}

void direction_weigh(struct method *method, double now) {
        const struct evidence *evidence = &method->evidence;
        unsigned n_controls = 0, n_answered = 0;
        double last = 0;

        for (unsigned i = method->round_first; i < evidence->n_probes; i++) {
                const struct probe_record *record = &evidence->probes[i];

                if (record->probe.kind != PROBE_FORWARD || record->probe.ttl > 0 ||
                    record->probe.size != method_control(method))
                        continue;
                n_controls++;
                n_answered += record->outcome == PROBE_WHOLE;
                last = record->sent;
        }
        if (method->kind == PROBE_FORWARD || n_controls == 0 || !method->has_answered_udp)
                return;
        /* Lost, or not answered for want of answers. */
        if (n_answered < n_controls)
                set_left(method,
                         n_answered < 2 ? 0 : direction_left(method, now) - (n_controls - n_answered), now);
        /* One answer was there for those before it, too, unless it came back just then. */
        if (n_answered == 1)
                method->n_hints++;
        /* The host gains one a second: with two left, it had one for whatever arrived within the second
         * before. */
        for (unsigned i = method->round_first; n_answered >= 2 && i < evidence->n_probes; i++) {
                const struct probe_record *record = &evidence->probes[i];

                method->n_there += record->probe.kind == PROBE_FORWARD && record->probe.ttl == 0 &&
                                   record->probe.size == method->fails && record->outcome == PROBE_SILENT &&
                                   record->sent > last - 1;
        }
}
