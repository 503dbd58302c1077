/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "change/trial.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/exit_code.h"
#include "base/log.h"
#include "base/text.h"
#include "change/carry_out.h"
#include "change/change_log.h"
#include "change/revert_timer.h"
#include "kernel/capability.h"
#include "store/change_lock.h"
#include "store/load_plan.h"

/* Retries of a revert, a second apart: a driver may be busy for a moment. */
#define REVERT_TRIES 10

static bool is_watched(const struct trial_record *record) {
        return record->watcher > 0 && (kill((pid_t)record->watcher, 0) == 0 || errno == EPERM);
}

/* Removing the record and writing an end phase to it both end the trial: if one fails, the other will do. */
static int end_record(struct trial_record *record, enum trial_phase end) {
        struct link link = { .ifindex = record->ifindex };
        bool is_kept = is_watched(record);
        struct kept_mtu kept;
        int r;

        strcpy(link.name, record->device.name);
        if (end == TRIAL_CONFIRMED)
                (void)mtu_change_release(&link, record->tried, &kept);
        record->phase = end;
        r = is_kept ? trial_record_write(link.ifindex, record) : trial_record_remove(link.ifindex);
        if (r < 0)
                r = is_kept ? trial_record_remove(link.ifindex) : trial_record_write(link.ifindex, record);
        if (r < 0)
                return r;
        revert_timer_stop(record);
        return 0;
}

int trial_end(unsigned ifindex, enum trial_phase end) {
        struct trial_record record;
        int r = trial_record_read(ifindex, &record);

        if (r == -ENOENT)
                return 0;
        return r == 0 ? end_record(&record, end) : trial_record_remove(ifindex);
}

int trial_take_end(unsigned ifindex, uint32_t id, enum trial_phase *ret) {
        struct trial_record record;
        int r = trial_record_read_end(ifindex, &record);

        if (r < 0 || record.id != id)
                return r < 0 ? r : -ENOENT;
        (void)trial_record_remove(ifindex); /* a record that stays has no effect */
        *ret = record.phase;
        return 0;
}

int trial_get_device(struct netlink_socket *socket, const struct trial_record *record, struct link *ret) {
        struct link link;
        int r = link_get_by_ifindex(socket, record->ifindex, &link);

        if (r < 0)
                return r;
        r = device_identity_is(&record->device, &link);
        if (r <= 0)
                return r < 0 ? r : -ENODEV;
        *ret = link;
        return 0;
}

int trial_line_name(struct netlink_socket *socket, const struct link *link,
                    const struct trial_record *record, char ret[static INTERFACE_NAME_SIZE]) {
        struct link named;
        int r = link_get_by_name(socket, record->name, &named);

        if (r < 0 && r != -ENODEV)
                return r;
        strcpy(ret, r == 0 && named.ifindex == link->ifindex ? record->name : link->name);
        return 0;
}

/* The result of an attempt to end a trial at the MTU from before. */
enum undo_result {
        UNDO_NOT_TRIED,
        UNDO_DONE,
        UNDO_NOT_WAITING, /* the trial has ended already */
        UNDO_CONFIRMED,   /* setmtu confirm was killed after it wrote the line */
        UNDO_CHANGED,     /* the device has another MTU by now, or is gone: left alone */
        UNDO_FAILED,      /* see `error`; the trial keeps waiting */
};

struct undo {
        struct trial_record record; /* except with UNDO_NOT_WAITING */
        enum undo_result result;
        uint32_t had;             /* the device's MTU before the undo */
        struct mtu_undone undone; /* with UNDO_DONE */
        int error;
        int end_error; /* the end could not be recorded; or 0 */
};

/* Restores the MTU. Succeeds also if the device has the MTU from before the trial again. */
static bool undo_device(void *userdata, struct netlink_socket *socket, const struct link *of) {
        struct undo *undo = userdata;
        const struct trial_record *record = &undo->record;
        struct link link;
        uint32_t set;
        int r = trial_get_device(socket, record, &link);

        if (r == 0) {
                undo->had = link.mtu;
                undo->undone = (struct mtu_undone){ .mtu = record->before };
                /* If the change was not read back, the present MTU is taken for its result. */
                set = record->phase == TRIAL_CHANGING ? link.mtu : record->tried;
                r = mtu_change_undo(socket, of->ifindex, record->before, set,
                                    record->former.original > 0 ? &record->former : NULL, &undo->undone);
                if (r == -ESTALE && link.mtu == record->before)
                        r = 0;
        }
        undo->error = r;
        undo->result = r == 0 ? UNDO_DONE : r == -ESTALE || r == -ENODEV ? UNDO_CHANGED : UNDO_FAILED;
        return r == 0;
}

