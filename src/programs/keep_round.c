/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "programs/keep_round.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/pool.h"
#include "change/carry_out.h"
#include "command/change_log.h"
#include "history/mtu_history.h"
#include "kernel/link_monitor.h"
#include "plan/stack.h"
#include "state/unit_state.h"

/* The kernel does not announce that a peer of WireGuard has another endpoint. */
#define POLL_S 5.0

struct kept_device *keeper_find(const struct keeper *keeper, unsigned ifindex) {
        for (size_t i = 0; i < keeper->n_devices; i++)
                if (keeper->devices[i].ifindex == ifindex)
                        return &keeper->devices[i];
        return NULL;
}

void keeper_look_at(struct keeper *keeper, double at) {
        if (at < keeper->due)
                keeper->due = at;
}

/* Counts in the device's record that it was set again; or notes the MTU that it has refused, not 0. */
static void note_set_again(const struct link *link, uint32_t refused) {
        struct device_record record;
        int r = device_record_read(link, &record);

        /* A failed read must not reset the count. */
        if (r == 0) {
                record.tally.refused = refused;
                if (!refused) {
                        record.tally.count++;
                        record.tally.last_s = (uint32_t)time(NULL);
                }
                r = device_record_write(link, DEVICE_RECORD_TALLY, &record);
        }
        if (r < 0 && r != -ENOENT)
                log_warning("%s: cannot be noted in /run/setmtu: %s", link->name, strerror(-r));
}

/* Adds it if it is not there. NULL if out of memory: then all devices are looked at again. */
static struct kept_device *get_device(struct keeper *keeper, unsigned ifindex) {
        struct kept_device *device = keeper_find(keeper, ifindex);

        if (device)
                return device;
        device = array_add(&keeper->devices, &keeper->n_devices, sizeof(*device));
        if (device)
                *device = (struct kept_device){ .ifindex = ifindex };
        else
                keeper_look_at(keeper, clock_monotonic_s() + KEEPER_AGAIN_S);
        return device;
}

void keeper_forget(struct keeper *keeper, struct kept_device *device) {
        if (device)
                *device = keeper->devices[--keeper->n_devices];
}

bool keeper_has_changed(struct keeper *keeper, const struct link *link, struct device_record *ret) {
        int r = device_record_read(link, ret);

        if (r < 0 && r != -ENOENT && r != -EBADMSG)
                keeper_look_at(keeper, clock_monotonic_s() + KEEPER_AGAIN_S);
        return ret->kept.mtu > 0 && !ret->kept.is_auto && ret->kept.mtu != link->mtu;
}

struct keep_round {
        struct keeper *keeper;
        double now;
        struct snapshot snapshot;
        struct change change;
        struct pool pool; /* owns the targets and their lines */
        struct step_target *targets;
        size_t n_targets;
};

static void round_free(struct keep_round *round) {
        pool_free(&round->pool);
        change_free(&round->change);
        snapshot_cleanup(&round->snapshot);
}

/* Listens to ways as well while a line says auto. */
static int follow_ways(struct keeper *keeper, bool follows) {
        int r = keeper->follows != follows ? link_monitor_hear_ways(keeper->monitor, follows) : 0;

        if (r == 0)
                keeper->follows = follows;
        return r;
}

/* Reads the lines and the devices. */
static int round_open(struct keep_round *round) {
        struct snapshot *snapshot = &round->snapshot;
        int r = snapshot_open(&diagnostic_silent, snapshot);

        if (r == 0)
                r = follow_ways(round->keeper, snapshot->plan.has_fits || snapshot->plan.config.is_partial);
        /* What fits is computed once, after the other lines are out of it. */
        snapshot->plan.has_fits = false;
        return r < 0 ? r : snapshot_look(snapshot);
}

static void add_target(struct keep_round *round, const struct link *link, const struct config_line *line) {
        struct step_target *target =
                        pool_add(&round->pool, &round->targets, &round->n_targets, sizeof(*target));

        if (target)
                *target = (struct step_target){ .link = link, .line = line };
}

/* `link` may be NULL. */
static bool is_target(const struct keep_round *round, const struct link *link) {
        for (size_t i = 0; i < round->n_targets; i++)
                if (round->targets[i].link == link)
                        return true;
        return false;
}

/* The line as the unit applied it: later edits count once they are applied. NULL: out of memory. */
static const struct config_line *make_line(struct pool *pool, const char *name,
                                           const struct kept_mtu *kept) {
        struct config_line *line = pool_take(pool, sizeof(*line));

        if (!line)
                return NULL;
        strcpy(line->name, name);
        line->spec = (struct mtu_spec){ .mtu = kept->mtu, .keep = true };
        line->file = kept->file[0] ? pool_copy(pool, kept->file) : NULL;
        line->line = kept->line;
        return line;
}

