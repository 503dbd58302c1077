/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "change/carry_out.h"

#include <errno.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "plan/stack.h"

static int write_lowered(const struct link *link, const struct lowered_mtu *record) {
        const struct device_record state = { .lowered = *record };

        return device_record_write(link, DEVICE_RECORD_LOWERED, &state);
}

/* Records a device before it is lowered, or raised in part. If this process is killed in between, the record
 * also matches the MTU from before. If the device was lowered earlier, its first MTU counts. */
static int expect_fall(const struct link *link, uint32_t to) {
        struct lowered_mtu record;
        int r = lowered_mtu_read(link, &record);

        if (r < 0 && r != -ENOENT)
                return r;
        if (r == -ENOENT)
                record.before = link->mtu;
        record.last = r == 0 ? link->mtu : 0;
        record.lowered = to;
        return write_lowered(link, &record);
}

/* Records what the kernel will lower along with a step. note_fall() tries again what fails here. */
static void expect_falls(const struct steps *steps, size_t cause) {
        for (size_t i = cause + 1; i < steps->n_items && steps->items[i].action == STEP_FALL; i++)
                (void)expect_fall(steps->items[i].link, steps->items[i].to);
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
                return device_record_remove(before->ifindex, DEVICE_RECORD_LOWERED);
        if (is_first)
                record.before = before->mtu;
        record.last = 0;
        record.lowered = before->mtu < now.mtu ? before->mtu : now.mtu;
        return write_lowered(&now, &record);
}

/* Raises a device that fell with the one below it. */
static void raise_fallen(struct netlink_socket *socket, const struct link *link, uint32_t to,
                         struct mtu_change *ret) {
        struct lowered_mtu record;
        int r = lowered_mtu_read(link, &record);

        *ret = (struct mtu_change){ .wanted = to, .before = link->mtu, .link = *link };
        if (r == 0 && to < record.before)
                r = expect_fall(link, to);
        if (r < 0) {
                ret->result = MTU_CHANGE_REFUSED;
                mtu_change_note_error(ret, socket, r);
                return;
        }
        mtu_change_request(socket, link, ret);
        if (!ret->has_changed)
                return;
        record.lowered = ret->link.mtu;
        if (record.lowered >= record.before)
                ret->record_error = device_record_remove(link->ifindex, DEVICE_RECORD_LOWERED);
        else if (record.lowered != to)
                ret->record_error = write_lowered(&ret->link, &record);
        /* Otherwise the record matches until the next change, which may undo this one. */
}

