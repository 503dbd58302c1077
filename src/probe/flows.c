/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "probe/flows.h"

/* Flows without any answer, after which the host is taken to answer no UDP. */
#define SILENT_ENOUGH 4

/* A limit is worse than doubt. */
static int badness(enum verdict_kind kind) {
        return kind == VERDICT_OK || kind == VERDICT_LOCAL_LIMIT ? 0 : kind == VERDICT_INCONCLUSIVE ? 1 : 2;
}

/* Of the same limit, a flow that is limited on the way there is worse: the first one knows of a limit on the
 * way back by comparing echo with UDP, which may have taken another way there. */
static bool is_worse(const struct verdict *a, const struct verdict *b) {
        int badness_a = badness(a->kind), badness_b = badness(b->kind);

        return badness_a > badness_b ||
               (badness_a == 2 &&
                (a->size < b->size || (a->size == b->size && b->kind == VERDICT_RETURN_PATH)));
}

/* How many of the further flows had no answer. */
static unsigned count_silent(const struct flows *flows) {
        unsigned n = 0;

        for (unsigned i = 1; i < flows->n; i++)
                n += flows->sizes[i] == 0;
        return n;
}

void flows_prepare(const struct flows *flows, const struct verdict *worst, const struct method *former,
                   double now, struct method_settings *settings) {
        if (flows->n == 0)
                return;
        settings->is_further = true;
        /* All share the answers to UDP that the host gives. */
        settings->udp_left = drop_udp_left(&former->drop, now);
        settings->is_answering = count_silent(flows) < flows->n - 1;
        /* Where a limit on the way back is says nothing of one on the way there. */
        if (worst->high == worst->size + 1 && worst->kind != VERDICT_RETURN_PATH)
                settings->likely = worst->size;
}

/* All are known. */
static void weigh_silence(struct flows *flows, struct verdict *verdict) {
        unsigned n_silent = count_silent(flows);

        if (n_silent == 0)
                return;
        if (n_silent == flows->n - 1) {
                flows->has_no_udp = true;
                flows->n = 1;
        } else if (badness(verdict->kind) == 0) {
                verdict->kind = VERDICT_INCONCLUSIVE;
                verdict->doubt = VERDICT_DOUBT_FLOWS;
        }
}

bool flows_take(struct flows *flows, unsigned n_wanted, const struct verdict *next,
                struct verdict *verdict) {
        bool is_first = flows->n == 0;

        flows->sizes[flows->n++] = next->size;
        if (is_first || (next->size > 0 && is_worse(next, verdict)))
                *verdict = *next;
        if (is_first && (next->kind == VERDICT_UNREACHABLE || next->kind == VERDICT_INCONCLUSIVE))
                return false;
        if (flows->n < n_wanted && flows->n < FLOWS_MAX &&
            (flows->n - 1 != SILENT_ENOUGH || count_silent(flows) < SILENT_ENOUGH))
                return true;
        weigh_silence(flows, verdict);
        return false;
}

unsigned flows_next(const struct flows *flows, uint32_t *size) {
        uint32_t above = *size;
        unsigned n = 0;

        for (unsigned i = 0; i < flows->n; i++) {
                if (flows->sizes[i] >= above || (n > 0 && flows->sizes[i] < *size))
                        continue;
                n = n > 0 && flows->sizes[i] == *size ? n + 1 : 1;
                *size = flows->sizes[i];
        }
        return n;
}
