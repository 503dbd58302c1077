/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "change/trial.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "store/load_plan.h"

/* Retries of a revert, a second apart: a driver may be busy for a moment. */
#define REVERT_TRIES 10

#define DEVICE_UNREADABLE "it can no longer be read from the kernel"
#define TRIAL_UNRECORDED "what undoes the trial cannot be kept in /run/setmtu"

static bool is_watched(const struct trial_record *record) {
        return record->watcher > 0 && (kill((pid_t)record->watcher, 0) == 0 || errno == EPERM);
}

static int remove_record(unsigned ifindex) {
        return device_record_remove(ifindex, DEVICE_RECORD_TRIAL);
}

/* Removing the record and writing an end phase to it both end the trial: if one fails, the other will do. */
static int end_record(struct trial_record *record, enum trial_phase end) {
        struct link link = { .ifindex = record->ifindex };
        bool is_kept = is_watched(record);
        int r;

        strcpy(link.name, record->device.name);
        strcpy(link.kind, record->device.kind);
        strcpy(link.addresses.mac, record->device.mac);
        strcpy(link.addresses.permanent, record->device.permanent);
        if (end == TRIAL_CONFIRMED)
                mtu_change_release(&link, record->tried);
        record->phase = end;
        r = is_kept ? trial_record_write(record) : remove_record(record->ifindex);
        if (r < 0)
                r = is_kept ? remove_record(record->ifindex) : trial_record_write(record);
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
        return r == 0 ? end_record(&record, end) : remove_record(ifindex);
}

