/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "change/change_log.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

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

void change_log_result(struct netlink_socket *socket, const struct config_line *line,
                       const struct mtu_change *change) {
        const char *ending = ENDING(line);
        const struct link *link = &change->link;
        struct device_status status;

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
        case MTU_CHANGE_IMPOSSIBLE:
                status = device_status_of(link, line);
                log_error("%s: %s%s", line->name, DEVICE_STATUS_FAULT(&status), ending);
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

void change_log_refused(const struct step *step) {
        if (step->reason != STEP_SETTER_DISAGREES) {
                log_lower_too_small(step);
                return;
        }
        log_error("%s: %u is not what %s gives to its ports, %u; change %s, or %s, which a port does not "
                  "need",
                  step->line->name, step->to, TEXT_SHOW(step->other->name), step->other_mtu,
                  CONFIG_LINE_PLACE(step->other_line), CONFIG_LINE_PLACE(step->line));
}

void change_log_set_up(const struct netlink_socket *socket, const struct config_line *line, int error) {
        if (error == 0)
                log_info("%s: link brought up", line->name);
        else
                log_error("%s: the MTU is set, but the link does not come up: %s%s", line->name,
                          change_reason(socket, error), ENDING(line));
}

void change_log_low(const struct netlink_socket *socket, const struct step *step, int error) {
        log_error("%s: was lowered with the device below it, and could not be put back to %u from %u: %s",
                  TEXT_SHOW(step->link->name), step->to, step->link->mtu,
                  error < 0 ? change_reason(socket, error) : "the device makes another MTU of it");
}

void change_log_unkept_fall(const struct netlink_socket *socket, const struct step *step, uint32_t regained,
                            int error) {
        uint32_t before = step->link->mtu_before_fall;

        if (regained > 0 && regained >= before)
                log_fall_left(TEXT_SHOW(step->link->name), error);
        else
                log_warning("%s: what it had before it was lowered with the device below it, %u, could not "
                            "be kept in /run/setmtu: %s; it will not be raised with that one again",
                            TEXT_SHOW(step->link->name), before > 0 ? before : step->link->mtu,
                            change_reason(socket, error));
}

void change_log_alone(const char *name, int error) {
        log_error("%s: devices that stand on it could not be looked at; they are not raised with it, and "
                  "may have been lowered with it: %s",
                  name, strerror(-error));
}

bool change_log_undone(const char *name, const struct mtu_undone *undone, uint32_t before) {
        if (undone->record_error < 0)
                log_warning("%s: the record of its MTU in /run/setmtu cannot be removed: %s", name,
                            strerror(-undone->record_error));
        if (undone->mtu != before)
                log_error("%s: the device set %u instead of the MTU from before, %u, without an error", name,
                          undone->mtu, before);
        return undone->mtu == before;
}
