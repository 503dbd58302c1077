/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "programs/keep_round.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/pool.h"
#include "base/unit_name.h"
#include "change/carry_out.h"
#include "change/change_log.h"
#include "history/mtu_history.h"
#include "plan/stack.h"
#include "state/unit_state.h"
#include "store/load_plan.h"

/* Devices set again in one round. */
#define ROUND_MAX 64

/* One round. The arrays have room for each device that is due; `is_target` for each device of the table. */
struct keep_round {
        struct snapshot snapshot;
        struct pool pool;         /* owns the following */
        struct kept_mtu *records; /* of the targets */
        struct config_line *lines;
        struct step_target *targets;
        bool *is_target; /* in the table's order */
        struct change change;
        size_t n_targets;
};

static void round_free(struct keep_round *round) {
        pool_free(&round->pool);
        change_free(&round->change);
        round->snapshot.socket = NULL; /* belongs to the keeper */
        snapshot_cleanup(&round->snapshot);
}

/* Reads the devices. What is due beyond one round stays so. */
static int round_open(struct keeper *keeper, struct keep_round *round) {
        size_t n_taken = 0;
        int r;

        for (size_t i = 0; i < keeper->n_devices; i++) {
                struct kept_device *device = &keeper->devices[i];

                device->is_taken &= n_taken < ROUND_MAX;
                if (!device->is_taken)
                        continue;
                device->due = KEEPER_NEVER;
                n_taken++;
        }
        round->snapshot.socket = keeper->socket;
        r = snapshot_look(&round->snapshot);
        if (r < 0)
                return r;
        round->records = pool_take(&round->pool, n_taken * sizeof(*round->records));
        round->lines = pool_take(&round->pool, n_taken * sizeof(*round->lines));
        round->targets = pool_take(&round->pool, n_taken * sizeof(*round->targets));
        round->is_target =
                        pool_take(&round->pool, round->snapshot.links.n_links * sizeof(*round->is_target));
        return round->pool.failed ? -ENOMEM : 0;
}

/* True also if this is not known; then all devices are checked again. */
static bool is_masked(struct keeper *keeper, const char *name) {
        int r = unit_is_device_masked(name);

        if (r < 0)
                keeper_look_at_all_at(keeper, clock_monotonic_s() + KEEPER_BLOCKED_S);
        return r != 0;
}

/* The line as the unit applied it: later edits count once they are applied. */
static void add_target(struct keep_round *round, const struct link *link, const struct kept_mtu *record) {
        struct config_line *line = &round->lines[round->n_targets];
        struct kept_mtu *own = &round->records[round->n_targets];

        *own = *record;
        strcpy(line->name, link->name);
        line->spec = (struct mtu_spec){ .mtu = own->mtu, .keep = true };
        line->file = own->file[0] ? own->file : NULL;
        line->line = own->line;
        round->targets[round->n_targets++] = (struct step_target){ .link = link, .line = line };
        round->is_target[link - round->snapshot.links.links] = true;
}

/* Whether the MTU of the changed device may be set again now. */
static bool is_due(struct keeper *keeper, const struct link *link, const struct device_record *record,
                   double now) {
        struct kept_device *device = keeper_find(keeper, link->ifindex);

        if (!device || !device->is_taken)
                return false;
        device->due = KEEPER_NEVER;
        if (record->tally.refused == record->kept.mtu || is_masked(keeper, link->name))
                return false;
        /* Checked again later: the end of a trial is not announced. */
        if (trial_record_is_running(&record->trial))
                device->due = now + KEEPER_BLOCKED_S;
        else if (keep_pace_next(&device->pace) > now)
                device->due = keep_pace_next(&device->pace);
        return device->due == KEEPER_NEVER;
}

/* Collects the targets; other kept devices stay as they are. False if all devices are kept. */
static bool collect(struct keeper *keeper, struct keep_round *round, double now) {
        bool has_others = false;

        for (size_t i = 0; i < round->snapshot.links.n_links; i++) {
                struct device_status *status = &round->snapshot.statuses.items[i];
                const struct link *link = status->link;
                struct kept_device *device = keeper_find(keeper, link->ifindex);
                struct device_record record;

                if (keeper_has_changed(keeper, link, &record)) {
                        if (is_due(keeper, link, &record, now))
                                add_target(round, link, &record.kept);
                        else
                                status->is_fixed = true;
                        continue;
                }
                if (device && device->is_taken) {
                        device->due = KEEPER_NEVER;
                        device->is_blocked = false;
                }
                if (record.kept.mtu > 0)
                        status->is_fixed = true;
                else
                        has_others = true;
        }
        return has_others;
}

