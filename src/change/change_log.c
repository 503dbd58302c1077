/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "change/change_log.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/log.h"
#include "base/text.h"
#include "kernel/capability.h"
#include "plan/stack.h"

const char *change_reason(const struct netlink_socket *socket, int error) {
        const char *error_text = netlink_socket_error_text(socket);

        return error_text ? error_text : strerror(-error);
}

/* The end of a message: the place of the value, unless it came from a command line. */
#define ENDING_SIZE (CONFIG_LINE_PLACE_SIZE + 2)
static const char *ending_of(char buffer[static ENDING_SIZE], const struct config_line *line) {
        *buffer = '\0';
        if (line->file)
                config_line_place(stpcpy(buffer, "; "), line);
        return buffer;
}
#define ENDING(line) ending_of((char[ENDING_SIZE]){ 0 }, line)

void change_log_no_permission(const char *name) {
        log_error("%s: setting an MTU needs the capability CAP_NET_ADMIN; run this as root", name);
}

/* Logs why the kernel refused a value. */
static void log_refusal(struct netlink_socket *socket, const struct config_line *line,
                        const struct mtu_change *change) {
        const char *ending = ENDING(line);
        const struct link *link = &change->link;
        char words[256];
        struct link lower, controller;

        snprintf(words, sizeof(words), "%s",
                 change_reason(socket, change->error)); /* a request below overwrites it */
        /* A team refuses root like this, too (team_device_event()). */
        if (change->error == -EPERM && link->controller_ifindex > 0 &&
            link_get_by_ifindex(socket, link->controller_ifindex, &controller) == 0 &&
            stack_is_setter(&controller))
                log_error("%s: %u was refused: it is a port of %s, and a %s sets the MTU of its ports; "
                          "write the line for that one%s",
                          line->name, change->wanted, TEXT_SHOW(controller.name), controller.kind, ending);
        else if (change->error == -EPERM)
                change_log_no_permission(line->name);
        else if ((change->error == -ERANGE || change->error == -EINVAL) && link->is_lower_elsewhere &&
                 stack_is_limited(link))
                log_error("%s: %u is more than the device below it carries, which is in another network "
                          "namespace; raise that one there, or lower this value%s",
                          line->name, change->wanted, ending);
        else if ((change->error == -ERANGE || change->error == -EINVAL) && link->lower_ifindex > 0 &&
                 link_get_by_ifindex(socket, link->lower_ifindex, &lower) == 0 &&
                 stack_capacity(link, &lower, lower.mtu) < change->wanted)
                log_error("%s: %u is more than the device below it carries: %s has %u; raise that one "
                          "first, or lower this value%s",
                          line->name, change->wanted, TEXT_SHOW(lower.name), lower.mtu, ending);
        else if (change->error == -EBUSY && link->up)
                log_error("%s: %u was refused: %s; this driver may want the link down for a change of MTU%s",
                          line->name, change->wanted, words, ending);
        else
                log_error("%s: %u was refused: %s%s", line->name, change->wanted, words, ending);
}

static void log_fall_left(const char *name, int error) {
        log_warning("%s: the record of its lowered MTU in /run/setmtu cannot be removed: %s", name,
                    strerror(-error));
}

