/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "explain/explanation.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "explain/rules.h"
#include "plan/stack.h"

const char *explain_effect_name(enum explain_effect effect) {
        static const char *const names[] = {
                [EXPLAIN_WINS] = "wins",
                [EXPLAIN_SAME] = "same",
                [EXPLAIN_OVERRIDDEN] = "overridden",
                [EXPLAIN_MAYBE] = "maybe",
                [EXPLAIN_REFUSED] = "refused",
                [EXPLAIN_IDLE] = "idle",
        };

        return names[effect];
}

/* Whether this is a file that setmtu generates; its line stands for it. */
static bool is_own(const struct mtu_source *source) {
        const char *base = text_base_name(source->file);

        return text_is_among(base, "81-setmtu.rules 90-setmtu.conf 50-setmtu.conf") ||
               text_after(base, "05-setmtu-");
}

static int in_order(const void *a, const void *b) {
        const struct explain_step *x = a, *y = b;

        if (x->phase != y->phase)
                return x->phase < y->phase ? -1 : 1;
        if (x->rank && y->rank && strcmp(x->rank, y->rank) != 0)
                return strcmp(x->rank, y->rank);
        if (!x->rank != !y->rank)
                return x->rank ? 1 : -1;
        return x->index < y->index ? -1 : x->index > y->index;
}

/* If a step of kind `over` acts, those of kind `under` do not. */
static const struct precedence {
        enum step_kind over;
        enum step_kind under;
        const char *reason; /* NULL: they are left out */
} precedences[] = {
        /* nm_device_get_configured_mtu_from_connection() in NetworkManager's src/core/devices/nm-device.c: a
         * default is used if the profile has no MTU. Both rank as NM_DEVICE_MTU_SOURCE_CONNECTION, above
         * NM_DEVICE_MTU_SOURCE_IP_CONFIG. */
        { KIND_PROFILE, KIND_PROFILE_ELSE, "used only if the profile has no MTU, and it has one" },
        { KIND_PROFILE, KIND_PROFILE_LEASE, "option 26 of DHCP: the profile's MTU overrides it" },
        { KIND_PROFILE_ELSE, KIND_PROFILE_LEASE, "option 26 of DHCP: the MTU of conf.d overrides it" },
        /* systemd.network(5), UseMTU=. */
        { KIND_NETWORKD_BYTES, KIND_NETWORKD_USE, "switched off by MTUBytes=" },
        { KIND_NETWORKD_BYTES, KIND_NETWORKD_LEASE, "option 26 of DHCP: MTUBytes= overrides it" },
        /* process_mtu() in ifupdown2's addons/address.py. */
        { KIND_INTERFACES, KIND_POLICY, "used only if interfaces(5) has no mtu, and it has one" },
        { KIND_INTERFACES, KIND_POLICY_ELSE, NULL },
        { KIND_POLICY, KIND_POLICY_ELSE, NULL },
        /* hooks/if-up.in */
        { KIND_INTERFACES, KIND_IF_UP, NULL },
        /* dhclient.conf(5), supersede. */
        { KIND_DHCLIENT, KIND_DHCLIENT_LEASE, "option 26 of DHCP: dhclient.conf overrides it" },
};

/* The first step of that kind, of those that act with `is_acting`; or NULL. */
static struct explain_step *find(struct explain_step *steps, size_t n_steps, enum step_kind kind,
                                 bool is_acting) {
        for (size_t i = 0; i < n_steps; i++)
                if (steps[i].kind == kind && (!is_acting || steps[i].effect == ACTS))
                        return &steps[i];
        return NULL;
}

/* networkd uses option 26 of its lease only with UseMTU=, which is off by default. */
static void settle_networkd(struct explain_step *steps, size_t n_steps) {
        struct explain_step *use = find(steps, n_steps, KIND_NETWORKD_USE, false);

        for (size_t i = 0; i < n_steps; i++) {
                if (steps[i].kind != KIND_NETWORKD_LEASE || steps[i].effect != ACTS)
                        continue;
                if (!use)
                        rules_set(&steps[i], EXPLAIN_IDLE,
                                  "option 26 of DHCP: not taken, because UseMTU= is off unless it is "
                                  "written");
                else
                        rules_set(use, EXPLAIN_IDLE, "takes the MTU from DHCP");
        }
}