/* Loads the configuration for the devices that are not kept. */
static int add_plan(struct keep_round *round) {
        struct snapshot *snapshot = &round->snapshot;
        struct device_statuses statuses;
        int r = load_plan(&diagnostic_silent, &snapshot->plan);

        if (r < 0)
                return r;
        r = device_statuses_make(&snapshot->plan.config, &snapshot->links, &statuses);
        if (r < 0)
                return r;
        for (size_t i = 0; i < snapshot->links.n_links; i++) {
                statuses.items[i].mtu_before_fall = snapshot->statuses.items[i].mtu_before_fall;
                statuses.items[i].is_fixed = snapshot->statuses.items[i].is_fixed;
                statuses.items[i].is_pinned = snapshot->statuses.items[i].is_pinned;
        }
        device_statuses_free(&snapshot->statuses);
        snapshot->statuses = statuses;
        return 0;
}

static bool is_target(const struct keep_round *round, const struct link *link) {
        return link && round->is_target[link - round->snapshot.links.links];
}

/* Whether the device below has too little and is not set again itself. */
static bool is_blocked(struct keeper *keeper, const struct keep_round *round,
                       const struct step_target *target) {
        const struct link *limit = stack_limit(&round->snapshot.links, target->link);
        struct kept_device *device = keeper_find(keeper, target->link->ifindex);

        if (!limit || is_target(round, limit) ||
            stack_capacity(target->link, limit, limit->mtu) >= target->line->spec.mtu)
                return false;
        if (!device->is_blocked)
                log_warning("%s: left at %u until %s below it has room for %u; give that one a line with "
                            "keep",
                            target->link->name, target->link->mtu, limit->name, target->line->spec.mtu);
        device->is_blocked = true;
        return true;
}

/* Removes the targets that have to wait, and then any that stand on them. */
static void take_out_blocked(struct keeper *keeper, struct keep_round *round) {
        size_t n_before;

        do {
                n_before = round->n_targets;
                round->n_targets = 0;
                for (size_t i = 0; i < n_before; i++) {
                        struct step_target target = round->targets[i];

                        assert(target.link);
                        if (is_blocked(keeper, round, &target))
                                round->is_target[target.link - round->snapshot.links.links] = false;
                        else
                                round->targets[round->n_targets++] = target;
                }
        } while (round->n_targets < n_before);
}

/* `keep` concerns only the device of the line: a device below it without `keep` stays as it is. */
static void leave_others_alone(struct keep_round *round) {
        struct snapshot *snapshot = &round->snapshot;

        for (size_t i = 0; i < round->n_targets; i++) {
                struct step_target *target = &round->targets[i];

                assert(target->link);
                target->is_alone = !is_target(round, stack_limit(&snapshot->links, target->link)) &&
                                   !is_target(round, stack_setter(&snapshot->links, target->link));
        }
        /* Devices on top of the targets get their own MTU again, unless they have another MTU on purpose. */
        for (size_t i = 0; i < snapshot->links.n_links; i++) {
                struct device_status *status = &snapshot->statuses.items[i];
                const struct link *link = status->link;
                const struct device_plan *planned;
                struct original_mtu record;
                int r;

                if (!status->line || round->is_target[i] || link->mtu == status->wanted)
                        continue;
                planned = plan_find(&snapshot->plan, status->line->name);
                r = original_mtu_read(link, &record);
                status->is_fixed |= !planned || planned->is_kept ||
                                    unit_is_device_masked(status->line->name) != 0 ||
                                    (r == 0 ? record.set != status->wanted : r != -ENOENT);
        }
}

/* Notes that the device was changed again, or could not be set again. */
static void note_pace(struct kept_device *device, const struct link *link, uint32_t wanted,
                      bool is_set_again, double now) {
        CLEANUP(pool_free) struct pool pool = { 0 };
        const char *command = change_openvswitch(&pool, link, wanted);

        if (keep_pace_is_calm(&device->pace, now))
                device->is_blocked = false;
        if (keep_pace_note(&device->pace, now))
                log_error("%s: %s; next attempt in %u s%s%s", link->name,
                          is_set_again ? "another program keeps changing the MTU"
                                       : "its MTU could not be set again",
                          device->pace.pause_s, command ? "; to have Open vSwitch hold it: " : "",
                          command ? command : "");
}

static void give_up(const struct mtu_change *change) {
        char instance[UNIT_NAME_ESCAPED_SIZE(INTERFACE_NAME_SIZE)];

        unit_name_escape(change->link.name, instance);
        keeper_note_set_again(&change->link, change->wanted);
        log_warning("%s: not set again any more; systemctl reload 'setmtu@%s' tries it", change->link.name,
                    instance);
}