/* Whether its unit is not masked, and nothing is tried with it. The end of a trial is not announced. */
static bool is_free(struct keep_round *round, const struct link *link, const struct device_record *record) {
        int is_masked = unit_is_device_masked(link->name);
        bool is_tried = record->trial.id > 0;

        if (is_masked < 0 || (is_masked == 0 && is_tried))
                keeper_look_at(round->keeper, round->now + KEEPER_AGAIN_S);
        return is_masked == 0 && !is_tried;
}

/* Whether no pause stands against setting the device now. A smaller MTU than what fitted before is set in
 * any case. `fitting`: what fits; UINT32_MAX for a line that does not say auto. */
static bool is_due(struct keep_round *round, const struct link *link, uint32_t fitting) {
        const struct kept_device *device = get_device(round->keeper, link->ifindex);

        if (!device)
                return false;
        if (fitting < device->fitted || keep_pace_next(&device->pace) <= round->now)
                return true;
        keeper_look_at(round->keeper, keep_pace_next(&device->pace));
        return false;
}

/* Whether the device below has enough for `mtu`, or is set again as well, which comes first in the table. */
static bool has_room(const struct keep_round *round, const struct link *link, uint32_t mtu) {
        const struct link *limit = stack_limit(&round->snapshot.links, link);
        struct kept_device *device = keeper_find(round->keeper, link->ifindex);

        if (!limit || is_target(round, limit) || stack_capacity(link, limit, limit->mtu) >= mtu)
                return true;
        if (!device->is_blocked)
                log_warning("%s: left at %u until %s below it has room for %u; give that one a line with "
                            "keep",
                            link->name, link->mtu, limit->name, mtu);
        device->is_blocked = round->keeper->has_blocked = true;
        return false;
}

/* Collects the changed devices that are kept; the other kept ones stay as they are. */
static void collect_kept(struct keep_round *round) {
        for (size_t i = 0; i < round->snapshot.links.n_links; i++) {
                struct device_status *status = &round->snapshot.statuses.items[i];
                const struct link *link = status->link;
                struct kept_device *device = keeper_find(round->keeper, link->ifindex);
                struct device_record record;
                bool has_changed = keeper_has_changed(round->keeper, link, &record);

                if (device)
                        device->is_blocked &= has_changed;
                if (has_changed && record.tally.refused != record.kept.mtu &&
                    is_free(round, link, &record) && is_due(round, link, UINT32_MAX) &&
                    has_room(round, link, record.kept.mtu))
                        add_target(round, link, make_line(&round->pool, link->name, &record.kept));
                else
                        status->is_fixed |= record.kept.mtu > 0;
        }
}

/* `keep` concerns only the device of the line: a device below it without `keep` stays as it is. */
static void leave_others_alone(struct keep_round *round) {
        struct snapshot *snapshot = &round->snapshot;

        for (size_t i = 0; i < round->n_targets; i++) {
                struct step_target *target = &round->targets[i];

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

                if (!status->line || is_target(round, link) || link->mtu == status->wanted)
                        continue;
                planned = plan_find(&snapshot->plan, status->line->name);
                r = original_mtu_read(link, &record);
                status->is_fixed |= !planned || planned->is_kept ||
                                    unit_is_device_masked(status->line->name) != 0 ||
                                    (r == 0 ? record.set != status->wanted : r != -ENOENT);
        }
}

/* Whether the line of the device, which may be NULL, says auto. */
static bool is_auto(const struct keep_round *round, const struct link *link) {
        const struct device_statuses *statuses = &round->snapshot.statuses;
        const struct config_line *line =
                        link ? statuses->items[link - round->snapshot.links.links].line : NULL;

        return line && line->spec.is_auto;
}

/* Whether the device's unit is active, and has applied its line. */
static bool is_followed(struct keep_round *round, const struct link *link) {
        struct device_record record;

        return device_record_read(link, &record) == 0 && record.kept.is_auto && record.kept.mtu > 0 &&
               is_free(round, link, &record);
}

/* A device that is put back by another line, later or not at all, counts with the MTU that it has. */
static void freeze_others(struct keep_round *round) {
        struct snapshot *snapshot = &round->snapshot;

        for (size_t i = 0; i < snapshot->links.n_links; i++) {
                struct device_status *status = &snapshot->statuses.items[i];
                /* A port's line says what its bond or team can have. */
                const struct link *follower = is_auto(round, status->link)
                                                              ? status->link
                                                              : stack_setter(&snapshot->links, status->link);

                /* Also one whose unit has still to start, which no event will announce. */
                if (is_auto(round, status->link) && strcmp(status->link->kind, "wireguard") == 0)
                        keeper_look_at(round->keeper, round->now + POLL_S);
                if (!status->line || (is_auto(round, follower) && is_followed(round, follower)))
                        continue;
                status->line = NULL;
                status->wanted = 0;
                status->state = DEVICE_STATE_UNSET;
                status->is_fixed = true;
        }
}