/* Whether `setmtu confirm` had written the line already. */
static bool is_written_down(struct netlink_socket *socket, const struct config *config,
                            const struct trial_record *record) {
        char name[INTERFACE_NAME_SIZE];
        const struct config_line *line;
        struct link link;

        if (record->phase != TRIAL_CONFIRMING || trial_get_device(socket, record, &link) < 0 ||
            trial_line_name(socket, &link, record, name) < 0)
                return false;
        line = config_find(config, name);
        return line && mtu_spec_equals(&line->spec, &record->spec);
}

/* Reads the configuration and the other devices for what stands on this device. If that fails, the caller
 * tries again or, with `is_last`, the device alone gets its MTU back. */
static void undo_change(struct netlink_socket *socket, bool is_due, bool is_last, struct undo *undo) {
        struct snapshot snapshot = { .socket = socket };
        const struct trial_record *record = &undo->record;
        struct step_target target = { .mtu = record->before };
        struct link link = { .ifindex = record->ifindex };
        int r = load_plan(&diagnostic_silent, &snapshot.plan);

        if (r == 0 && is_due && is_written_down(socket, &snapshot.plan.config, record))
                undo->result = UNDO_CONFIRMED;
        else if (r == 0)
                r = trial_get_device(socket, record, &link);
        if (r == 0 && undo->result == UNDO_NOT_TRIED)
                r = snapshot_look_at(&snapshot, &link,
                                     link.mtu == record->tried || record->phase == TRIAL_CHANGING
                                                     ? target.mtu
                                                     : link.mtu,
                                     &target.link);
        if (target.link) {
                (void)change_put_back(&snapshot, &target, &(struct put_back){ undo_device, undo });
                r = undo->result == UNDO_NOT_TRIED ? -ENOMEM : 0;
        }
        /* trial_revert() does not retry after the other errors. */
        if (!is_last && r < 0 && r != -ENODEV && r != -EPERM && r != -EBADMSG) {
                undo->result = UNDO_FAILED;
                undo->error = r;
        }
        if (undo->result == UNDO_NOT_TRIED) {
                (void)undo_device(undo, socket, &link);
                if (r < 0 && undo->result == UNDO_DONE && undo->had != record->before)
                        change_log_alone(record->name, r);
        }
        snapshot.socket = NULL; /* belongs to the caller */
        snapshot_cleanup(&snapshot);
}

/* Makes one attempt, with the record in `ret`. */
static void undo_record(struct netlink_socket *socket, bool is_due, bool is_last, struct undo *ret) {
        static const enum trial_phase ends[] = {
                [UNDO_DONE] = TRIAL_REVERTED,
                [UNDO_CONFIRMED] = TRIAL_CONFIRMED,
                [UNDO_CHANGED] = TRIAL_CHANGED,
        };

        undo_change(socket, is_due, is_last, ret);
        if (ret->result != UNDO_FAILED)
                ret->end_error = end_record(&ret->record, ends[ret->result]);
}

int trial_log_unreadable(unsigned ifindex, int error) {
        return log_fail(EXIT_CODE_FAILURE,
                        "the record of the trial of device %u in /run/setmtu: %s; its MTU is left as it is",
                        ifindex, strerror(-error));
}

void trial_log_changed(struct netlink_socket *socket, const struct trial_record *record) {
        struct link link;
        int r = trial_get_device(socket, record, &link);

        if (r == -ENODEV)
                log_error("%s: the device is gone from this network namespace, and its trial with it",
                          record->name);
        else if (r < 0)
                log_error("%s: it cannot be read from the kernel: %s", record->name,
                          change_reason(socket, r));
        else
                log_error("%s: MTU is %u, no longer the %u that was tried: another program has set it; left "
                          "as it is",
                          record->name, link.mtu, record->tried);
}