/* Whether the unit was stopped, or a command set another MTU, since the read; undoes the change then. */
static bool was_overtaken(struct keeper *keeper, const struct mtu_change *change) {
        struct device_record record;
        struct earlier_mtu earlier;
        struct change back;
        struct link link;
        int r = device_record_read(&change->link, &record);

        if (r == 0 ? record.kept.mtu > 0 : r != -ENOENT)
                return false;
        log_info("%s: its unit has been stopped", change->link.name);
        if (link_get_by_ifindex(keeper->socket, change->link.ifindex, &link) < 0)
                return true;
        earlier_mtu_of_change(change, &earlier);
        change_set_back_alone(keeper->socket, &link, &earlier, 0, &back);
        (void)change_log(keeper->socket, link.name, 0, &back);
        return true;
}

/* Whether the device below has too little by now, because another program changed it meanwhile. */
static bool has_no_room(const struct keeper *keeper, const struct keep_round *round,
                        const struct mtu_change *change) {
        const struct link *limit = stack_limit(&round->snapshot.links, &change->link);
        struct link now;

        return limit && (link_get_by_ifindex(keeper->socket, limit->ifindex, &now) < 0 ||
                         stack_capacity(&change->link, &now, now.mtu) < change->wanted);
}

/* Whether asking again is of no use. A rounded MTU is the driver's the second time; the first time, another
 * program may have changed it before it was read back. */
static bool is_final(const struct keeper *keeper, const struct keep_round *round,
                     const struct mtu_change *change, bool is_same) {
        if (change->result == MTU_CHANGE_REFUSED)
                return change->error != -ENODEV && change->error != -ENOMEM && change->error != -ENOBUFS &&
                       change->error != -EBUSY && !has_no_room(keeper, round, change);
        return change->result == MTU_CHANGE_IMPOSSIBLE || (change->result == MTU_CHANGE_ROUNDED && is_same);
}

/* Handles the result for one device. True if its MTU has been set again. */
static bool settle_result(struct keeper *keeper, const struct keep_round *round, const struct link *link,
                          const struct mtu_change *change, double now) {
        struct kept_device *device = keeper_find(keeper, link->ifindex);
        uint32_t rounded = change->result == MTU_CHANGE_ROUNDED ? change->link.mtu : 0;
        bool is_same = rounded == device->rounded;

        device->rounded = rounded;
        if (change->result == MTU_CHANGE_DONE) {
                if (was_overtaken(keeper, change))
                        return false;
                keeper_note_set_again(link, 0);
                note_pace(device, link, change->wanted, true, now);
                return true;
        }
        if (change->result == MTU_CHANGE_EQUAL)
                return false;
        if (is_final(keeper, round, change, is_same)) {
                give_up(change);
                return false;
        }
        note_pace(device, link, change->wanted, false, now);
        device->due = keep_pace_next(&device->pace) > now + KEEPER_LOCKED_S ? keep_pace_next(&device->pace)
                                                                            : now + KEEPER_LOCKED_S;
        return false;
}

/* Says who had given the device the MTU that it was found with. */
static void name_culprit(const struct history *history, const struct mtu_change *change) {
        char who[HISTORY_WHO_SIZE];

        for (size_t i = history->n_events; i > 0; i--) {
                const struct history_event *event = &history->events[i - 1];

                if (event->ifindex != change->link.ifindex || event->error < 0 ||
                    event->after != change->before)
                        continue;
                log_info("%s: was changed by %s", change->link.name, history_who_text(who, history, event));
                return;
        }
}

static void settle_results(struct keeper *keeper, const struct keep_round *round) {
        CLEANUP(history_free) struct history history = { 0 };
        double now = clock_monotonic_s();
        size_t n_done = 0;
        int r = 0;

        for (size_t i = 0; i < round->n_targets; i++) {
                const struct mtu_change *change = change_result(&round->change, round->targets[i].link);

                if (!settle_result(keeper, round, round->targets[i].link, change, now))
                        continue;
                if (n_done++ == 0)
                        r = history_read(&history);
                name_culprit(&history, change);
        }
        if (r < 0 && !keeper->has_said_unrecorded)
                log_info("who changes an MTU is not known: %s", history_fault(r, &(int){ 0 }));
        keeper->has_said_unrecorded |= r < 0;
}

int keep_round_run(struct keeper *keeper, double now) {
        CLEANUP(round_free) struct keep_round round = { .n_targets = 0 };
        int r = round_open(keeper, &round);

        if (r < 0)
                return r;
        if (collect(keeper, &round, now) && round.n_targets > 0)
                r = add_plan(&round);
        if (r < 0)
                return r;
        take_out_blocked(keeper, &round);
        leave_others_alone(&round);
        if (round.n_targets == 0)
                return 0;
        r = change_set_targets(&round.snapshot, round.targets, round.n_targets, &round.change);
        if (r < 0)
                return r;
        (void)change_log(keeper->socket, "", 0, &round.change);
        settle_results(keeper, &round);
        return 0;
}
