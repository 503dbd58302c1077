/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "change/carry_out.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/log.h"
#include "base/text.h"
#include "change/change_log.h"
#include "plan/stack.h"

/* So many steps that reading all of sysfs takes less than a search for each device. */
#define MANY 16

/* What steps are carried out for. */
struct work {
        struct netlink_socket *socket;
        const struct step_target *targets;
        size_t n_targets;
        struct mtu_change *changes;      /* one per target; NULL: not wanted */
        const struct put_back *put_back; /* NULL if no target is without a line */
        bool is_fresh;                   /* no request was sent: the snapshot is still right */
};

/* Records a device before it is lowered, or raised in part. If this process is killed in between, the record
 * also matches the MTU from before. If the device was lowered earlier, its first MTU counts. */
static int expect(const struct link *link, uint32_t to) {
        struct lowered_mtu record;
        int r = lowered_mtu_read(link, &record);

        if (r < 0 && r != -ENOENT)
                return r;
        if (r == -ENOENT)
                record.before = link->mtu;
        record.last = r == 0 ? link->mtu : 0;
        record.lowered = to;
        return lowered_mtu_write(link, &record);
}

/* Records what the kernel will lower along with a step. note_fall() tries again what fails here. */
static void expect_falls(const struct steps *steps, size_t cause) {
        for (size_t i = cause + 1; i < steps->n_items && steps->items[i].action == STEP_FALL; i++)
                (void)expect(steps->items[i].link, steps->items[i].to);
}

static bool is_recorded(const struct link *link, const struct lowered_mtu *wanted) {
        struct lowered_mtu record;

        return lowered_mtu_read(link, &record) == 0 && record.before == wanted->before &&
               record.last == wanted->last && record.lowered == wanted->lowered;
}

/* After the step: records the MTU that the device had, if it has less now. What expect_falls() recorded
 * stays as it is if it came true. */
static int note_fall(struct netlink_socket *socket, const struct link *before) {
        struct lowered_mtu record;
        struct link now;
        bool is_first;
        int r = link_get_by_ifindex(socket, before->ifindex, &now);

        if (r < 0)
                return r == -ENODEV ? 0 : r;
        r = lowered_mtu_read(before, &record);
        is_first = r == -ENOENT;
        if (r < 0 && !is_first)
                return r;
        if (is_first && before->mtu <= now.mtu)
                return mtu_record_remove(MTU_RECORD_LOWERED, before);
        if (is_first)
                record.before = before->mtu;
        record.last = 0;
        record.lowered = before->mtu < now.mtu ? before->mtu : now.mtu;
        return is_recorded(&now, &record) ? 0 : lowered_mtu_write(&now, &record);
}

/* Raises a device that fell with the one below it. True if it has that MTU. */
static bool regain(struct netlink_socket *socket, const struct step *step, const struct link *link,
                   uint32_t to) {
        struct lowered_mtu record;
        struct link now = *link;
        bool is_lost;
        int r = lowered_mtu_read(link, &record);

        if (r == 0 && to < record.before)
                r = expect(link, to);
        if (r == 0)
                r = link_set_mtu(socket, link, to, &now, &is_lost);
        if (r < 0) {
                change_log_low(socket, step, r);
                return false;
        }
        record.lowered = now.mtu;
        if (now.mtu >= record.before)
                r = mtu_record_remove(MTU_RECORD_LOWERED, link);
        else if (now.mtu != to)
                r = lowered_mtu_write(&now, &record);
        /* Otherwise the record matches until the next change, which may undo this one. */
        if (now.mtu != to) {
                change_log_low(socket, step, r);
                return false;
        }
        log_info("%s: MTU put back to %u, was %u since it was lowered with the device below it",
                 TEXT_SHOW(step->link->name), now.mtu, step->link->mtu);
        if (r < 0)
                change_log_unkept_fall(socket, step, now.mtu, r);
        return true;
}

/* A change that no caller asked for will not be undone. */
static void keep_change(const struct work *work, const struct step *step, const struct mtu_change *change) {
        bool is_kept = false;

        for (size_t i = 0; work->changes && i < work->n_targets; i++)
                if (work->targets[i].link == step->link) {
                        work->changes[i] = *change;
                        is_kept = true;
                }
        if (!is_kept)
                change_settle(change);
}