int trial_take_end(unsigned ifindex, uint32_t id, enum trial_phase *ret) {
        struct trial_record record;
        int r = trial_record_read_any(ifindex, &record);

        if (r < 0 || record.id != id || !trial_record_has_ended(&record))
                return r < 0 ? r : -ENOENT;
        (void)remove_record(ifindex); /* a record that stays has no effect */
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

/* Whether `setmtu confirm` had written the line already. */
static bool is_written_down(struct netlink_socket *socket, const struct config *config,
                            const struct trial_record *record) {
        const struct config_line *line;
        struct link link;

        if (record->phase != TRIAL_CONFIRMING || trial_get_device(socket, record, &link) < 0)
                return false;
        line = config_find(config, link.name);
        return line && mtu_spec_equals(&line->spec, &record->spec);
}

static bool is_permanent(int error) {
        return error == -EPERM || error == -EBADMSG;
}

static enum trial_revert_result result_of(const struct mtu_change *change) {
        if (mtu_change_is_done(change) || mtu_change_has_changed(change))
                return TRIAL_REVERT_DONE;
        return change->result == MTU_CHANGE_STALE || change->error == -ENODEV ? TRIAL_REVERT_STALE
                                                                              : TRIAL_REVERT_FAILED;
}

/* Sets the device back. The configuration and the other devices are read for those on top of it. If that
 * fails, the caller tries again or, with `is_last`, the device alone is set back. */
static void set_back(bool is_due, bool is_last, struct trial_revert *revert) {
        struct netlink_socket *socket = revert->snapshot.socket;
        const struct trial_record *record = &revert->record;
        struct earlier_mtu earlier = { .mtu = record->before, .former = record->former };
        struct link link;
        int r = load_plan(&diagnostic_silent, &revert->snapshot.plan), found;

        if (r == 0 && is_due && is_written_down(socket, &revert->snapshot.plan.config, record)) {
                revert->result = TRIAL_REVERT_CONFIRMED;
                return;
        }
        found = trial_get_device(socket, record, &link);
        if (found < 0) {
                revert->error = found;
                revert->result = found == -ENODEV ? TRIAL_REVERT_STALE : TRIAL_REVERT_FAILED;
                return;
        }
        /* If the change was not read back, the present MTU is taken for its result. */
        earlier.set[0] = record->phase == TRIAL_CHANGING ? link.mtu : record->tried;
        if (r == 0)
                r = change_set_back(&revert->snapshot, &link, &earlier, &revert->change);
        if (r < 0 && !is_last && r != -ENODEV && !is_permanent(r)) {
                revert->error = r;
                revert->result = TRIAL_REVERT_FAILED;
                return;
        }
        if (r < 0)
                change_set_back_alone(socket, &link, &earlier, r, &revert->change);
        revert->error = revert->change.own.error;
        revert->result = result_of(&revert->change.own);
}

/* Makes one attempt with the record in `revert`. */
static void revert_record(bool is_due, bool is_last, struct trial_revert *revert) {
        static const enum trial_phase ends[] = {
                [TRIAL_REVERT_DONE] = TRIAL_REVERTED,
                [TRIAL_REVERT_CONFIRMED] = TRIAL_CONFIRMED,
                [TRIAL_REVERT_STALE] = TRIAL_CHANGED,
        };

        set_back(is_due, is_last, revert);
        if (revert->result != TRIAL_REVERT_FAILED)
                revert->end_error = end_record(&revert->record, ends[revert->result]);
}

static void revert_once(struct netlink_socket *socket, unsigned ifindex, const uint32_t *id, bool is_due,
                        bool is_last, struct trial_revert *ret) {
        *ret = (struct trial_revert){ .record.ifindex = ifindex, .snapshot.socket = socket };
        ret->error = trial_record_read(ifindex, &ret->record);
        if (ret->error == 0 && id && ret->record.id != *id)
                ret->error = -ENOENT;
        if (ret->error == 0)
                revert_record(is_due, is_last, ret);
        else
                ret->result = ret->error == -ENOENT ? TRIAL_REVERT_NOT_WAITING : TRIAL_REVERT_FAILED;
        /* Or it would be in the way of all that follows. */
        if (ret->error == -EBADMSG)
                (void)device_record_remove(ifindex, DEVICE_RECORD_ALL);
}

void trial_revert(struct netlink_socket *socket, unsigned ifindex, const uint32_t *id, bool is_due,
                  struct trial_revert *ret) {
        revert_once(socket, ifindex, id, is_due, false, ret);
        for (int i = 0; i < REVERT_TRIES && ret->result == TRIAL_REVERT_FAILED && !is_permanent(ret->error);
             i++) {
                trial_revert_free(ret);
                (void)clock_sleep_ms(1000);
                revert_once(socket, ifindex, id, is_due, true, ret);
        }
}

void trial_revert_free(struct trial_revert *revert) {
        change_free(&revert->change);
        revert->snapshot.socket = NULL; /* belongs to the caller */
        snapshot_cleanup(&revert->snapshot);
}

void trial_forget_end(const struct trial_record *record) {
        if (trial_record_has_ended(record) && !is_watched(record))
                (void)remove_record(record->ifindex);
}

bool trial_text(char buffer[static TRIAL_TEXT_SIZE], const struct link *link) {
        struct device_record record = { .device.name = "" };
        int r = device_record_read(link, &record);
        double seconds = record.trial.deadline_s - clock_boottime_s();
        char left[TEXT_NUMBER_SIZE] = "?", word[TEXT_SHELL_WORD_SIZE];

        if (r == -ENOENT || (r == 0 && !trial_record_is_running(&record.trial)))
                return false;
        if (r == 0)
                text_put_number(left, seconds > 0 ? (uint64_t)seconds : 0);
        snprintf(buffer, TRIAL_TEXT_SIZE, "trial, %s s left: setmtu confirm %s", left,
                 text_shell_word(word, link->name));
        return true;
}

bool trial_is_undone(struct netlink_socket *socket, const struct trial_record *record) {
        struct link link;

        return trial_get_device(socket, record, &link) == 0 && link.mtu == record->before;
}

/* Says why a trial has not begun. */
static bool note_fault(struct trial_begin *begin, const char *what, int error) {
        snprintf(begin->fault, sizeof(begin->fault), "%s: %s", what, strerror(-error));
        return false;
}

/* Writes the record of a change that is about to be made. */
static bool write_record(const struct trial *trial, struct trial_begin *begin) {
        const struct link *link = &begin->former;
        struct trial_record *record = &begin->record, other;
        int r;

        *record = (struct trial_record){
                .ifindex = link->ifindex,
                .phase = TRIAL_CHANGING,
                .watcher = trial->is_watched ? (uint32_t)getpid() : 0,
                .spec = trial->line->spec,
                .before = link->mtu,
                .tried = device_status_of(link, trial->line).wanted,
                .deadline_s = (uint32_t)(clock_boottime_s() + trial->timeout_s + 1),
        };
        strcpy(record->name, trial->line->name);
        if (trial_record_read(link->ifindex, &other) != -ENOENT) {
                snprintf(begin->fault, sizeof(begin->fault),
                         "a trial of it is waiting; end that first: setmtu confirm %s, or setmtu revert %s",
                         record->name, record->name);
                return false;
        }
        if (getrandom(&record->id, sizeof(record->id), GRND_NONBLOCK) < 0)
                record->id = record->deadline_s; /* too early in the boot for two trials a second */
        r = original_mtu_read(link, &record->former);
        if (r < 0 && r != -ENOENT)
                return note_fault(begin,
                                  "left as it is: the MTU from before could not be read from /run/setmtu",
                                  r);
        r = device_identity_of(link, &record->device);
        if (r == 0)
                r = trial_record_write(record);
        return r == 0 || note_fault(begin, TRIAL_UNRECORDED, r);
}

/* Changes the device and the devices on top of it; devices below stay as they are. */
static bool change_on_trial(struct snapshot *snapshot, const struct trial *trial,
                            struct trial_begin *begin) {
        struct step_target target = { .line = trial->line, .is_alone = true };
        int r = snapshot_look_at(snapshot, &begin->former, begin->record.tried, &target.link);

        if (r == 0)
                r = change_set_targets(snapshot, &target, 1, &begin->change);
        if (r < 0)
                return note_fault(begin, DEVICE_UNREADABLE, r);
        if (!begin->change.is_done)
                return false;
        begin->record.tried = change_result(&begin->change, target.link)->link.mtu;
        begin->record.phase = TRIAL_WAITING;
        r = trial_record_write(&begin->record);
        return r == 0 || note_fault(begin, TRIAL_UNRECORDED, r);
}

static bool begin_trial(struct snapshot *snapshot, const struct trial *trial, struct trial_begin *begin) {
        /* Read again, now that no other command can change the device. */
        int r = link_get_by_ifindex(snapshot->socket, trial->ifindex, &begin->former);

        if (r < 0)
                return note_fault(begin, DEVICE_UNREADABLE, r);
        if (!write_record(trial, begin))
                return false;
        if (revert_timer_start(&begin->record, trial->timeout_s, trial->owner, begin->fault) < 0) {
                (void)remove_record(trial->ifindex);
                return false;
        }
        if (change_on_trial(snapshot, trial, begin))
                return true;
        /* The record here counts, even if it could not be written. */
        begin->is_reverted = true;
        begin->revert.snapshot.socket = snapshot->socket;
        begin->revert.record = begin->record;
        begin->revert.record.watcher = 0;
        revert_record(false, true, &begin->revert);
        return false;
}

void trial_begin(struct snapshot *snapshot, const struct trial *trial, struct trial_begin *ret) {
        *ret = (struct trial_begin){ .has_begun = false };
        ret->has_begun = begin_trial(snapshot, trial, ret);
}

void trial_begin_free(struct trial_begin *begin) {
        trial_revert_free(&begin->revert);
        change_free(&begin->change);
}