/* Logs the result of a line. */
static void log_change(struct netlink_socket *socket, const struct config_line *line,
                       const struct mtu_change *change) {
        const char *ending = ENDING(line);
        const struct link *link = &change->link;

        /* A failed change needs no record. */
        if (change->is_unread && mtu_change_is_done(change))
                log_warning("%s: " ORIGINAL_MTU_UNREAD, line->name, link->ifindex,
                            strerror(-change->record_error));
        else if (change->record_error < 0 &&
                 (mtu_change_is_done(change) || change->result == MTU_CHANGE_ROUNDED))
                log_warning("%s: the MTU from before, %u, could not be kept in /run/setmtu: %s; stopping "
                            "the unit will not restore it",
                            line->name, change->original, strerror(-change->record_error));
        if (change->fall_error < 0)
                log_fall_left(line->name, change->fall_error);
        switch (change->result) {
        case MTU_CHANGE_DONE:
                log_info("%s: MTU set to %u, was %u%s", line->name, change->wanted, change->before, ending);
                break;
        case MTU_CHANGE_EQUAL:
                log_info("%s: MTU is %u already%s", line->name, change->wanted, ending);
                break;
        case MTU_CHANGE_NO_LARGEST:
                log_error("%s: max is not available: the device reports no maximum; give a number%s",
                          line->name, ending);
                break;
        case MTU_CHANGE_TOO_LARGE:
                log_error("%s: %u is outside the range of this device (%u to %u)%s", line->name,
                          change->wanted, link->mtu_min, link->mtu_max, ending);
                break;
        case MTU_CHANGE_TOO_SMALL:
                log_error("%s: %u is below the smallest MTU of this device (%u)%s", line->name,
                          change->wanted, link->mtu_min, ending);
                break;
        case MTU_CHANGE_UNRECORDED:
                if (change->record_error == -EACCES && !capability_has_net_admin())
                        change_log_no_permission(line->name);
                else if (change->is_unread)
                        log_error("%s: left at %u and not set to %u: " ORIGINAL_MTU_UNREAD "%s", line->name,
                                  link->mtu, change->wanted, link->ifindex, strerror(-change->record_error),
                                  ending);
                else
                        log_error("%s: left at %u and not set to %u: the MTU from before, %u, could not be "
                                  "kept in /run/setmtu: %s%s",
                                  line->name, link->mtu, change->wanted, change->original,
                                  strerror(-change->record_error), ending);
                break;
        case MTU_CHANGE_REFUSED:
                log_refusal(socket, line, change);
                break;
        case MTU_CHANGE_LOST:
                log_error("%s: it was to be set to %u and cannot be read back: %s; it may have that or "
                          "still %u%s",
                          line->name, change->wanted, change_reason(socket, change->error), change->before,
                          ending);
                break;
        case MTU_CHANGE_ROUNDED:
                log_error("%s: the device set %u instead of %u without an error%s", line->name, link->mtu,
                          change->wanted, ending);
                break;
        }
}

void change_log_unreadable(const struct netlink_socket *socket, const char *name, int error) {
        log_error("%s: it can no longer be read from the kernel: %s", name, change_reason(socket, error));
}

/* The device below has too little. Only the administrator can decide which of the two lines is wrong. */
static void log_lower_too_small(const struct step *step) {
        const char *own = step->line->name, *name = TEXT_SHOW(step->other->name);
        const char *place = CONFIG_LINE_PLACE(step->line);
        char room[48] = "";
        uint32_t mtu = step->other_line ? device_status_of(step->other, step->other_line).wanted
                                        : step->other->mtu;
        uint32_t capacity = stack_capacity(step->link, step->other, mtu);

        /* The lower device's line would be enough, but cannot be carried out. */
        if (capacity >= step->to) {
                mtu = step->other_mtu;
                capacity = step->room;
        }

        if (capacity != mtu)
                snprintf(room, sizeof(room), ", room for %u", capacity);
        if (step->other_line)
                log_error("%s: %u is more than %s below it is to have, %u%s; raise %s, or lower %s", own,
                          step->to, name, mtu, room, CONFIG_LINE_PLACE(step->other_line), place);
        else
                log_error("%s: %u is more than %s below it has, %u%s; first raise that: setmtu set %s %u; "
                          "or lower %s",
                          own, step->to, name, mtu, room, TEXT_SHELL_WORD(step->other->name),
                          step->to + (mtu - capacity), place);
}

static void log_setter_disagrees(const struct step *step) {
        log_error("%s: %u is not what %s gives to its ports, %u; change %s, or %s, which a port does not "
                  "need",
                  step->line->name, step->to, TEXT_SHOW(step->other->name), step->other_mtu,
                  CONFIG_LINE_PLACE(step->other_line), CONFIG_LINE_PLACE(step->line));
}

