/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "command/change_log.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/log.h"
#include "base/text.h"
#include "kernel/capability.h"
#include "plan/advice.h"
#include "plan/fit.h"
#include "plan/stack.h"

const char *change_openvswitch(struct pool *pool, const struct link *link, uint32_t mtu) {
        char word[TEXT_SHELL_WORD_SIZE];

        if (strcmp(link->kind, "openvswitch") != 0)
                return NULL;
        return pool_print(pool, "ovs-vsctl set Interface %s mtu_request=%u",
                          text_shell_word(word, link->name), mtu);
}

bool change_log_lock(struct command_lock *ret) {
        int r = command_lock_take(0, ret);

        if (r == -ETIMEDOUT) {
                log_info("another setmtu is at work; waiting for it");
                /* None holds the lock for longer than a few seconds. */
                r = command_lock_take(30, ret);
        }
        return r == 0 ||
               log_fail(false, "%s" CHANGE_LOCK_PATH ": %s",
                        r == -ETIMEDOUT ? "another setmtu is at work and does not end: " : "", strerror(-r));
}

void change_log_no_permission(const char *name) {
        log_error("%s: setting an MTU needs the capability CAP_NET_ADMIN; run this as root", name);
}

/* Logs why the kernel refused a value. */
static void log_refusal(struct netlink_socket *socket, const struct config_line *line, const char *ending,
                        const struct mtu_change *change) {
        const struct link *link = &change->link;
        struct link lower, controller;

        /* A team refuses root like this, too (team_device_event()). */
        if (change->error == -EPERM && link->controller_ifindex > 0 &&
            link_get_by_ifindex(socket, link->controller_ifindex, &controller) == 0 &&
            stack_is_setter(&controller))
                log_error("%s: %u was refused: it is a port of %s, and a %s sets the MTU of its ports; "
                          "write the line for that one%s",
                          line->name, change->wanted, controller.name, controller.kind, ending);
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
                          line->name, change->wanted, lower.name, lower.mtu, ending);
        else if (change->error == -EBUSY && link->up)
                log_error("%s: %u was refused: %s; this driver may want the link down for a change of MTU%s",
                          line->name, change->wanted, change->reason, ending);
        else
                log_error("%s: %u was refused: %s%s", line->name, change->wanted, change->reason, ending);
}

/* Logs what became of a device that was to be `verb`: set, restored or reverted. `line`: its line, which has
 * the MTU; NULL: none. `ending` follows the result. */
static void log_result(struct netlink_socket *socket, const char *name, const struct config_line *line,
                       const char *verb, const char *ending, const struct mtu_change *change) {
        CLEANUP(pool_free) struct pool pool = { 0 };
        const struct link *link = &change->link;
        uint32_t wanted = change->wanted, before = change->before;
        const char *command = line ? change_openvswitch(&pool, link, wanted) : NULL;
        const char *hint = command ? "; to have Open vSwitch hold it: " : "";

        switch (change->result) {
        case MTU_CHANGE_NONE:
        case MTU_CHANGE_STALE:
        case MTU_CHANGE_CONTRADICTED:
        case MTU_CHANGE_SKIPPED:
                break;
        case MTU_CHANGE_DONE:
                if (change->is_pinned)
                        log_change("%s: MTU %u no longer follows its ports%s", name, wanted, ending);
                else
                        log_change("%s: MTU %s to %u, was %u%s%s%s", name, verb, wanted, before, hint,
                                   command ? command : "", ending);
                break;
        case MTU_CHANGE_EQUAL:
                log_info("%s: MTU is %u already%s", name, wanted, ending);
                break;
        case MTU_CHANGE_IMPOSSIBLE:
                log_error("%s: %s%s", name, DEVICE_FAULT(link, wanted), ending);
                break;
        case MTU_CHANGE_UNRECORDED:
                if (change->record_error == -EACCES && !capability_has_net_admin())
                        change_log_no_permission(name);
                else if (change->is_unread)
                        log_error("%s: left at %u and not set to %u: " ORIGINAL_MTU_UNREAD "%s", name,
                                  link->mtu, wanted, link->ifindex, strerror(-change->record_error), ending);
                else
                        log_error("%s: left at %u and not set to %u: the MTU from before, %u, could not be "
                                  "kept in /run/setmtu: %s%s",
                                  name, link->mtu, wanted, change->original, strerror(-change->record_error),
                                  ending);
                break;
        case MTU_CHANGE_REFUSED:
                if (line)
                        log_refusal(socket, line, ending, change);
                else if (change->error == -EPERM)
                        change_log_no_permission(name);
                else
                        log_error("%s: MTU is still %u: it could not be %s to %u: %s", name, before, verb,
                                  wanted, change->reason);
                break;
        case MTU_CHANGE_LOST:
                log_error("%s: it was to be %s to %u and cannot be read back: %s; it may have that or still "
                          "%u%s",
                          name, verb, wanted, change->reason, before, ending);
                break;
        case MTU_CHANGE_ROUNDED:
                log_error("%s: the device set %u instead of %u without an error%s%s%s", name, link->mtu,
                          wanted, hint, command ? command : "", ending);
                break;
        case MTU_CHANGE_UNREADABLE:
                log_error("%s: it cannot be read from the kernel: %s", name, change->reason);
                break;
        }
}

