/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "change/trial.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/exit_code.h"
#include "base/log.h"
#include "change/change_log.h"
#include "change/command_lock.h"
#include "change/revert_timer.h"
#include "store/load_plan.h"

/* How often a revert is tried again, a second apart: a driver may be busy for a moment. */
#define REVERT_TRIES 10

int trial_drop(unsigned ifindex) {
        struct trial_record record;
        int r = trial_record_read(ifindex, &record);
        bool is_known = r == 0;

        if (r == -ENOENT)
                return 0;
        r = trial_record_remove(ifindex);
        /* The device may have been renamed since. */
        if (r == 0 && is_known)
                revert_timer_stop(record.name);
        return r < 0 ? r : 1;
}

/* What came of an attempt to end a trial at the MTU from before. */
enum undo_result {
        UNDO_NOT_TRIED,
        UNDO_DONE,
        UNDO_NOT_WAITING, /* it has been ended already */
        UNDO_CHANGED,     /* the device has another MTU by now, or is gone: left alone */
        UNDO_FAILED,      /* `error`; the trial goes on waiting */
};

struct undo {
        struct trial_record record; /* but for UNDO_NOT_WAITING */
        enum undo_result result;
        int error;
};

static bool undo_device(void *userdata, struct netlink_socket *socket, const struct link *link) {
        struct undo *undo = userdata;
        const struct trial_record *record = &undo->record;

        undo->error = mtu_change_undo(socket, link->ifindex, record->before, record->tried,
                                      record->has_former ? &record->former : NULL);
        if (undo->error == 0)
                undo->result = UNDO_DONE;
        else if (undo->error == -ESTALE || undo->error == -ENODEV)
                undo->result = UNDO_CHANGED;
        else
                undo->result = UNDO_FAILED;
        if (undo->result != UNDO_FAILED)
                (void)trial_record_remove(link->ifindex);
        return undo->result == UNDO_DONE;
}

/* One attempt. The configuration and the other devices are looked at for what stands on this one: where that
 * fails, the device alone gets its MTU back. */
static void undo(struct netlink_socket *socket, unsigned ifindex, struct undo *ret) {
        struct snapshot snapshot = { .socket = socket };
        struct step_target target = { .link = NULL };
        struct link link = { .ifindex = ifindex };

        *ret = (struct undo){ .error = 0 };
        ret->error = trial_record_read(ifindex, &ret->record);
        if (ret->error < 0) {
                ret->result = ret->error == -ENOENT ? UNDO_NOT_WAITING : UNDO_FAILED;
                return;
        }
        ret->result = UNDO_NOT_TRIED;
        target.mtu = ret->record.before;
        if (load_plan(&load_plan_silent, &snapshot.plan) == 0 &&
            link_get_by_ifindex(socket, ifindex, &link) == 0 &&
            snapshot_look_at(&snapshot, &link, link.mtu == ret->record.tried ? target.mtu : link.mtu) == 0)
                target.link = link_table_by_ifindex(&snapshot.links, ifindex);
        if (target.link)
                (void)change_put_back(&snapshot, &target, &(struct put_back){ undo_device, ret });
        if (ret->result == UNDO_NOT_TRIED)
                (void)undo_device(ret, socket, &link);
        snapshot.socket = NULL; /* the caller's */
        snapshot_cleanup(&snapshot);
}

int trial_log_unreadable(unsigned ifindex, int error) {
        log_error("the record of the trial of device %u in /run/setmtu: %s; its MTU is left as it is",
                  ifindex, strerror(-error));
        return EXIT_CODE_FAILURE;
}

void trial_log_changed(struct netlink_socket *socket, unsigned ifindex, const struct trial_record *record) {
        struct link link;

        if (link_get_by_ifindex(socket, ifindex, &link) < 0)
                log_error("%s: the device is gone, and its trial with it", record->name);
        else
                log_error("%s: MTU is %u, no longer the %u that was tried: somebody else's now, left alone",
                          record->name, link.mtu, record->tried);
}

int trial_revert(struct netlink_socket *socket, unsigned ifindex) {
        CLEANUP(command_lock_release) struct command_lock lock = { 0 };
        struct undo attempt;

        /* Whoever has the lock for half a minute must not keep an MTU from coming back. */
        (void)command_lock_take(&lock);
        undo(socket, ifindex, &attempt);
        for (int i = 0; i < REVERT_TRIES && attempt.result == UNDO_FAILED && attempt.error != -EPERM &&
                        attempt.error != -EBADMSG;
             i++) {
                (void)clock_sleep_ms(1000);
                undo(socket, ifindex, &attempt);
        }
        if (attempt.error == -EBADMSG)
                (void)trial_record_remove(ifindex);
        command_lock_release(&lock);
        switch (attempt.result) {
        case UNDO_DONE:
                revert_timer_stop(attempt.record.name);
                log_info("%s: MTU put back to %u, was %u", attempt.record.name, attempt.record.before,
                         attempt.record.tried);
                return EXIT_CODE_DONE;
        case UNDO_NOT_WAITING:
                return EXIT_CODE_DONE;
        case UNDO_CHANGED:
                revert_timer_stop(attempt.record.name);
                trial_log_changed(socket, ifindex, &attempt.record);
                return EXIT_CODE_DONE;
        case UNDO_NOT_TRIED:
        case UNDO_FAILED:
                break;
        }
        if (!attempt.record.name[0])
                return trial_log_unreadable(ifindex, attempt.error);
        log_error("%s: the MTU could not be put back to %u: %s", attempt.record.name, attempt.record.before,
                  attempt.error == -EPERM ? "this needs the capability CAP_NET_ADMIN; run it as root"
                                          : change_reason(socket, attempt.error));
        return EXIT_CODE_FAILURE;
}