/* Logs the result for a device without a line that was lowered with the device below it. */
static void log_regained(const struct netlink_socket *socket, const struct step_report *report) {
        const struct step *step = report->step;
        const char *name = TEXT_SHOW(step->link->name);

        if (!report->is_done)
                log_error("%s: was lowered with the device below it, and could not be put back to %u from "
                          "%u: %s",
                          name, step->to, step->link->mtu,
                          report->error < 0 ? change_reason(socket, report->error)
                                            : "the device makes another MTU of it");
        else
                log_info("%s: MTU put back to %u, was %u since it was lowered with the device below it",
                         name, report->regained, step->link->mtu);
}

static void log_unkept_fall(const struct netlink_socket *socket, const struct step_report *report) {
        const struct step *step = report->step;

        if (report->result == STEP_RESULT_REGAINED && report->regained >= step->link->mtu_before_fall) {
                log_fall_left(TEXT_SHOW(step->link->name), report->error);
                return;
        }
        log_warning("%s: what it had before it was lowered with the device below it, %u, could not be kept "
                    "in /run/setmtu: %s; it will not be raised with that one again",
                    TEXT_SHOW(step->link->name),
                    step->link->mtu_before_fall > 0 ? step->link->mtu_before_fall : step->link->mtu,
                    change_reason(socket, report->error));
}

/* Results for the caller. */
struct outcome {
        const struct step_target *targets;
        size_t n_targets;
        struct mtu_change *changes; /* one per target; NULL: not wanted */
        const struct put_back *put_back;
};

void change_settle(const struct mtu_change *change) {
        int r = mtu_change_settle(change);

        if (r < 0)
                log_warning("%s: that %u is no MTU of setmtu's any more could not be kept in /run/setmtu: "
                            "%s; it would be taken for one, should the device get it again",
                            TEXT_SHOW(change->link.name), change->before, strerror(-r));
}

/* A change that no caller asked for will not be undone. */
static void keep_change(const struct outcome *outcome, const struct step_report *report) {
        bool is_kept = false;

        for (size_t i = 0; outcome->changes && i < outcome->n_targets; i++)
                if (outcome->targets[i].link == report->step->link) {
                        outcome->changes[i] = report->change;
                        is_kept = true;
                }
        if (!is_kept)
                change_settle(&report->change);
}

static void log_step(void *userdata, struct netlink_socket *socket, const struct step_report *report) {
        struct outcome *outcome = userdata;
        const struct step *step = report->step;

        switch (report->result) {
        case STEP_RESULT_CHANGE:
                log_change(socket, step->line, &report->change);
                keep_change(outcome, report);
                if (report->was_set_up)
                        log_info("%s: link brought up", step->line->name);
                else if (report->error < 0)
                        log_error("%s: the MTU is set, but the link does not come up: %s%s",
                                  step->line->name, change_reason(socket, report->error),
                                  ENDING(step->line));
                break;
        case STEP_RESULT_REFUSED:
                if (step->reason == STEP_SETTER_DISAGREES)
                        log_setter_disagrees(step);
                else
                        log_lower_too_small(step);
                break;
        case STEP_RESULT_ABSENT:
                log_info("%s: there is no such network device now; %s", step->line->name,
                         CONFIG_LINE_PLACE(step->line));
                break;
        case STEP_RESULT_UNREADABLE:
                change_log_unreadable(socket, TEXT_SHOW(step->link->name), report->error);
                break;
        case STEP_RESULT_SKIPPED:
                if (!step->is_dependent)
                        log_error("%s: left at %u: %s, which comes first, could not be changed",
                                  TEXT_SHOW(step->link->name), step->link->mtu,
                                  step->other ? TEXT_SHOW(step->other->name) : "another device");
                break;
        case STEP_RESULT_REGAINED:
                log_regained(socket, report);
                if (report->is_done && report->error < 0)
                        log_unkept_fall(socket, report);
                break;
        case STEP_RESULT_FELL:
                log_unkept_fall(socket, report);
                break;
        case STEP_RESULT_PUT_BACK:
                break;
        }
}