/* Collects the devices whose lines say auto, and which another MTU fits now. */
static int collect_fits(struct keep_round *round) {
        struct snapshot *snapshot = &round->snapshot;
        int r;

        freeze_others(round);
        r = snapshot_fit(snapshot);
        for (size_t i = 0; r == 0 && i < snapshot->links.n_links; i++) {
                struct device_status *status = &snapshot->statuses.items[i];

                if (!status->line)
                        continue;
                status->is_fixed = !status->line->spec.is_auto || status->state != DEVICE_STATE_DRIFT ||
                                   !is_due(round, status->link, status->wanted);
                if (!status->is_fixed)
                        add_target(round, status->link, status->line);
        }
        return r;
}

/* Notes that the device was changed again, or could not be set again. */
static void note_pace(const struct keep_round *round, struct kept_device *device,
                      const struct step_target *target, const struct mtu_change *change) {
        if (keep_pace_note(&device->pace, round->now))
                log_error("%s: %s; next attempt in %u s", target->link->name,
                          target->line->spec.is_auto          ? "its MTU, or what fits, keeps changing"
                          : change->result == MTU_CHANGE_DONE ? "another program keeps changing the MTU"
                                                              : "its MTU could not be set again",
                          device->pace.pause_s);
}

static void give_up(const struct mtu_change *change) {
        note_set_again(&change->link, change->wanted);
        log_warning("%s: not set again any more; systemctl reload '%s' tries it", change->link.name,
                    UNIT_OF_DEVICE(change->link.name));
}

/* Whether the device below has too little by now, because another program changed it meanwhile. */
static bool has_lost_room(const struct keep_round *round, const struct mtu_change *change) {
        const struct link *limit = stack_limit(&round->snapshot.links, &change->link);
        struct link now;

        return limit && (link_get_by_ifindex(round->snapshot.socket, limit->ifindex, &now) < 0 ||
                         stack_capacity(&change->link, &now, now.mtu) < change->wanted);
}

/* Whether asking again is of no use. A rounded MTU need not be the driver's: another program may have
 * changed it before it was read back. */
static bool is_final(const struct keep_round *round, const struct mtu_change *change) {
        if (change->result == MTU_CHANGE_REFUSED)
                return change->error != -ENODEV && change->error != -ENOMEM && change->error != -ENOBUFS &&
                       change->error != -EBUSY && !has_lost_room(round, change);
        return change->result == MTU_CHANGE_IMPOSSIBLE;
}

/* Handles the result for one device. True if another program's change has been undone. */
static bool settle_result(const struct keep_round *round, const struct step_target *target,
                          const struct mtu_change *change) {
        struct kept_device *device = keeper_find(round->keeper, target->link->ifindex);
        bool is_auto = target->line->spec.is_auto, is_done = change->result == MTU_CHANGE_DONE;

        if (change->result == MTU_CHANGE_NONE || change->result == MTU_CHANGE_EQUAL)
                return false;
        if (is_auto)
                device->fitted = change->wanted;
        note_pace(round, device, target, change);
        if (is_done)
                note_set_again(&change->link, 0);
        else if (!is_auto && is_final(round, change))
                give_up(change);
        else
                /* Something else may have changed meanwhile. */
                keeper_look_at(round->keeper, round->now + KEEPER_AGAIN_S);
        return is_done && !is_auto;
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

static void settle_results(const struct keep_round *round) {
        CLEANUP(history_free) struct history history = { 0 };
        struct keeper *keeper = round->keeper;
        size_t n_done = 0;
        int r = 0;

        for (size_t i = 0; i < round->n_targets; i++) {
                const struct step_target *target = &round->targets[i];
                const struct mtu_change *change = change_result(&round->change, target->link);

                if (!settle_result(round, target, change))
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
        CLEANUP(round_free) struct keep_round round = { .keeper = keeper, .now = now };
        int r = round_open(&round);

        if (r < 0)
                return r;
        keeper->has_blocked = false;
        collect_kept(&round);
        if (round.n_targets > 0)
                leave_others_alone(&round);
        else if (keeper->follows)
                r = collect_fits(&round);
        if (round.pool.failed)
                r = -ENOMEM;
        if (r < 0 || round.n_targets == 0)
                return r;
        r = change_set_targets(&round.snapshot, round.targets, round.n_targets, &round.change);
        if (r < 0)
                return r;
        (void)change_log(round.snapshot.socket, "", 0, &round.change);
        settle_results(&round);
        /* Then what depends on them. */
        if (keeper->follows)
                keeper_look_at(keeper, now);
        return 0;
}
