/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "change/trial.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "store/load_plan.h"

#define DEVICE_UNREADABLE "it cannot be read from the kernel"
#define TIMER_FAILED "left as it is: the timer that would revert the MTU cannot be started"
#define TRIAL_UNRECORDED "what undoes the trial cannot be kept in /run/setmtu"

int trial_end(unsigned ifindex) {
        struct trial_record record;
        int r = trial_record_read(ifindex, &record);

        if (r < 0)
                return r == -ENOENT ? 0 : r;
        r = device_record_remove(ifindex, DEVICE_RECORD_TRIAL);
        if (r == 0)
                revert_timers_stop();
        return r;
}

int trial_get_device(struct netlink_socket *socket, const struct trial_record *record, struct link *ret) {
        struct link link;
        int r = link_get_by_ifindex(socket, record->ifindex, &link);

        if (r < 0)
                return r;
        if (!device_identity_is(&record->device, &link))
                return -ENODEV;
        *ret = link;
        return 0;
}

/* Whether `setmtu confirm` had decided already: by writing the line or, of the configuration, by marking all
 * records; `last` is the one that is reverted last, which it marks at the end. */
static bool is_confirmed(const struct config *config, const struct link *link,
                         const struct trial_record *record, const struct trial_record *last) {
        const struct config_line *line;

        if (record->place > 0 || !last->is_confirming)
                return last->is_confirming;
        line = config_find(config, link->name);
        return line && mtu_spec_equals(&line->spec, &record->spec);
}

static enum trial_revert_result result_of(const struct mtu_change *change) {
        if (change->is_done || change->has_changed)
                return TRIAL_REVERT_DONE;
        return change->result == MTU_CHANGE_STALE || change->error == -ENODEV ? TRIAL_REVERT_STALE
                                                                              : TRIAL_REVERT_FAILED;
}

/* Sets the device back, alone if the configuration and the devices on top of it cannot be read; unless
 * `last`, the record that is reverted last, shows that it is confirmed. */
static void set_back(const struct trial_record *last, struct trial_revert *revert) {
        struct netlink_socket *socket = revert->snapshot.socket;
        const struct trial_record *record = &revert->record;
        const struct earlier_mtu earlier = {
                .mtu = record->before,
                .set = { record->tried },
                .former = record->former,
        };
        struct link link;
        int r = trial_get_device(socket, record, &link);

        if (r < 0) {
                revert->error = r;
                revert->result = r == -ENODEV ? TRIAL_REVERT_STALE : TRIAL_REVERT_FAILED;
                return;
        }
        r = load_plan(&diagnostic_silent, &revert->snapshot.plan);
        if (r == 0 && is_confirmed(&revert->snapshot.plan.config, &link, record, last)) {
                mtu_change_release(&link, record->tried);
                revert->result = TRIAL_REVERT_CONFIRMED;
                return;
        }
        change_set_back(&revert->snapshot, &link, &earlier, r, &revert->change);
        revert->error = revert->change.own->error;
        revert->result = result_of(revert->change.own);
}

/* As long as the records are there, a device that is back is not changed along with another one. */
static void revert_records(struct trial_reverts *reverts) {
        for (size_t i = 0; i < reverts->n_items; i++)
                set_back(&reverts->items[reverts->n_items - 1].record, &reverts->items[i]);
        for (size_t i = 0; i < reverts->n_items; i++)
                if (reverts->items[i].result != TRIAL_REVERT_FAILED)
                        reverts->items[i].end_error = device_record_remove(reverts->items[i].record.ifindex,
                                                                           DEVICE_RECORD_TRIAL);
        if (reverts->n_items > 0)
                revert_timers_stop();
}

static void add_revert(struct netlink_socket *socket, const struct trial_record *record,
                       struct trial_reverts *reverts) {
        struct trial_revert *revert = array_add(&reverts->items, &reverts->n_items, sizeof(*revert));

        if (revert)
                *revert = (struct trial_revert){ .record = *record, .snapshot.socket = socket };
        else
                reverts->error = -ENOMEM;
}

void trial_revert(struct netlink_socket *socket, uint32_t id, struct trial_reverts *ret) {
        CLEANUP(trial_records_free) struct trial_records records = { 0 };

        *ret = (struct trial_reverts){ .error = trial_records_read(id, &records) };
        for (size_t i = 0; i < records.n_items; i++)
                add_revert(socket, &records.items[i], ret);
        revert_records(ret);
}

void trial_reverts_free(struct trial_reverts *reverts) {
        for (size_t i = 0; i < reverts->n_items; i++) {
                struct trial_revert *revert = &reverts->items[i];

                change_free(&revert->change);
                revert->snapshot.socket = NULL; /* belongs to the caller */
                snapshot_cleanup(&revert->snapshot);
        }
        free(reverts->items);
        *reverts = (struct trial_reverts){ .n_items = 0 };
}

bool trial_text(char buffer[static TRIAL_TEXT_SIZE], const struct link *link) {
        struct device_record record;
        int r = device_record_read(link, &record);
        double seconds = record.trial.deadline_s - clock_boottime_s();
        char word[TEXT_SHELL_WORD_SIZE];

        if (r == -ENOENT || r == -EBADMSG || (r == 0 && record.trial.id == 0))
                return false;
        if (r < 0)
                snprintf(buffer, TRIAL_TEXT_SIZE, "whether a trial waits is not known: %s", strerror(-r));
        else
                snprintf(buffer, TRIAL_TEXT_SIZE, "trial, %u s left: setmtu confirm %s",
                         seconds > 0 ? (unsigned)seconds : 0, text_shell_word(word, link->name));
        return true;
}