/* Sets the MTU of the step's line, and brings the link up if the line says so. True if both is done. */
static bool apply_line(struct work *work, const struct step *step, const struct link *link, bool is_fresh) {
        const struct config_line *line = step->line;
        struct mtu_change change;
        bool is_done, has_to_be_set_up;
        int r = 0;

        mtu_change_apply(work->socket, link, line, &change);
        is_done = mtu_change_is_done(&change);
        /* The line's MTU now replaces the line's earlier MTU as the kept one. */
        if (is_done && change.had_kept && line->file && line->spec.keep) {
                change.kept.mtu = change.wanted;
                (void)kept_mtu_write(link, &change.kept);
        }
        change_log_result(work->socket, line, &change);
        keep_change(work, step, &change);
        has_to_be_set_up = is_done && line->spec.up && !change.link.up;
        if (has_to_be_set_up) {
                r = link_set_up(work->socket, link->ifindex);
                change_log_set_up(work->socket, line, r);
        }
        work->is_fresh = is_fresh && !has_to_be_set_up && change.result == MTU_CHANGE_EQUAL;
        return is_done && r == 0;
}

/* The MTU that a device on top of a target can have now, up to its step's. The kernel may have given the
 * device below, for example a bridge, another MTU than expected. */
static uint32_t room_now(struct netlink_socket *socket, const struct step *step, const struct link *link) {
        struct link lower;
        uint32_t room;

        if (!step->is_dependent || !step->other || !stack_is_limited(link) ||
            link_get_by_ifindex(socket, step->other->ifindex, &lower) < 0)
                return step->to;
        room = stack_capacity(link, &lower, lower.mtu);
        return room < step->to ? room : step->to;
}

static void log_skipped(const struct step *step) {
        if (!step->is_dependent)
                log_error("%s: left at %u: %s, which comes first, could not be changed",
                          TEXT_SHOW(step->link->name), step->link->mtu, TEXT_SHOW(step->other->name));
}

/* Carries out a step. True if the device has its MTU, or nothing is to be done. */
static bool take(struct work *work, const struct step *step) {
        bool is_fresh = work->is_fresh;
        struct link link = *step->link;
        uint32_t to;
        int r = 0;

        work->is_fresh = false;
        /* Reads the device again, unless the snapshot is still right: before the first request, and for a
         * device that is set in any case and is apart from the others. */
        if (!is_fresh && !(step->is_apart && step->line && step->action == STEP_SET))
                r = link_get_by_ifindex(work->socket, step->link->ifindex, &link);
        if (r < 0) {
                change_log_unreadable(work->socket, TEXT_SHOW(step->link->name), r);
                return false;
        }
        to = room_now(work->socket, step, &link);
        if (step->line)
                return to < step->to || apply_line(work, step, &link, is_fresh);
        if (step->reason != STEP_REGAINS)
                return work->put_back->run(work->put_back->userdata, work->socket, &link);
        return to <= link.mtu || regain(work->socket, step, &link, to);
}

/* A failure prevents only the steps that depend on it. True if all targets succeeded; devices that are only
 * on top of them do not count. */
static bool carry_out(struct snapshot *snapshot, const struct steps *steps, struct work *work) {
        CLEANUP(cleanup_free) bool *is_done = calloc(steps->n_items + 1, sizeof(*is_done));
        bool is_all_done = true;

        if (steps->n_items >= MANY)
                device_identity_read_all(&snapshot->links);
        snapshot_forget_void_falls(snapshot);
        work->socket = snapshot->socket;
        work->is_fresh = true;
        if (!is_done)
                return log_fail(false, LOG_OUT_OF_MEMORY);
        for (size_t i = 0; i < steps->n_items; i++) {
                const struct step *step = &steps->items[i];

                if (step->action == STEP_FALL) {
                        int r = note_fall(work->socket, step->link);

                        if (r < 0)
                                change_log_unkept_fall(work->socket, step, 0, r);
                        continue;
                }
                if (step->action == STEP_ABSENT) {
                        log_info("%s: there is no such network device now; %s", step->line->name,
                                 CONFIG_LINE_PLACE(step->line));
                        is_done[i] = true;
                } else if (step->after != STEP_NONE && !is_done[step->after])
                        log_skipped(step);
                else if (step->action == STEP_REFUSE && step->other)
                        change_log_refused(step);
                else {
                        expect_falls(steps, i);
                        is_done[i] = take(work, step);
                }
                is_all_done &= is_done[i] || step->is_dependent;
        }
        return is_all_done;
}

