/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "change/device_change.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "plan/stack.h"

const char *device_change_reason(const struct link_socket *socket, int error) {
        const char *error_text = link_socket_error_text(socket);

        return error_text ? error_text : strerror(-error);
}

/* What a message ends in: where the value stands, if it does. */
struct ending {
        char text[CONFIG_LINE_PLACE_SIZE + 2];
};

static struct ending ending_of(const struct config_line *line) {
        char place[CONFIG_LINE_PLACE_SIZE];
        struct ending ending = { .text = "" };

        if (line->file)
                snprintf(ending.text, sizeof(ending.text), "; %s", config_line_place(place, line));
        return ending;
}

static void log_no_permission(const char *name) {
        log_error("%s: setting an MTU needs the capability CAP_NET_ADMIN; run this as root", name);
}

/* The whole story of a value that the kernel refused. */
static void log_refusal(struct link_socket *socket, const struct config_line *line,
                        const struct mtu_change *change) {
        struct ending ending = ending_of(line);
        const struct link *link = &change->link;
        char words[256], name[TEXT_QUOTE_SIZE];
        struct link lower, controller;

        snprintf(words, sizeof(words), "%s",
                 device_change_reason(socket, change->error)); /* a request below takes its place */
        /* A team says this to root, too (team_device_event()). */
        if (change->error == -EPERM && link->controller_ifindex > 0 &&
            link_get_by_ifindex(socket, link->controller_ifindex, &controller) == 0 &&
            stack_is_setter(&controller))
                log_error("%s: %" PRIu32 " was refused: it is a port of %s, and a %s sets the MTU of its "
                          "ports; give the line to that one%s",
                          line->name, change->wanted, text_show(name, controller.name), controller.kind,
                          ending.text);
        else if (change->error == -EPERM)
                log_no_permission(line->name);
        else if ((change->error == -ERANGE || change->error == -EINVAL) && link->is_lower_elsewhere &&
                 stack_is_limited(link))
                log_error("%s: %" PRIu32 " is more than the device below it carries, which is in another "
                          "network namespace; raise that one there, or lower this value%s",
                          line->name, change->wanted, ending.text);
        else if ((change->error == -ERANGE || change->error == -EINVAL) && link->lower_ifindex > 0 &&
                 link_get_by_ifindex(socket, link->lower_ifindex, &lower) == 0 &&
                 stack_capacity(link, &lower, lower.mtu) < change->wanted)
                log_error("%s: %" PRIu32 " is more than the device below it carries: %s has %" PRIu32
                          "; raise that one first, or lower this value%s",
                          line->name, change->wanted, text_show(name, lower.name), lower.mtu, ending.text);
        else if (change->error == -EBUSY && link->up)
                log_error("%s: %" PRIu32
                          " was refused: %s; this driver may want the link down for a change of MTU%s",
                          line->name, change->wanted, words, ending.text);
        else
                log_error("%s: %" PRIu32 " was refused: %s%s", line->name, change->wanted, words,
                          ending.text);
}

/* Says what became of a line. True where the device has its MTU. */
static bool log_change(struct link_socket *socket, const struct config_line *line,
                       const struct mtu_change *change) {
        struct ending ending = ending_of(line);
        const struct link *link = &change->link;

        /* Where nothing came of the change there is nothing to keep. */
        if (change->record_error < 0 &&
            (change->result == MTU_CHANGE_DONE || change->result == MTU_CHANGE_EQUAL ||
             change->result == MTU_CHANGE_ROUNDED))
                log_warning("%s: the MTU from before, %" PRIu32
                            ", could not be kept in /run/setmtu: %s; stopping the "
                            "unit will not restore it",
                            line->name, change->original, strerror(-change->record_error));
        switch (change->result) {
        case MTU_CHANGE_DONE:
                log_info("%s: MTU set to %" PRIu32 ", was %" PRIu32 "%s", line->name, change->wanted,
                         change->before, ending.text);
                return true;
        case MTU_CHANGE_EQUAL:
                log_info("%s: MTU is %" PRIu32 " already%s", line->name, change->wanted, ending.text);
                return true;
        case MTU_CHANGE_NO_LARGEST:
                log_error("%s: max cannot be had: the device states no largest MTU; give a number%s",
                          line->name, ending.text);
                return false;
        case MTU_CHANGE_TOO_LARGE:
                log_error("%s: %" PRIu32 " is more than this device takes (%" PRIu32 " to %" PRIu32 ")%s",
                          line->name, change->wanted, link->mtu_min, link->mtu_max, ending.text);
                return false;
        case MTU_CHANGE_TOO_SMALL:
                log_error("%s: %" PRIu32 " is less than this device takes (%" PRIu32 " at least)%s",
                          line->name, change->wanted, link->mtu_min, ending.text);
                return false;
        case MTU_CHANGE_UNRECORDED:
                log_error("%s: left at %" PRIu32 " and not set to %" PRIu32 ": the MTU from before, %" PRIu32
                          ", could not be kept in /run/setmtu: %s%s",
                          line->name, link->mtu, change->wanted, change->original,
                          strerror(-change->record_error), ending.text);
                return false;
        case MTU_CHANGE_REFUSED:
                log_refusal(socket, line, change);
                return false;
        case MTU_CHANGE_LOST:
                log_error("%s: cannot be read back: %s", line->name,
                          device_change_reason(socket, change->error));
                return false;
        case MTU_CHANGE_ROUNDED:
                log_error("%s: the device made %" PRIu32 " of %" PRIu32 " without an error%s", line->name,
                          link->mtu, change->wanted, ending.text);
                return false;
        }
        return false;
}

bool device_change_apply(struct link_socket *socket, const struct config_line *line, const struct link *link,
                         struct mtu_change *ret_change) {
        struct mtu_change change;
        bool is_done;
        int r;

        mtu_change_apply(socket, link, &line->spec, &change);
        is_done = log_change(socket, line, &change);
        if (ret_change)
                *ret_change = change;
        if (!is_done || !line->spec.up || change.link.up)
                return is_done;
        r = link_set_up(socket, link->ifindex);
        if (r < 0) {
                log_error("%s: the MTU is set, but the link does not come up: %s%s", line->name,
                          device_change_reason(socket, r), ending_of(line).text);
                return false;
        }
        log_info("%s: link brought up", line->name);
        return true;
}

bool device_change_restore(struct link_socket *socket, const char *name, const struct link *link) {
        struct mtu_restore restore;

        mtu_change_restore(socket, link, &restore);
        switch (restore.result) {
        case MTU_RESTORE_DONE:
                log_info("%s: MTU restored to %" PRIu32 ", was %" PRIu32, name, restore.original,
                         restore.set);
                return true;
        case MTU_RESTORE_EQUAL:
        case MTU_RESTORE_NOTHING:
                return true;
        case MTU_RESTORE_FOREIGN:
                log_info("%s: MTU is %" PRIu32 ", no longer the %" PRIu32
                         " that was set: somebody else's now, left alone",
                         name, link->mtu, restore.set);
                return true;
        case MTU_RESTORE_REFUSED:
                if (restore.error == -EPERM)
                        log_no_permission(name);
                else
                        log_error("%s: the MTU from before, %" PRIu32 ", was refused: %s", name,
                                  restore.original, device_change_reason(socket, restore.error));
                return false;
        case MTU_RESTORE_UNREADABLE:
                log_error("%s: the record of its MTU in /run/setmtu is unreadable: %s; left at %" PRIu32,
                          name, strerror(-restore.error), link->mtu);
                return false;
        }
        return false;
}