/* A lease shows that dhclient runs for the device. */
static void settle_dhclient(struct explain_step *steps, size_t n_steps) {
        const struct explain_step *lease = find(steps, n_steps, KIND_DHCLIENT_LEASE, false);

        for (size_t i = 0; lease && i < n_steps; i++)
                if (steps[i].kind == KIND_DHCLIENT && steps[i].effect == EXPLAIN_MAYBE && steps[i].value)
                        rules_set(&steps[i], ACTS, "dhclient sets it on each new lease");
                else if (steps[i].kind == KIND_DHCLIENT && !steps[i].value)
                        rules_set(&steps[i], EXPLAIN_IDLE, "makes dhclient request the MTU from DHCP");
}

/* Returns how many steps are left. */
static size_t give_way(struct explain_step *steps, size_t n_steps, const struct precedence *precedence) {
        size_t n_left = 0;

        for (size_t i = 0; i < n_steps; i++) {
                struct explain_step *step = &steps[i];

                if (step->kind == precedence->under && !precedence->reason)
                        continue;
                /* setmtu's own line stays in the table as an acting step, since it is what the user wants.
                 * It stands before what overrides it, and so does not win. */
                if (step->kind == precedence->under &&
                    (step->effect == ACTS || step->effect == EXPLAIN_IDLE))
                        rules_set(step, explain_step_is_own(step) ? ACTS : EXPLAIN_IDLE, "%s",
                                  precedence->reason);
                steps[n_left++] = *step;
        }
        return n_left;
}

/* The rules between steps of one manager: those that stand back become idle, or are left out. Returns how
 * many are left. */
static size_t settle_managers(struct explain_step *steps, size_t n_steps) {
        settle_networkd(steps, n_steps);
        settle_dhclient(steps, n_steps);
        for (size_t i = 0; i < sizeof(precedences) / sizeof(precedences[0]); i++)
                if (find(steps, n_steps, precedences[i].over, true))
                        n_steps = give_way(steps, n_steps, &precedences[i]);
        return n_steps;
}

/* systemd-networkd clamps the MTU to the device's range: link_adjust_mtu() in
 * src/network/networkd-setlink.c. A device at 1280 for a smaller value shows that IPv6 is on. */
static void adjust(const struct link *link, struct explain_step *step) {
        uint32_t mtu = step->mtu;

        if (link->mtu_max > 0 && mtu > link->mtu_max)
                mtu = link->mtu_max;
        if (mtu < link->mtu_min)
                mtu = link->mtu_min;
        if (mtu < MTU_SMALLEST_IPV6 && link->mtu == MTU_SMALLEST_IPV6)
                mtu = MTU_SMALLEST_IPV6;
        if (mtu == step->mtu)
                return;
        rules_set(step, ACTS, "systemd-networkd makes %u of %u: the device, or IPv6, takes no %s", mtu,
                  step->mtu, mtu < step->mtu ? "more" : "less");
        step->mtu = mtu;
}

/* Adjusts or refuses a step's MTU by the limits of the device. */
static void ask_device(const struct explained *explained, struct explain_step *step) {
        const struct link *link = explained->device.link;
        const struct link *limit = link ? stack_limit(explained->machine.links, link) : NULL;
        bool is_networkd = step->kind == KIND_NETWORKD_BYTES || step->kind == KIND_NETWORKD_LEASE;

        if (!link || step->effect != ACTS || step->mtu == 0 || !step->file)
                return;
        if (is_networkd)
                adjust(link, step);
        if (link->mtu_max > 0 && step->mtu > link->mtu_max)
                rules_set(step, EXPLAIN_REFUSED, "the device takes %u at most", link->mtu_max);
        else if (step->mtu < link->mtu_min)
                rules_set(step, EXPLAIN_REFUSED, "the device takes %u at least", link->mtu_min);
        else if (limit && step->mtu > limit->mtu)
                rules_set(step, EXPLAIN_REFUSED, "%s below this device has %u", limit->name, limit->mtu);
}

static bool is_generated(const struct explain_step *step) {
        return step->written && source_is_generated(step->written);
}