static void undo(struct netlink_socket *socket, unsigned ifindex, const uint32_t *id, bool is_due,
                 bool is_last, struct undo *ret) {
        CLEANUP(command_lock_release) struct command_lock lock = { 0 };

        /* A lock that is held for half a minute must not prevent the restore. */
        (void)command_lock_take(&lock);
        *ret = (struct undo){ .record.ifindex = ifindex };
        ret->error = trial_record_read(ifindex, &ret->record);
        if (ret->error == 0 && id && ret->record.id != *id)
                ret->error = -ENOENT;
        if (ret->error == 0)
                undo_record(socket, is_due, is_last, ret);
        else
                ret->result = ret->error == -ENOENT ? UNDO_NOT_WAITING : UNDO_FAILED;
        if (ret->error == -EBADMSG)
                (void)trial_record_remove(ifindex);
}

/* Returns the result of trial_revert(). */
static int log_undo(struct netlink_socket *socket, const struct undo *undo) {
        const struct trial_record *record = &undo->record;
        int exit_code = EXIT_CODE_DONE;

        switch (undo->result) {
        case UNDO_NOT_WAITING:
                return -ENOENT;
        case UNDO_DONE:
                if (!change_log_undone(record->name, &undo->undone, record->before))
                        exit_code = EXIT_CODE_FAILURE;
                else if (undo->had != record->before)
                        log_info("%s: MTU put back to %u, was %u", record->name, record->before, undo->had);
                else
                        log_info("%s: MTU is %u, as before the trial", record->name, record->before);
                break;
        case UNDO_CONFIRMED:
                log_info("%s: MTU %u was confirmed, and its line written; setmtu reload puts it into effect",
                         record->name, record->tried);
                break;
        case UNDO_CHANGED:
                trial_log_changed(socket, record);
                break;
        case UNDO_NOT_TRIED:
        case UNDO_FAILED:
                if (!record->name[0])
                        return trial_log_unreadable(record->ifindex, undo->error);
                return log_fail(EXIT_CODE_FAILURE,
                                "%s: MTU may be %u for now: it could not be put back to %u: %s",
                                record->name, record->tried, record->before,
                                undo->error == -EPERM
                                                ? "this needs the capability CAP_NET_ADMIN; run it as root"
                                                : change_reason(socket, undo->error));
        }
        if (undo->end_error == 0)
                return exit_code;
        return log_fail(EXIT_CODE_FAILURE,
                        "%s: the record of its trial in /run/setmtu cannot be removed: %s", record->name,
                        strerror(-undo->end_error));
}

int trial_revert(struct netlink_socket *socket, unsigned ifindex, const uint32_t *id, bool is_due) {
        struct undo attempt;

        undo(socket, ifindex, id, is_due, false, &attempt);
        for (int i = 0; i < REVERT_TRIES && attempt.result == UNDO_FAILED && attempt.error != -EPERM &&
                        attempt.error != -EBADMSG;
             i++) {
                (void)clock_sleep_ms(1000);
                undo(socket, ifindex, id, is_due, true, &attempt);
        }
        return log_undo(socket, &attempt);
}

bool trial_is_undone(struct netlink_socket *socket, const struct trial_record *record) {
        struct link link;

        return trial_get_device(socket, record, &link) == 0 && link.mtu == record->before;
}

/* Reverts an overdue trial, and removes the record of an ended trial whose watcher is gone. */
static int revert_overdue(void *userdata, enum mtu_record_kind kind, const struct link *link) {
        CLEANUP(netlink_socket_cleanup) struct netlink_socket *socket = NULL;
        struct trial_record record;

        (void)userdata;
        (void)kind;
        if (trial_record_read(link->ifindex, &record) == 0 && trial_record_is_overdue(&record) &&
            netlink_socket_open(&socket) == 0)
                (void)trial_revert(socket, link->ifindex, &record.id, true);
        if (trial_record_read_end(link->ifindex, &record) == 0 && !is_watched(&record))
                (void)trial_record_remove(link->ifindex);
        return 0;
}

void trial_revert_overdue(void) {
        int r = capability_has_net_admin() ? mtu_record_each(1u << MTU_RECORD_TRIAL, revert_overdue, NULL)
                                           : 0;

        if (r < 0)
                log_warning("the trials in /run/setmtu cannot be read: %s", strerror(-r));
}

