/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "command/trial_log.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/log.h"
#include "command/change_log.h"
#include "kernel/capability.h"

void trial_log_warnings(const char *name, const struct link *link, uint32_t mtu) {
        if (mtu < link->mtu)
                log_info("%s: a device on top of it in another network namespace, such as a container's "
                         "macvlan, would be lowered with it and stay lowered",
                         name);
        if (mtu < MTU_SMALLEST_IPV6 && link->mtu >= MTU_SMALLEST_IPV6)
                log_warning("%s: below %u the kernel disables IPv6 on it; a revert restores the MTU, and "
                            "not "
                            "its IPv6 addresses",
                            name, MTU_SMALLEST_IPV6);
}

void trial_log_changed(struct netlink_socket *socket, const struct trial_record *record) {
        struct link link;
        int r = trial_get_device(socket, record, &link);

        if (r == -ENODEV)
                log_error("%s: the device is gone from this network namespace, and its trial with it",
                          record->name);
        else if (r < 0)
                change_log_unreadable(socket, record->name, r);
        else
                log_error("%s: MTU is %u, no longer the %u that was tried: another program has set it; left "
                          "as it is",
                          record->name, link.mtu, record->tried);
}

/* Logs why the device may still have the tried MTU. */
static void log_failed(const struct trial_revert *revert) {
        const struct trial_record *record = &revert->record;
        const struct mtu_change *own = revert->change.own;
        const char *reason = own && own->error == revert->error ? own->reason : "";

        log_error("%s: MTU may be %u for now: it could not be reverted to %u: %s", record->name,
                  record->tried, record->before,
                  revert->error == -EPERM ? "this needs the capability CAP_NET_ADMIN; run it as root"
                  : *reason               ? reason
                                          : strerror(-revert->error));
}

static enum trial_revert_result log_revert(struct netlink_socket *socket,
                                           const struct trial_revert *revert) {
        const struct trial_record *record = &revert->record;
        enum trial_revert_result result = revert->result;

        switch (result) {
        case TRIAL_REVERT_NOT_WAITING:
                return result;
        case TRIAL_REVERT_DONE:
                (void)change_log(socket, record->name, 0, &revert->change);
                if (!revert->change.own->is_done)
                        result = TRIAL_REVERT_FAILED;
                break;
        case TRIAL_REVERT_CONFIRMED:
                log_info("%s: MTU %u was confirmed, and its line written; setmtu reload puts it into effect",
                         record->name, record->tried);
                break;
        case TRIAL_REVERT_STALE:
                trial_log_changed(socket, record);
                break;
        case TRIAL_REVERT_FAILED:
                log_failed(revert);
                break;
        }
        if (revert->end_error == 0)
                return result;
        return log_fail(TRIAL_REVERT_FAILED,
                        "%s: the record of its trial in /run/setmtu cannot be removed: %s", record->name,
                        strerror(-revert->end_error));
}

void trial_log_lines_stay(void) {
        log_info("the lines that were tried stay in the configuration, for the next reload or boot; "
                 "change them before");
}

/* Logs how a trial was reverted; nothing if none was waiting. Returns the result of one of its devices:
 * TRIAL_REVERT_FAILED if there is one. */
static enum trial_revert_result log_reverts(struct netlink_socket *socket,
                                            const struct trial_reverts *reverts) {
        enum trial_revert_result result = TRIAL_REVERT_NOT_WAITING;
        bool has_lines = false;

        if (reverts->error < 0)
                result = log_fail(TRIAL_REVERT_FAILED,
                                  "the records of trials in /run/setmtu cannot be read: %s",
                                  strerror(-reverts->error));
        for (size_t i = 0; i < reverts->n_items; i++) {
                enum trial_revert_result own = log_revert(socket, &reverts->items[i]);

                has_lines |= own == TRIAL_REVERT_DONE && reverts->items[i].record.place > 0;
                if (own == TRIAL_REVERT_FAILED || result == TRIAL_REVERT_NOT_WAITING)
                        result = own;
        }
        if (has_lines)
                trial_log_lines_stay();
        return result;
}

static void log_begin(struct netlink_socket *socket, const struct trial *trial,
                      const struct trial_begin *begin) {
        const struct trial_reverts *reverts = &begin->reverts;

        if (begin->change.is_trial)
                (void)change_log(socket, begin->name, 0, &begin->change);
        if (*begin->fault)
                log_error("%s: %s", begin->name, begin->fault);
        for (size_t i = 0; i < reverts->n_items; i++) {
                const struct trial_revert *revert = &reverts->items[i];

                if (revert->result != TRIAL_REVERT_DONE || revert->end_error < 0 ||
                    revert->change.own->result != MTU_CHANGE_EQUAL)
                        (void)log_revert(socket, revert);
                if (revert->result == TRIAL_REVERT_FAILED)
                        log_error("%s: that is tried again in %u s", revert->record.name, trial->timeout_s);
        }
}

bool trial_begin_and_log(struct snapshot *snapshot, const struct trial *trial, bool is_quiet,
                         struct trial_begin *ret) {
        CLEANUP(command_lock_release) struct command_lock lock = { 0 };
        bool has_begun;

        *ret = (struct trial_begin){ .name = NULL };
        if (!change_log_lock(&lock))
                return false;
        has_begun = trial_begin(snapshot, trial, ret);
        command_lock_release(&lock);
        if (!has_begun || !is_quiet)
                log_begin(snapshot->socket, trial, ret);
        return has_begun;
}

/* Whether there is nothing to be said of it. */
static bool is_back(const struct trial_revert *revert) {
        const struct change *change = &revert->change;
        bool result = revert->result == TRIAL_REVERT_DONE && revert->end_error == 0 && change->error == 0 &&
                      change->own->is_done;

        for (size_t i = 0; i < change->steps.n_items; i++)
                result &= change->results[i].record_error == 0;
        return result;
}

enum trial_revert_result trial_revert_and_log(struct netlink_socket *socket, uint32_t id, bool is_quiet) {
        CLEANUP(trial_reverts_free) struct trial_reverts reverts;
        CLEANUP(command_lock_release) struct command_lock lock = { 0 };
        bool are_back = is_quiet;

        /* A lock that is held for half a minute must not prevent the revert. */
        (void)change_log_lock(&lock);
        trial_revert(socket, id, &reverts);
        command_lock_release(&lock);
        for (size_t i = 0; i < reverts.n_items; i++)
                are_back &= is_back(&reverts.items[i]);
        return are_back && reverts.error == 0 ? TRIAL_REVERT_DONE : log_reverts(socket, &reverts);
}
