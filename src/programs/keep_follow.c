/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "programs/keep_follow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/log.h"
#include "change/carry_out.h"
#include "change/change_log.h"
#include "kernel/link_monitor.h"
#include "plan/stack.h"
#include "state/unit_state.h"
#include "store/load_plan.h"

/* The kernel does not announce that a peer of WireGuard has another endpoint. */
#define POLL_S 5.0

static void follow_cleanup(struct snapshot *snapshot) {
        snapshot->socket = NULL; /* belongs to the keeper */
        snapshot_cleanup(snapshot);
}

/* Whether the device's unit is active, and nothing is tried with it. */
static bool is_followed(struct keeper *keeper, const struct link *link, double now) {
        struct device_record record;

        if (device_record_read(link, &record) < 0 || !record.kept.is_auto || record.kept.mtu == 0 ||
            unit_is_device_masked(link->name) != 0)
                return false;
        if (!trial_record_is_running(&record.trial))
                return true;
        keeper_follow_at(keeper, now + KEEPER_BLOCKED_S);
        return false;
}

/* A device that is put back by another line, later or not at all, counts with the MTU that it has. */
static void freeze_others(struct keeper *keeper, struct snapshot *snapshot, double now) {
        for (size_t i = 0; i < snapshot->links.n_links; i++) {
                struct device_status *status = &snapshot->statuses.items[i];
                const struct link *setter = stack_setter(&snapshot->links, status->link);
                const struct config_line *above =
                                setter ? snapshot->statuses.items[setter - snapshot->links.links].line
                                       : NULL;

                /* Also one whose unit has still to start, which no event will announce. */
                if (status->line && status->line->spec.is_auto &&
                    strcmp(status->link->kind, "wireguard") == 0)
                        keeper_follow_at(keeper, now + POLL_S);
                if (!status->line || (status->line->spec.is_auto && is_followed(keeper, status->link, now)))
                        continue;
                /* It says what its bond or team can have. */
                if (!status->line->spec.is_auto && above && above->spec.is_auto &&
                    is_followed(keeper, setter, now))
                        continue;
                status->line = NULL;
                status->wanted = 0;
                status->state = DEVICE_STATE_UNSET;
                status->is_fixed = true;
        }
}

/* Whether the device may be set now. A damped one is lowered at once if less fits than before. */
static bool is_due(struct keeper *keeper, const struct device_status *status, double now) {
        struct kept_device *device = keeper_find(keeper, status->link->ifindex);

        if (!device || status->wanted < device->fitted || keep_pace_next(&device->pace) <= now)
                return true;
        keeper_follow_at(keeper, keep_pace_next(&device->pace));
        return false;
}

static void note_result(struct keeper *keeper, const struct mtu_change *change, double now) {
        struct kept_device *device = keeper_find(keeper, change->link.ifindex);
        double again = now + KEEPER_BLOCKED_S;

        if (change->result == MTU_CHANGE_NONE || change->result == MTU_CHANGE_EQUAL)
                return;
        device = device ? device : keeper_add(keeper, change->link.ifindex);
        if (device && keep_pace_note(&device->pace, now))
                log_warning("%s: its MTU, or what fits, keeps changing; it is set again in %u s at the "
                            "earliest",
                            change->link.name, device->pace.pause_s);
        if (device)
                device->fitted = change->wanted;
        if (change->result == MTU_CHANGE_DONE)
                keeper_note_set_again(&change->link, 0);
        else
                /* Something else may have changed meanwhile. */
                keeper_follow_at(keeper, device && keep_pace_next(&device->pace) > again
                                                         ? keep_pace_next(&device->pace)
                                                         : again);
}

int keep_follow_run(struct keeper *keeper, double now) {
        CLEANUP(follow_cleanup) struct snapshot snapshot = { .socket = keeper->socket };
        CLEANUP(change_free) struct change change = { 0 };
        CLEANUP(cleanup_free) struct step_target *targets = NULL;
        size_t n_targets = 0;
        int r = load_plan(&diagnostic_silent, &snapshot.plan);

        /* The last line that says auto is gone. */
        if (r == 0 && !snapshot.plan.has_fits && !snapshot.plan.config.is_partial) {
                keeper->follows = false;
                return link_monitor_hear_ways(keeper->monitor, false);
        }
        /* Once, after the other lines are out of it. */
        snapshot.plan.has_fits = false;
        if (r == 0)
                r = snapshot_look(&snapshot);
        if (r < 0)
                return r;
        freeze_others(keeper, &snapshot, now);
        r = snapshot_fit(&snapshot);
        targets = calloc(snapshot.links.n_links + 1, sizeof(*targets));
        if (r < 0 || !targets)
                return r < 0 ? r : -ENOMEM;
        for (size_t i = 0; i < snapshot.links.n_links; i++) {
                struct device_status *status = &snapshot.statuses.items[i];

                if (!status->line)
                        continue;
                if (status->line->spec.is_auto && status->state == DEVICE_STATE_DRIFT &&
                    is_due(keeper, status, now))
                        targets[n_targets++] =
                                        (struct step_target){ .link = status->link, .line = status->line };
                else
                        status->is_fixed = true;
        }
        if (n_targets == 0)
                return 0;
        r = change_set_targets(&snapshot, targets, n_targets, &change);
        if (r < 0)
                return r;
        (void)change_log(keeper->socket, "", 0, &change);
        for (size_t i = 0; i < n_targets; i++)
                note_result(keeper, change_result(&change, targets[i].link), now);
        return 0;
}