/* Writes the record of a change that is about to be made. */
static bool write_record(const struct trial *trial, const struct link *link, struct trial_record *ret) {
        const char *name = trial->line->name;
        struct trial_record record = {
                .ifindex = link->ifindex,
                .phase = TRIAL_CHANGING,
                .watcher = trial->is_watched ? (uint32_t)getpid() : 0,
                .spec = trial->line->spec,
                .before = link->mtu,
                .tried = device_status_of(link, trial->line).wanted,
                .deadline_s = (uint32_t)(clock_boottime_s() + trial->timeout_s + 1),
        }, other;
        int r;

        strcpy(record.name, name);
        if (trial_record_read(link->ifindex, &other) != -ENOENT)
                return log_fail(false,
                                "%s: a trial of it is waiting; end that first: setmtu confirm %s, or setmtu "
                                "revert %s",
                                name, name, name);
        if (getrandom(&record.id, sizeof(record.id), GRND_NONBLOCK) < 0)
                record.id = record.deadline_s; /* too early in the boot for two trials a second */
        r = original_mtu_read(link, &record.former);
        if (r < 0 && r != -ENOENT)
                return log_fail(false,
                                "%s: left as it is: the MTU from before could not be read from /run/setmtu: "
                                "%s",
                                name, strerror(-r));
        r = device_identity_of(link, &record.device);
        if (r == 0)
                r = trial_record_write(link->ifindex, &record);
        if (r < 0)
                return log_fail(false, "%s: what undoes the trial cannot be kept in /run/setmtu: %s", name,
                                strerror(-r));
        *ret = record;
        return true;
}

/* Changes the device and the devices on top of it; devices below stay as they are. */
static bool change(struct snapshot *snapshot, const struct trial *trial, const struct link *former,
                   struct trial_record *record) {
        struct step_target target = { .line = trial->line, .is_alone = true };
        struct mtu_change result;
        int r = snapshot_look_at(snapshot, former, record->tried, &target.link);

        if (r < 0) {
                change_log_unreadable(snapshot->socket, trial->line->name, r);
                return false;
        }
        if (record->tried < former->mtu)
                log_info("%s: a device on top of it in another network namespace, such as a container's "
                         "macvlan, is lowered with it and stays lowered",
                         trial->line->name);
        if (!change_apply(snapshot, &target, 1, &result))
                return false;
        record->tried = result.link.mtu;
        record->phase = TRIAL_WAITING;
        r = trial_record_write(former->ifindex, record);
        if (r < 0)
                log_error("%s: what undoes the trial cannot be kept in /run/setmtu: %s", trial->line->name,
                          strerror(-r));
        return r >= 0;
}

bool trial_begin(struct snapshot *snapshot, const struct trial *trial, struct trial_record *ret,
                 struct link *ret_former) {
        CLEANUP(command_lock_release) struct command_lock lock = { 0 };
        const char *name = trial->line->name;
        struct undo ended = { .error = 0 };
        int r;

        if (!command_lock_take(&lock))
                return false;
        /* Read again, now that no other command can change the device. */
        r = link_get_by_ifindex(snapshot->socket, trial->ifindex, ret_former);
        if (r < 0)
                change_log_unreadable(snapshot->socket, name, r);
        if (r < 0 || !write_record(trial, ret_former, ret))
                return false;
        if (ret->tried < MTU_SMALLEST_IPV6 && ret_former->mtu >= MTU_SMALLEST_IPV6)
                log_warning("%s: below %u the kernel disables IPv6 on it; the MTU is put back, its IPv6 "
                            "addresses are not",
                            name, MTU_SMALLEST_IPV6);
        if (!revert_timer_start(ret, trial->timeout_s, trial->owner)) {
                (void)trial_record_remove(trial->ifindex);
                return false;
        }
        if (change(snapshot, trial, ret_former, ret))
                return true;
        /* Undoes what has changed despite the failure; if that fails, the timer tries again. The record here
         * counts, even if it could not be written. */
        ended.record = *ret;
        ended.record.watcher = 0;
        undo_record(snapshot->socket, false, true, &ended);
        if (ended.result == UNDO_FAILED)
                log_error("%s: MTU may be %u for now: it could not be put back: %s; that is tried again in "
                          "%u s",
                          name, ended.record.tried, change_reason(snapshot->socket, ended.error),
                          trial->timeout_s);
        else if (ended.result != UNDO_DONE || ended.had != ended.record.before || ended.end_error < 0)
                (void)log_undo(snapshot->socket, &ended);
        return false;
}