/* A netplan line takes effect through the file that netplan generates from it. */
static void follow_netplan(struct explain_step *steps, size_t n) {
        const struct explain_step *made = NULL;

        for (size_t i = 0; i < n; i++)
                if (steps[i].kind != KIND_NETPLAN && steps[i].effect == ACTS && is_generated(&steps[i]))
                        made = &steps[i];
        for (size_t i = 0; made && i < n; i++)
                if (steps[i].kind == KIND_NETPLAN && made->mtu == steps[i].mtu)
                        rules_set(&steps[i], EXPLAIN_IDLE, "carried out by %s", made->file);
                else if (steps[i].kind == KIND_NETPLAN)
                        rules_set(&steps[i], EXPLAIN_MAYBE, "%s still says %u: %s", made->file, made->mtu,
                                  steps[i].written->condition
                                                  ? steps[i].written->condition
                                                  : "netplan generate has not run since the edit");
}

/* Several assignments of one setting of a manager: a file and its drop-ins, or the files of a conf.d. The
 * last one is in effect; the others are overwritten, which is no contradiction. */
static void leave_last_assignment(struct explain_step *steps, size_t n) {
        for (size_t i = 0; i < n; i++) {
                const struct explain_step *last = NULL;
                bool is_setting = steps[i].kind == KIND_LINK || steps[i].kind == KIND_NETWORKD_BYTES ||
                                  steps[i].kind == KIND_PROFILE_ELSE;

                for (size_t j = i + 1; is_setting && j < n; j++)
                        if (steps[j].kind == steps[i].kind && steps[j].effect == ACTS)
                                last = &steps[j];
                if (last && steps[i].effect == ACTS)
                        rules_set(&steps[i], EXPLAIN_IDLE, "%s is read after it and overrides it",
                                  last->file);
        }
}

/* The last step that acts wins. The driver's always does. */
static void choose_winner(struct explanation *explanation) {
        struct explain_step *winner = &explanation->steps[explanation->n_steps - 1];

        while (winner->effect != ACTS)
                winner--;
        for (struct explain_step *step = explanation->steps; step < winner; step++)
                if (step->effect == ACTS && step->mtu > 0 && step->mtu == winner->mtu)
                        step->effect = EXPLAIN_SAME;
        winner->effect = EXPLAIN_WINS;
        explanation->winner = winner;
        explanation->expected = winner->mtu;
}

/* Any step may override the driver's MTU without a contradiction. */
static void mark_contradictions(struct explanation *explanation) {
        const struct explain_step *winner = explanation->winner;

        for (size_t i = 0; winner->phase != PHASE_BIRTH && i < explanation->n_steps; i++) {
                struct explain_step *step = &explanation->steps[i];

                if (step->source == winner->source && step->file == winner->file &&
                    step->line == winner->line)
                        continue;
                step->contradicts = step->effect != EXPLAIN_IDLE && step->mtu > 0 && winner->mtu > 0 &&
                                    step->mtu != winner->mtu && step->file;
                explanation->is_contradicted |= step->contradicts;
        }
}

int explanation_make(struct explained *explained) {
        const struct mtu_sources *sources = explained->machine.sources;
        struct explanation *explanation = &explained->explanation;
        struct explain_step *steps = malloc((sources->n_items + BUILTIN_STEPS_MAX) * sizeof(*steps));
        size_t n;

        if (!steps)
                return -ENOMEM;
        n = builtin_sources_make(explained, steps);
        for (size_t i = 0; i < sources->n_items; i++)
                n += !is_own(&sources->items[i]) && rules_apply(explained, &sources->items[i], &steps[n]);
        for (size_t i = 0; i < n; i++)
                steps[i].index = i;
        n = settle_managers(steps, n);
        for (size_t i = 0; i < n; i++)
                ask_device(explained, &steps[i]);
        qsort(steps, n, sizeof(*steps), in_order);
        leave_last_assignment(steps, n);
        follow_netplan(steps, n);
        *explanation = (struct explanation){ .steps = steps, .n_steps = n };
        choose_winner(explanation);
        mark_contradictions(explanation);
        outcome_reach(explained);
        return 0;
}

const struct explain_step *explanation_origin(const struct explanation *explanation,
                                              const struct explain_step *step) {
        for (size_t i = 0; is_generated(step) && i < explanation->n_steps; i++)
                if (explanation->steps[i].kind == KIND_NETPLAN)
                        return &explanation->steps[i];
        return step;
}

void explanation_free(struct explanation *explanation) {
        free(explanation->steps);
        *explanation = (struct explanation){ 0 };
}