static void log_record_error(const char *name, const struct mtu_change *change) {
        if (change->record_error < 0)
                log_warning("%s: its MTU from before could not be kept in /run/setmtu: %s; a restore may "
                            "set "
                            "another one",
                            name, strerror(-change->record_error));
}

/* Logs the result of a line. */
static void log_line_result(struct netlink_socket *socket, const struct config_line *line,
                            const struct mtu_change *change) {
        /* The place of the value, unless it came from a command line. */
        char ending[FIT_TEXT_SIZE + CONFIG_LINE_PLACE_SIZE + 4] = "", *end = ending;
        bool has_set = change->has_changed || change->result == MTU_CHANGE_EQUAL;

        if (line->spec.is_auto && change->link.fit.fault == FIT_FITS) {
                fit_text(stpcpy(end, "; "), &change->link.fit);
                end = strchr(end, '\0');
        }
        if (line->file)
                config_line_place(stpcpy(end, "; "), line);
        /* A failed change needs no record. */
        if (change->is_unread && has_set)
                log_warning("%s: " ORIGINAL_MTU_UNREAD, line->name, change->link.ifindex,
                            strerror(-change->record_error));
        else if (has_set)
                log_record_error(line->name, change);
        log_result(socket, line->name, line, "set", ending, change);
        if (change->is_set_up && change->up_error == 0)
                log_info("%s: link brought up", line->name);
        else if (change->is_set_up)
                log_error("%s: the MTU is set, but the link does not come up: %s%s", line->name,
                          change->reason, ending);
}

void change_log_unreadable(const struct netlink_socket *socket, const char *name, int error) {
        log_error("%s: it cannot be read from the kernel: %s", name,
                  netlink_socket_error_text(socket, error));
}

/* The device below has too little. Only the administrator can decide which of the two is wrong. */
static void log_lower_too_small(const struct steps *steps, const struct step *step) {
        CLEANUP(pool_free) struct pool pool = { 0 };
        const char *own = step->line->name, *place = "", *room = "";
        uint32_t mtu = step->other_line ? device_status_of(step->other, step->other_line).wanted
                                        : step->other->mtu;
        uint32_t capacity = stack_capacity(step->link, step->other, mtu);

        /* The lower device's line would be enough, but cannot be carried out. */
        if (capacity >= step->to) {
                mtu = step->other_mtu;
                capacity = step->room;
        }
        if (step->other_line)
                place = pool_print(&pool, ", %s", CONFIG_LINE_PLACE(step->other_line));
        if (capacity != mtu)
                room = pool_print(&pool, ", room for %u", capacity);
        log_error("%s: %u is more than %s below it %s, %u%s%s; lower %s, or: %s", own, step->to,
                  step->other->name, step->other_line ? "is to have" : "has", mtu, room, place,
                  CONFIG_LINE_PLACE(step->line),
                  advice_make(&pool, steps->statuses, steps->links, step->link, step->to));
}

/* Logs why the step, which is about another device, was refused. */
static void log_contradicted(const struct steps *steps, const struct step *step) {
        if (step->reason != STEP_SETTER_DISAGREES) {
                log_lower_too_small(steps, step);
                return;
        }
        log_error("%s: %u is not what %s gives to its ports, %u; change %s, or %s, which a port does not "
                  "need",
                  step->line->name, step->to, step->other->name, step->other_mtu,
                  CONFIG_LINE_PLACE(step->other_line), CONFIG_LINE_PLACE(step->line));
}