/* Says why a trial has not begun. */
static bool note_fault(struct trial_begin *begin, const char *what, int error) {
        snprintf(begin->fault, sizeof(begin->fault), "%s: %s", what, strerror(-error));
        return false;
}

/* Writes the record of a change that is about to be made. */
static bool write_record(const struct trial *trial, const struct step *step, struct trial_begin *begin) {
        const struct link *link = step->link;
        struct trial_records *records = &begin->records;
        struct trial_record *record = &records->items[records->n_items];
        struct device_record known = { .device.name = "" };
        char word[TEXT_SHELL_WORD_SIZE];
        int r;

        *record = (struct trial_record){
                .ifindex = link->ifindex,
                .id = records->id,
                .spec = step->line->spec,
                .before = link->mtu,
                .tried = step->to,
                .deadline_s = (uint32_t)(begin->deadline + 1),
                .place = trial->is_of_configuration ? (uint32_t)records->n_items + 1 : 0,
        };
        begin->name = step->line->name;
        strcpy(record->name, begin->name);
        r = device_record_read(link, &known);
        if (r < 0 && r != -ENOENT)
                return note_fault(begin,
                                  "left as it is: the MTU from before could not be read from /run/setmtu",
                                  r);
        record->former = known.original;
        if (known.trial.id > 0) {
                snprintf(begin->fault, sizeof(begin->fault),
                         "a trial of it is waiting; end that first: setmtu confirm %s, or setmtu revert %s",
                         text_shell_word(word, record->name), word);
                return false;
        }
        device_identity_of(link, &record->device);
        r = trial_record_write(record);
        records->n_items += r == 0;
        return r == 0 || note_fault(begin, TRIAL_UNRECORDED, r);
}

/* Makes the steps, with the devices as they are now that no other command can change them. */
static bool make_steps(struct snapshot *snapshot, const struct trial *trial, struct trial_begin *begin) {
        CLEANUP(cleanup_free)
        struct step_target *targets = calloc(trial->n_targets, sizeof(*targets));
        int r = targets ? snapshot_look(snapshot) : -ENOMEM;

        for (size_t i = 0; r == 0 && i < trial->n_targets; i++) {
                targets[i] = (struct step_target){
                        .link = link_table_by_ifindex(&snapshot->links, trial->targets[i].ifindex),
                        .line = trial->targets[i].line,
                        .is_alone = true,
                };
                begin->name = targets[i].line->name;
                if (!targets[i].link)
                        r = -ENODEV;
                else if (targets[i].line->spec.is_auto)
                        r = snapshot_fit_line(snapshot, targets[i].link, targets[i].line);
        }
        if (r == 0)
                r = change_make(snapshot, targets, trial->n_targets, &begin->change);
        return r == 0 || note_fault(begin, DEVICE_UNREADABLE, r);
}

static bool write_records(const struct trial *trial, struct trial_begin *begin) {
        const struct steps *steps = &begin->change.steps;
        struct trial_records *records = &begin->records;

        if (getrandom(&records->id, sizeof(records->id), GRND_NONBLOCK) < 0)
                records->id = (uint32_t)clock_boottime_s(); /* too early in the boot for two a second */
        records->id += records->id == TRIAL_RECORDS_ALL;
        records->items = calloc(trial->n_targets, sizeof(*records->items));
        if (!records->items)
                return note_fault(begin, TRIAL_UNRECORDED, -ENOMEM);
        for (size_t i = 0; i < steps->n_items; i++)
                if (steps->items[i].is_given && steps->items[i].action != STEP_FALL &&
                    !write_record(trial, &steps->items[i], begin))
                        return false;
        return true;
}

/* The records here count, even if they could not be written. */
static void revert_begun(struct snapshot *snapshot, struct trial_begin *begin) {
        for (size_t i = begin->records.n_items; i-- > 0;) {
                struct trial_record *record = &begin->records.items[i];
                const struct mtu_change *result = change_result(
                                &begin->change, link_table_by_ifindex(&snapshot->links, record->ifindex));

                /* Its driver may have chosen another MTU, which the timer has to know, too. */
                if (result->has_changed && record->tried != result->link.mtu) {
                        int r;

                        record->tried = result->link.mtu;
                        r = trial_record_write(record);
                        (void)r; /* it is reverted here first */
                }
                add_revert(snapshot->socket, record, &begin->reverts);
        }
        revert_records(&begin->reverts);
}

bool trial_begin(struct snapshot *snapshot, const struct trial *trial, struct trial_begin *ret) {
        const struct trial_records *records = &ret->records;
        int r;

        *ret = (struct trial_begin){
                .deadline = clock_boottime_s() + trial->timeout_s,
                .name = trial->targets->line->name,
        };
        if (!make_steps(snapshot, trial, ret))
                return false;
        if (write_records(trial, ret)) {
                r = revert_timer_start(records, trial->timeout_s);
                if (r < 0)
                        (void)note_fault(ret, TIMER_FAILED, r);
        }
        if (*ret->fault) {
                for (size_t i = 0; i < records->n_items; i++)
                        (void)device_record_remove(records->items[i].ifindex, DEVICE_RECORD_TRIAL);
                return false;
        }
        ret->change.is_trial = true;
        change_carry_out(snapshot, &ret->change);
        if (ret->change.is_done)
                return true;
        revert_begun(snapshot, ret);
        return false;
}

void trial_begin_free(struct trial_begin *begin) {
        trial_reverts_free(&begin->reverts);
        trial_records_free(&begin->records);
        change_free(&begin->change);
}