void change_settle(const struct mtu_change *change) {
        /* Without `before`, at which setmtu would have the MTU for its own still. */
        const struct original_mtu record = { .original = change->original, .set = change->wanted };
        int r = 0;

        if (change->was_ours && change->result == MTU_CHANGE_DONE)
                r = original_mtu_write(&change->link, &record);
        if (r < 0)
                log_warning("%s: that %u is no MTU of setmtu's any more could not be kept in /run/setmtu: "
                            "%s; it would be taken for one, should the device get it again",
                            TEXT_SHOW(change->link.name), change->before, strerror(-r));
}

bool change_apply(struct snapshot *snapshot, const struct step_target *targets, size_t n_targets,
                  struct mtu_change *ret) {
        CLEANUP(steps_free) struct steps steps = { .n_items = 0 };
        struct work work = { .targets = targets, .n_targets = n_targets, .changes = ret };

        for (size_t i = 0; ret && i < n_targets; i++)
                ret[i] = (struct mtu_change){ .result = MTU_CHANGE_EQUAL, .link = *targets[i].link };
        if (steps_make(&snapshot->statuses, &snapshot->links, targets, n_targets, &steps) < 0)
                return log_fail(false, LOG_OUT_OF_MEMORY);
        return carry_out(snapshot, &steps, &work);
}

/* Restores the device even though the devices on top of it cannot follow. */
static bool put_back_alone(struct snapshot *snapshot, const struct link *link,
                           const struct put_back *put_back, int error) {
        (void)put_back->run(put_back->userdata, snapshot->socket, link);
        change_log_alone(TEXT_SHOW(link->name), error);
        return false;
}

bool change_put_back(struct snapshot *snapshot, const struct step_target *target,
                     const struct put_back *put_back) {
        CLEANUP(steps_free) struct steps steps = { .n_items = 0 };
        struct work work = { .put_back = put_back };

        if (steps_make(&snapshot->statuses, &snapshot->links, target, 1, &steps) < 0)
                return put_back_alone(snapshot, target->link, put_back, -ENOMEM);
        return carry_out(snapshot, &steps, &work);
}

bool change_put_back_fresh(struct snapshot *snapshot, const struct link *link, uint32_t mtu,
                           const struct put_back *put_back) {
        struct step_target target = { .mtu = mtu };
        int r = snapshot_look_at(snapshot, link, mtu, &target.link);

        return r == 0 ? change_put_back(snapshot, &target, put_back)
                      : put_back_alone(snapshot, link, put_back, r);
}

bool change_apply_line(struct snapshot *snapshot, const struct config_line *line, const struct link *link,
                       struct mtu_change *ret) {
        struct step_target target = { .line = line };
        int r = snapshot_look_at(snapshot, link, device_status_of(link, line).wanted, &target.link);

        if (r == 0)
                return change_apply(snapshot, &target, 1, ret);
        change_log_unreadable(snapshot->socket, line->name, r);
        if (ret)
                *ret = (struct mtu_change){ .result = MTU_CHANGE_EQUAL, .link = *link };
        return false;
}

bool change_apply_given(struct snapshot *snapshot, const struct config_line *line, const struct link *link,
                        uint32_t given) {
        struct config_line wanted = *line;
        struct mtu_change change;
        bool is_done;

        wanted.spec.up = false;
        is_done = change_apply_line(snapshot, &wanted, link, &change);
        change_settle(&change);
        if (given > 0 && !change.has_former && change.original == given)
                (void)mtu_record_remove(MTU_RECORD_ORIGINAL, link);
        return is_done;
}