/* Sets the MTU of the step's line, and brings the link up if the line says so. */
static void set_line_and_link(struct netlink_socket *socket, const struct change *change,
                              const struct step *step, const struct link *link, struct mtu_change *ret) {
        const struct config_line *line = step->line;

        mtu_change_set(socket, link, line, change->is_trial && step->is_given, ret);
        ret->is_set_up = ret->is_done && line->spec.up && !ret->link.up;
        if (!ret->is_set_up)
                return;
        ret->up_error = link_set_up(socket, link->ifindex);
        if (ret->up_error < 0) {
                mtu_change_note_error(ret, socket, ret->up_error);
                ret->is_done = false;
        }
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

/* Carries out a step. `is_fresh`: the snapshot is still right; otherwise the device is read again, unless it
 * is set in any case and is apart from the others. */
static void take_step(struct netlink_socket *socket, const struct change *change, const struct step *step,
                      bool is_fresh, struct mtu_change *ret) {
        struct link link = *step->link;
        uint32_t to;
        int r = 0;

        if (!is_fresh && !(step->is_apart && step->line && step->action == STEP_SET))
                r = link_get_by_ifindex(socket, step->link->ifindex, &link);
        ret->is_done = r == 0;
        if (r < 0) {
                ret->result = MTU_CHANGE_UNREADABLE;
                mtu_change_note_error(ret, socket, r);
                return;
        }
        link.fit = step->fit;
        to = room_now(socket, step, &link);
        if (step->line && to == step->to)
                set_line_and_link(socket, change, step, &link, ret);
        else if (step->reason == STEP_BY_SETTER && !step->line) {
                *ret = (struct mtu_change){ .wanted = step->to, .before = link.mtu, .link = link };
                mtu_change_request(socket, &link, ret);
        } else if (!step->line && step->reason != STEP_REGAINS)
                mtu_change_set_back(socket, &link, &change->earlier, ret);
        else if (!step->line && to > link.mtu)
                raise_fallen(socket, &link, to, ret);
}

/* Whether steps that come after it may be taken. What stands on a device that was set back only in part
 * rises as far as it can. */
static bool is_followed(const struct change *change, size_t i) {
        const struct mtu_change *result = &change->results[i];

        return result->is_done || (change->is_set_back && result->result == MTU_CHANGE_ROUNDED);
}

void change_carry_out(struct snapshot *snapshot, struct change *change) {
        struct netlink_socket *socket = snapshot->socket;
        bool is_fresh = true; /* no request was sent */

        if (snapshot->has_void_falls)
                snapshot_forget_void_falls(snapshot);
        change->is_done = true;
        for (size_t i = 0; i < change->steps.n_items; i++) {
                const struct step *step = &change->steps.items[i];
                struct mtu_change *result = &change->results[i];

                if (step->action == STEP_FALL) {
                        result->record_error = note_fall(socket, step->link);
                        continue;
                }
                result->is_done = step->action == STEP_ABSENT || step->action == STEP_WAIT;
                if (result->is_done)
                        continue;
                if (step->after != STEP_NONE && !is_followed(change, step->after))
                        result->result = MTU_CHANGE_SKIPPED;
                else if (step->action == STEP_REFUSE && step->other)
                        result->result = MTU_CHANGE_CONTRADICTED;
                else {
                        expect_falls(&change->steps, i);
                        take_step(socket, change, step, is_fresh, result);
                        is_fresh &= step->line && result->result == MTU_CHANGE_EQUAL && !result->is_set_up;
                }
                change->is_done &= result->is_done || step->is_dependent;
        }
}

int change_make(const struct snapshot *snapshot, const struct step_target *targets, size_t n_targets,
                struct change *ret) {
        struct change change = { 0 };
        int r = steps_make(&snapshot->statuses, &snapshot->links, targets, n_targets, &change.steps);

        if (r < 0)
                return r;
        change.results =
                        calloc(change.steps.n_items > 0 ? change.steps.n_items : 1, sizeof(*change.results));
        if (!change.results) {
                change_free(&change);
                return -ENOMEM;
        }
        for (size_t i = change.steps.n_items; i-- > 0;)
                if (change.steps.items[i].is_given && change.steps.items[i].action != STEP_FALL)
                        change.own = &change.results[i];
        *ret = change;
        return 0;
}

void change_free(struct change *change) {
        steps_free(&change->steps);
        free(change->results);
        *change = (struct change){ 0 };
}

int change_set_targets(struct snapshot *snapshot, const struct step_target *targets, size_t n_targets,
                       struct change *ret) {
        int r = change_make(snapshot, targets, n_targets, ret);

        if (r == 0)
                change_carry_out(snapshot, ret);
        return r;
}

struct mtu_change *change_result(const struct change *change, const struct link *link) {
        for (size_t i = 0; i < change->steps.n_items; i++)
                if (change->steps.items[i].link == link && change->steps.items[i].action != STEP_FALL)
                        return &change->results[i];
        return NULL;
}

int change_set_line(struct snapshot *snapshot, const struct config_line *line, const struct link *link,
                    struct change *ret) {
        struct step_target target = { .line = line };
        int r = snapshot_look_at(snapshot, link, device_status_of(link, line).wanted, &target.link);

        return r < 0 ? r : change_set_targets(snapshot, &target, 1, ret);
}

void change_set_back(struct snapshot *snapshot, const struct link *link, const struct earlier_mtu *earlier,
                     int error, struct change *ret) {
        struct step_target target = { .mtu = earlier_mtu_to_come(earlier, link) };
        struct earlier_mtu own = *earlier;
        const struct link *setter;

        if (error == 0)
                error = snapshot_look_at(snapshot, link, target.mtu, &target.link);
        /* The MTU of a port is that of its bond, whatever it was before it became one. */
        setter = error == 0 ? stack_setter(&snapshot->links, target.link) : NULL;
        if (setter && own.is_original && own.mtu > 0) {
                own.mtu = setter->mtu;
                target.mtu = earlier_mtu_to_come(&own, link);
        }
        if (error == 0)
                error = change_make(snapshot, &target, 1, ret);
        if (error < 0) {
                *ret = (struct change){ .is_set_back = true, .earlier = *earlier, .error = error };
                ret->own = &ret->alone;
                mtu_change_set_back(snapshot->socket, link, earlier, ret->own);
                return;
        }
        ret->is_set_back = true;
        ret->earlier = own;
        change_carry_out(snapshot, ret);
}

bool change_has_fallen(const struct snapshot *snapshot, const struct link *link) {
        CLEANUP(steps_free) struct steps steps = { .n_items = 0 };
        const struct step_target target = { .link = link, .mtu = link->mtu };
        bool result = steps_make(&snapshot->statuses, &snapshot->links, &target, 1, &steps) < 0;

        for (size_t i = 0; i < steps.n_items; i++)
                result |= steps.items[i].reason == STEP_REGAINS;
        return result;
}