static bool carry_out(struct snapshot *snapshot, const struct steps *steps, struct outcome *outcome) {
        const struct step_listener listener = { log_step, outcome, outcome->put_back };

        snapshot_forget_void_falls(snapshot);
        return steps_carry_out(steps, snapshot->socket, &listener);
}

bool change_apply(struct snapshot *snapshot, const struct step_target *targets, size_t n_targets,
                  struct mtu_change *ret) {
        CLEANUP(steps_free) struct steps steps = { .n_items = 0 };
        struct outcome outcome = { targets, n_targets, ret, NULL };
        bool is_done = false;

        for (size_t i = 0; ret && i < n_targets; i++)
                ret[i] = (struct mtu_change){ .result = MTU_CHANGE_EQUAL, .link = *targets[i].link };
        if (steps_make(&snapshot->statuses, &snapshot->links, targets, n_targets, &steps) < 0)
                log_out_of_memory();
        else
                is_done = carry_out(snapshot, &steps, &outcome);
        return is_done;
}

void change_log_alone(const char *name, int error) {
        log_error("%s: devices that stand on it could not be looked at; they are not raised with it, and "
                  "may have been lowered with it: %s",
                  name, strerror(-error));
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
        struct outcome outcome = { .put_back = put_back };

        if (steps_make(&snapshot->statuses, &snapshot->links, target, 1, &steps) < 0)
                return put_back_alone(snapshot, target->link, put_back, -ENOMEM);
        return carry_out(snapshot, &steps, &outcome);
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

bool change_apply_steps(struct snapshot *snapshot, const struct steps *steps) {
        struct outcome outcome = { .put_back = NULL };

        return carry_out(snapshot, steps, &outcome);
}

static void log_rounded_back(const char *name, uint32_t mtu, uint32_t before) {
        log_error("%s: the device set %u instead of the MTU from before, %u, without an error", name, mtu,
                  before);
}

static void log_record_left(const char *name, int error) {
        log_warning("%s: the record of its MTU in /run/setmtu cannot be removed: %s", name,
                    strerror(-error));
}

bool change_log_undone(const char *name, const struct mtu_undone *undone, uint32_t before) {
        if (undone->record_error < 0)
                log_record_left(name, undone->record_error);
        if (undone->mtu != before)
                log_rounded_back(name, undone->mtu, before);
        return undone->mtu == before;
}

static void log_unreadable_record(const char *name, const struct link *link, int error) {
        log_error("%s: " ORIGINAL_MTU_UNREAD "; left at %u", name, link->ifindex, strerror(-error),
                  link->mtu);
}

/* Restores the MTU from before setmtu; `userdata` is the device's name. */
static bool restore(void *userdata, struct netlink_socket *socket, const struct link *link) {
        const char *name = userdata;
        struct mtu_restore restore;

        mtu_change_restore(socket, link, &restore);
        if (restore.record_error < 0)
                log_record_left(name, restore.record_error);
        switch (restore.result) {
        case MTU_RESTORE_DONE:
                log_info("%s: MTU restored to %u, was %u", name, restore.original, link->mtu);
                return true;
        case MTU_RESTORE_EQUAL:
        case MTU_RESTORE_NOTHING:
                return true;
        case MTU_RESTORE_FOREIGN:
                log_info("%s: MTU is %u, no longer the %u that was set: another program has set it; left as "
                         "it is",
                         name, link->mtu, restore.set);
                return true;
        case MTU_RESTORE_REFUSED:
                if (restore.error == -EPERM)
                        change_log_no_permission(name);
                else
                        log_error("%s: the MTU from before, %u, was refused: %s", name, restore.original,
                                  change_reason(socket, restore.error));
                return false;
        case MTU_RESTORE_LOST:
                return log_fail(false,
                                "%s: it was to be restored to %u and cannot be read back: %s; it may have "
                                "that or still %u",
                                name, restore.original, change_reason(socket, restore.error), link->mtu);
        case MTU_RESTORE_ROUNDED:
                log_rounded_back(name, restore.link.mtu, restore.original);
                break;
        case MTU_RESTORE_UNREADABLE:
                log_unreadable_record(name, link, restore.error);
                break;
        }
        return false;
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