bool change_apply_steps(struct snapshot *snapshot, const struct steps *steps) {
        return carry_out(snapshot, steps, &(struct work){ .put_back = NULL });
}

static void log_unreadable_record(const char *name, const struct link *link, int error) {
        log_error("%s: " ORIGINAL_MTU_UNREAD "; left at %u", name, link->ifindex, strerror(-error),
                  link->mtu);
}

/* Logs why the MTU from before was not set again. */
static bool log_unrestored(struct netlink_socket *socket, const char *name, const struct link *link,
                           uint32_t original, int error, bool is_lost) {
        if (is_lost)
                log_error("%s: it was to be restored to %u and cannot be read back: %s; it may have that or "
                          "still %u",
                          name, original, change_reason(socket, error), link->mtu);
        else if (error == -EPERM)
                change_log_no_permission(name);
        else
                log_error("%s: the MTU from before, %u, was refused: %s", name, original,
                          change_reason(socket, error));
        return false;
}

/* Restores the MTU from before setmtu, and forgets it; `userdata` is the device's name. */
static bool restore(void *userdata, struct netlink_socket *socket, const struct link *link) {
        static const enum mtu_record_kind over[] = { MTU_RECORD_LOWERED, MTU_RECORD_ORIGINAL };
        const char *name = userdata;
        /* Before the change, or setmtu-keep.service would undo it. */
        struct mtu_undone undone = { .record_error = mtu_record_remove(MTU_RECORD_KEPT, link) };
        struct original_mtu record = { .original = 0 };
        struct link now = *link;
        bool is_lost = false, is_ours;
        int found = original_mtu_find(link, &record), r = found;

        /* What others have set is left alone; `before`: the change was not finished. */
        is_ours = found == 0 && link->mtu != record.original &&
                  (link->mtu == record.set || link->mtu == record.before);
        if (is_ours)
                r = link_set_mtu(socket, link, record.original, &now, &is_lost);
        /* After a failure the records stay for another try. */
        for (size_t i = 0; i < sizeof(over) / sizeof(over[0]) && r == 0; i++) {
                int left = mtu_record_remove(over[i], link);

                undone.record_error = left < 0 ? left : undone.record_error;
        }
        undone.mtu = is_ours && r == 0 ? now.mtu : record.original;
        if (!change_log_undone(name, &undone, record.original))
                return false;
        if (found < 0 && found != -ENOENT)
                log_unreadable_record(name, link, found);
        else if (is_ours && r < 0)
                return log_unrestored(socket, name, link, record.original, r, is_lost);
        else if (is_ours)
                log_info("%s: MTU restored to %u, was %u", name, record.original, link->mtu);
        else if (found == 0 && link->mtu != record.original)
                log_info("%s: MTU is %u, no longer the %u that was set: another program has set it; left as "
                         "it is",
                         name, link->mtu, record.set);
        return found == 0 || found == -ENOENT;
}

bool change_restore(struct snapshot *snapshot, const char *name, const struct link *link) {
        char own_name[INTERFACE_NAME_SIZE];
        struct original_mtu record;
        uint32_t mtu = link->mtu;
        int r = original_mtu_find(link, &record);

        if (r < 0 && r != -ENOENT) {
                log_unreadable_record(name, link, r);
                return false;
        }
        if (r == 0 && (record.set == link->mtu || record.before == link->mtu))
                mtu = record.original;
        snprintf(own_name, sizeof(own_name), "%s", name);
        return change_put_back_fresh(snapshot, link, mtu, &(struct put_back){ restore, own_name });
}

bool change_has_fallen(const struct snapshot *snapshot, const struct link *link) {
        CLEANUP(steps_free) struct steps steps = { .n_items = 0 };
        const struct step_target target = { .link = link, .mtu = link->mtu };
        bool result = steps_make(&snapshot->statuses, &snapshot->links, &target, 1, &steps) < 0;

        for (size_t i = 0; i < steps.n_items; i++)
                result |= steps.items[i].reason == STEP_REGAINS;
        return result;
}