/* Writes the record of a change that is about to be made. */
static bool write_record(const struct trial *trial, const struct link *link, struct trial_record *ret) {
        const char *name = trial->line->name;
        struct trial_record record = {
                .spec = trial->line->spec,
                .before = link->mtu,
                .tried = device_status_of(link, trial->line).wanted,
                .deadline_s = (uint32_t)(clock_boottime_s() + trial->timeout_s + 1),
        }, other;
        int r;

        strcpy(record.name, name);
        if (trial_record_read(link->ifindex, &other) != -ENOENT) {
                log_error("%s: a trial of it is waiting; end that first: setmtu confirm %s, or setmtu "
                          "revert "
                          "%s",
                          name, name, name);
                return false;
        }
        if (getrandom(&record.id, sizeof(record.id), GRND_NONBLOCK) < 0)
                record.id = record.deadline_s; /* too early in the boot for two trials a second */
        record.has_former = original_mtu_read(link->ifindex, &record.former) == 0;
        r = trial_record_write(link->ifindex, &record);
        if (r < 0) {
                log_error("%s: what undoes the trial cannot be kept in /run/setmtu: %s", name, strerror(-r));
                return false;
        }
        *ret = record;
        return true;
}

/* Looks at the device once more, now that no other command changes it. A trial that is long over was left by
 * a timer that was killed: the old MTU is still owed. */
static bool look(struct snapshot *snapshot, const struct trial *trial, struct link *ret) {
        struct trial_record left;
        struct undo ended;
        int r;

        if (trial_record_read(trial->ifindex, &left) == 0 &&
            clock_boottime_s() > left.deadline_s + TRIAL_GRACE_S)
                undo(snapshot->socket, trial->ifindex, &ended);
        r = link_get_by_ifindex(snapshot->socket, trial->ifindex, ret);
        if (r < 0)
                change_log_unreadable(snapshot->socket, trial->line->name, r);
        return r == 0;
}

/* The device, and what stands on it; those below it stay as they are. */
static bool change(struct snapshot *snapshot, const struct trial *trial, const struct link *former,
                   struct trial_record *record) {
        struct step_target target = { .line = trial->line, .is_alone = true };
        struct mtu_change result;
        bool is_done;
        int r = snapshot_look_at(snapshot, former, record->tried);

        target.link = r == 0 ? link_table_by_ifindex(&snapshot->links, former->ifindex) : NULL;
        if (!target.link) {
                change_log_unreadable(snapshot->socket, trial->line->name, r < 0 ? r : -ENODEV);
                return false;
        }
        is_done = change_apply(snapshot, &target, 1, &result);
        if (result.result == MTU_CHANGE_ROUNDED) {
                /* What the driver made of it is what is to be taken back. */
                record->tried = result.link.mtu;
                r = trial_record_write(former->ifindex, record);
                if (r < 0)
                        log_error("%s: what undoes the trial cannot be kept in /run/setmtu: %s",
                                  trial->line->name, strerror(-r));
        }
        return is_done;
}

bool trial_begin(struct snapshot *snapshot, const struct trial *trial, struct trial_record *ret,
                 struct link *ret_former) {
        CLEANUP(command_lock_release) struct command_lock lock = { 0 };
        const char *name = trial->line->name;
        struct undo ended;

        if (!command_lock_take(&lock) || !look(snapshot, trial, ret_former) ||
            !write_record(trial, ret_former, ret))
                return false;
        if (ret->tried < MTU_SMALLEST_IPV6 && ret_former->mtu >= MTU_SMALLEST_IPV6)
                log_warning("%s: below %u the kernel takes IPv6 off it; the MTU goes back, its IPv6 "
                            "addresses do not",
                            name, MTU_SMALLEST_IPV6);
        if (!revert_timer_start(trial->ifindex, ret, trial->timeout_s, trial->owner)) {
                (void)trial_record_remove(trial->ifindex);
                return false;
        }
        if (change(snapshot, trial, ret_former, ret))
                return true;
        /* What has been changed all the same goes back; where it does not, the timer tries again. */
        undo(snapshot->socket, trial->ifindex, &ended);
        if (ended.result == UNDO_FAILED)
                log_error("%s: it could not be put back at once: %s; that is tried again in %u s", name,
                          change_reason(snapshot->socket, ended.error), trial->timeout_s);
        else
                revert_timer_stop(ret->name);
        return false;
}