static void log_step(struct netlink_socket *socket, const struct steps *steps, const struct step *step,
                     const struct mtu_change *change) {
        if (step->action == STEP_ABSENT)
                log_info("%s: there is no such network device now; %s", step->line->name,
                         CONFIG_LINE_PLACE(step->line));
        else if (step->action == STEP_WAIT)
                log_info("%s: left at %u: %s; setmtu-keep.service sets the MTU when that changes%s%s",
                         step->link->name, step->link->mtu, device_fit_fault(step->fit.fault),
                         step->line->file ? "; " : "",
                         step->line->file ? CONFIG_LINE_PLACE(step->line) : "");
        else if (change->result == MTU_CHANGE_CONTRADICTED)
                log_contradicted(steps, step);
        else if (change->result == MTU_CHANGE_SKIPPED && !step->is_dependent)
                log_error("%s: left at %u: %s, which comes first, could not be changed", step->link->name,
                          step->link->mtu, steps->items[step->after].link->name);
        else if (step->line && step->action != STEP_FALL)
                log_line_result(socket, step->line, change);
        else if (step->reason == STEP_BY_SETTER && step->action == STEP_SET)
                log_result(socket, step->link->name, NULL, "set", ", as one of its bond's ports", change);
        else if (step->reason == STEP_REGAINS)
                log_result(socket, step->link->name, NULL, "restored",
                           change->result == MTU_CHANGE_DONE
                                           ? " since it was lowered with the device below it"
                                           : "",
                           change);
        if (step->action == STEP_FALL || step->reason == STEP_REGAINS)
                log_record_error(step->link->name, change);
}

/* Logs what became of a device that was set back. */
static void log_set_back(const char *name, const struct change *change) {
        const struct mtu_change *own = change->own;
        bool is_restore = change->earlier.is_original;

        log_record_error(name, own);
        if (own->result == MTU_CHANGE_STALE)
                log_message(is_restore ? LOG_PRIORITY_INFO : LOG_PRIORITY_ERROR,
                            "%s: MTU is %u, no longer the %u that was set: another program has set it; left "
                            "as it is",
                            name, own->before, change->earlier.set[0]);
        else if (own->result != MTU_CHANGE_EQUAL || !is_restore)
                log_result(NULL, name, NULL, is_restore ? "restored" : "reverted", "", own);
}

bool change_log(struct netlink_socket *socket, const char *name, int error, const struct change *change) {
        if (error == -ENOMEM)
                return log_fail(false, LOG_OUT_OF_MEMORY);
        if (error < 0) {
                change_log_unreadable(socket, name, error);
                return false;
        }
        if (change->is_set_back)
                log_set_back(name, change);
        for (size_t i = 0; i < change->steps.n_items; i++)
                log_step(socket, &change->steps, &change->steps.items[i], &change->results[i]);
        if (change->error < 0)
                log_error("%s: devices that stand on it could not be looked at; they are not raised with "
                          "it, and may have been lowered with it: %s",
                          name, strerror(-change->error));
        return change->is_done;
}

bool change_set_and_log(struct snapshot *snapshot, const struct config_line *line, const struct link *link) {
        CLEANUP(change_free) struct change change = { 0 };
        int r = change_set_line(snapshot, line, link, &change);

        return change_log(snapshot->socket, line->name, r, &change);
}

static bool set_back_and_log(struct snapshot *snapshot, const char *name, const struct link *link,
                             const struct earlier_mtu *earlier) {
        CLEANUP(change_free) struct change change = { 0 };

        change_set_back(snapshot, link, earlier, 0, &change);
        return change_log(snapshot->socket, name, 0, &change);
}

void change_revert_and_log(struct snapshot *snapshot, const struct mtu_change *failed) {
        const char *name = failed->link.name;
        struct earlier_mtu earlier;
        struct link link;
        int r = link_get_by_ifindex(snapshot->socket, failed->link.ifindex, &link);

        earlier_mtu_of_change(failed, &earlier);
        if (r < 0)
                change_log_unreadable(snapshot->socket, name, r);
        else
                (void)set_back_and_log(snapshot, name, &link, &earlier);
}

bool change_restore_and_log(struct snapshot *snapshot, const char *name, const struct link *link) {
        struct earlier_mtu original;
        int r = earlier_mtu_original(link, &original);

        if (r < 0)
                return log_fail(false, "%s: " ORIGINAL_MTU_UNREAD "; left at %u", name, link->ifindex,
                                strerror(-r), link->mtu);
        return set_back_and_log(snapshot, name, link, &original);
}
