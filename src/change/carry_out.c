/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "change/carry_out.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/log.h"
#include "plan/stack.h"
#include "store/mtu_record.h"

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

/* After the step: records the MTU that the device had, if it has less now. */
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
        return lowered_mtu_write(&now, &record);
}

static void regain(struct netlink_socket *socket, const struct link *link, uint32_t to,
                   struct step_report *report) {
        struct lowered_mtu record;
        struct link now = *link;
        bool is_lost;

        report->result = STEP_RESULT_REGAINED;
        report->regained = to;
        report->error = lowered_mtu_read(link, &record);
        if (report->error == 0 && to < record.before)
                report->error = expect(link, to);
        if (report->error == 0)
                report->error = link_set_mtu(socket, link, to, &now, &is_lost);
        if (report->error < 0)
                return;
        report->regained = record.lowered = now.mtu;
        report->is_done = now.mtu == to;
        if (now.mtu >= record.before)
                report->error = mtu_record_remove(MTU_RECORD_LOWERED, link);
        else if (!report->is_done)
                report->error = lowered_mtu_write(&now, &record);
        /* Otherwise the record matches until the next change, which may undo this one. */
}

static void apply_line(struct netlink_socket *socket, const struct link *link, struct step_report *report) {
        struct kept_mtu *kept = &report->change.kept;

        report->result = STEP_RESULT_CHANGE;
        mtu_change_apply(socket, link, &report->step->line->spec, &report->change);
        report->is_done = mtu_change_is_done(&report->change);
        /* The line's MTU now replaces the line's earlier MTU as the kept one. */
        if (report->is_done && report->change.had_kept && report->step->line->file &&
            report->step->line->spec.keep) {
                kept->mtu = report->change.wanted;
                (void)kept_mtu_write(link, kept);
        }
        if (!report->is_done || !report->step->line->spec.up || report->change.link.up)
                return;
        report->error = link_set_up(socket, link->ifindex);
        report->is_done = report->was_set_up = report->error == 0;
}

/* Reads the device again, unless the snapshot is still right: before the first request, and for a device
 * that is set in any case and is apart from the others. */
static int look(struct netlink_socket *socket, const struct step *step, bool is_fresh, struct link *ret) {
        if (!is_fresh && !(step->is_apart && step->line && step->action == STEP_SET))
                return link_get_by_ifindex(socket, step->link->ifindex, ret);
        *ret = *step->link;
        return 0;
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

/* False if there is nothing to do and nothing to report. */
static bool carry_out(struct netlink_socket *socket, const struct step_listener *listener, bool is_fresh,
                      struct step_report *report) {
        const struct step *step = report->step;
        struct link link;
        uint32_t to;

        report->error = look(socket, step, is_fresh, &link);
        if (report->error < 0) {
                report->result = STEP_RESULT_UNREADABLE;
                return true;
        }
        to = room_now(socket, step, &link);
        if (step->line && to < step->to)
                return false;
        if (step->line)
                apply_line(socket, &link, report);
        else if (step->reason != STEP_REGAINS) {
                report->result = STEP_RESULT_PUT_BACK;
                report->is_done = listener->put_back->run(listener->put_back->userdata, socket, &link);
        } else if (to > link.mtu)
                regain(socket, &link, to, report);
        else
                return false;
        return true;
}

bool steps_carry_out(const struct steps *steps, struct netlink_socket *socket,
                     const struct step_listener *listener) {
        CLEANUP(cleanup_free) bool *is_done = calloc(steps->n_items + 1, sizeof(*is_done));
        bool is_fresh = true, is_all_done = true;

        if (!is_done)
                return log_fail(false, LOG_OUT_OF_MEMORY);
        for (size_t i = 0; i < steps->n_items; i++) {
                const struct step *step = &steps->items[i];
                struct step_report report = { .step = step };

                if (step->action == STEP_FALL) {
                        report.result = STEP_RESULT_FELL;
                        report.error = note_fall(socket, step->link);
                        if (report.error < 0)
                                listener->report(listener->userdata, socket, &report);
                        continue;
                }
                if (step->action == STEP_ABSENT) {
                        report.result = STEP_RESULT_ABSENT;
                        report.is_done = true;
                } else if (step->after != STEP_NONE && !is_done[step->after])
                        report.result = STEP_RESULT_SKIPPED;
                else if (step->action == STEP_REFUSE && step->other)
                        report.result = STEP_RESULT_REFUSED;
                else {
                        bool is_tried;

                        expect_falls(steps, i);
                        is_tried = carry_out(socket, listener, is_fresh, &report);
                        is_fresh &= report.result == STEP_RESULT_CHANGE && !report.was_set_up &&
                                    report.error == 0 && report.change.result == MTU_CHANGE_EQUAL;
                        /* The step does not block others either. */
                        if (!is_tried) {
                                is_done[i] = true;
                                continue;
                        }
                }
                listener->report(listener->userdata, socket, &report);
                is_done[i] = report.is_done;
                is_all_done &= report.is_done || step->is_dependent;
        }
        return is_all_done;
}
