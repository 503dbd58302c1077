/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* setmtu confirm, setmtu revert: the two ends of a trial. */

#include "command/confirm.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/exit_code.h"
#include "base/log.h"
#include "base/text.h"
#include "bus/systemd_manager.h"
#include "change/snapshot.h"
#include "command/activate.h"
#include "command/change_log.h"
#include "command/command.h"
#include "command/line_edit.h"
#include "command/prepare.h"
#include "command/trial_log.h"
#include "store/change_lock.h"

/* Writes the trial's line as setmtu set would. Returns an exit code. */
static int write_line(const struct trial_record *record, const struct link *link) {
        CLEANUP(snapshot_cleanup) struct snapshot snapshot = { 0 };
        CLEANUP(line_edit_cleanup) struct line_edit edit = { 0 };
        const struct device_status *known;
        int exit_code;

        if (!prepare_snapshot(&snapshot))
                return EXIT_CODE_FAILURE;
        known = snapshot_find(&snapshot, link->name);
        exit_code = line_edit_prepare(&snapshot.plan.config, known ? known->line : NULL, link->name,
                                      &record->spec, &edit);
        return exit_code == EXIT_CODE_DONE ? line_edit_write(&edit) : exit_code;
}

enum { OPTION_TRIAL };

static int log_over(const struct trial_record *record) {
        return log_fail(EXIT_CODE_FAILURE, "%s: no trial of it is waiting any more", record->name);
}

/* Checks that the device, which may have been renamed, still has the tried MTU; otherwise its trial ends,
 * and `ret_link` has no ifindex. Returns an exit code; on an error the trial of all goes on. */
static int check_device(struct netlink_socket *socket, const struct trial_record *record,
                        struct link *ret_link) {
        int r = trial_get_device(socket, record, ret_link);

        if (r < 0 && r != -ENODEV)
                return log_fail(EXIT_CODE_FAILURE,
                                "%s: not confirmed: it cannot be read from the kernel: %s", record->name,
                                netlink_socket_error_text(socket, r));
        if (r == 0 && ret_link->mtu == record->tried)
                return EXIT_CODE_DONE;
        trial_log_changed(socket, record);
        if (trial_end(record->ifindex) < 0)
                log_warning("%s: its trial goes on until its time is up", record->name);
        ret_link->ifindex = 0;
        return EXIT_CODE_DONE;
}

/* Marks the records, or takes the marks back. What is reverted last comes last, and only if all others are
 * written: is_confirmed() in trial.c. */
static int mark(struct trial_records *records, bool is_confirming) {
        int r = 0;

        for (size_t i = 0; r == 0 && i < records->n_items; i++) {
                records->items[i].is_confirming = is_confirming;
                r = trial_record_write(&records->items[i]);
        }
        return r;
}

/* Decides on the trial. From here on, if this process is killed, the line decides or, for the configuration,
 * the record that is marked last. Returns an exit code. */
static int decide(struct trial_records *records, const struct link *links) {
        int exit_code, r = mark(records, true);

        if (r < 0)
                return log_fail(EXIT_CODE_FAILURE,
                                "%s: not confirmed: its record in /run/setmtu could not be written: %s; the "
                                "trial goes on",
                                records->items->name, strerror(-r));
        exit_code = records->items->place > 0 ? EXIT_CODE_DONE : write_line(records->items, links);
        if (exit_code == EXIT_CODE_DONE)
                return exit_code;
        /* An equal line may have been there before. */
        r = mark(records, false);
        if (r < 0)
                log_warning("%s: its trial counts as confirmed if the line is there at its end: %s",
                            records->items->name, strerror(-r));
        return log_fail(exit_code, "%s: not confirmed: its line could not be written; the trial goes on",
                        records->items->name);
}

/* Confirms while no other command can end the trial. Returns an exit code. */
static int confirm_locked(struct netlink_socket *socket, bool is_runtime, struct trial_records *records,
                          struct link *links) {
        size_t n = 0;
        int exit_code;

        for (size_t i = 0; i < records->n_items; i++) {
                exit_code = check_device(socket, &records->items[i], &links[n]);
                if (exit_code != EXIT_CODE_DONE)
                        return exit_code;
                if (links[n].ifindex > 0)
                        records->items[n++] = records->items[i];
        }
        records->n_items = n;
        if (n == 0)
                return EXIT_CODE_FAILURE;
        exit_code = is_runtime ? EXIT_CODE_DONE : decide(records, links);
        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        for (size_t i = 0; i < n; i++) {
                const struct trial_record *record = &records->items[i];
                int r;

                mtu_change_release(&links[i], record->tried);
                r = device_record_remove(record->ifindex, DEVICE_RECORD_TRIAL);
                if (r >= 0)
                        log_info("%s: MTU %u confirmed", links[i].name, record->tried);
                else if (is_runtime) /* no line decides */
                        exit_code = log_fail(EXIT_CODE_FAILURE,
                                             "%s: not confirmed: its trial's record in /run/setmtu "
                                             "cannot be removed: %s",
                                             record->name, strerror(-r));
                else
                        exit_code = log_fail(EXIT_CODE_FAILURE,
                                             "%s: confirmed, but its trial's record in /run/setmtu "
                                             "cannot be removed: %s; its MTU stays",
                                             record->name, strerror(-r));
        }
        revert_timers_stop();
        return exit_code;
}

int confirm_trial(struct netlink_socket *socket, const struct trial_record *record, bool is_runtime) {
        CLEANUP(command_lock_release) struct command_lock lock = { 0 };
        CLEANUP(trial_records_free) struct trial_records records = { 0 };
        CLEANUP(cleanup_free) struct link *links = NULL;
        int exit_code, r;

        if (!change_log_lock(&lock))
                return EXIT_CODE_FAILURE;
        r = trial_records_read(record->id, &records);
        if (r == 0 && records.n_items == 0)
                return log_over(record);
        if (r == 0)
                links = calloc(records.n_items, sizeof(*links));
        if (!links)
                return log_fail(EXIT_CODE_FAILURE,
                                "%s: not confirmed: the records of trials in /run/setmtu cannot be read: %s",
                                record->name, strerror(r < 0 ? -r : ENOMEM));
        exit_code = confirm_locked(socket, is_runtime, &records, links);
        command_lock_release(&lock);
        if (exit_code != EXIT_CODE_DONE || is_runtime)
                return exit_code;
        if (record->place > 0)
                return manager_is_here() ? activate_configuration() : EXIT_CODE_DONE;
        return activate_units_of(links->name) ? EXIT_CODE_DONE : EXIT_CODE_FAILURE;
}

/* Finds the trial of the device IFACE or, if no device has the name, the one begun with it; without IFACE,
 * the one with the number, or the only one that is waiting. A record of the device that is invalid would be
 * in the way of all that follows: a revert removes it. Returns an exit code. */
static int choose_trial(struct netlink_socket *socket, const char *word, uint32_t number, bool is_revert,
                        struct trial_record *ret) {
        CLEANUP(trial_records_free) struct trial_records records = { .n_items = 0 };
        bool is_found = false, are_several = false;
        char names[256] = ""; /* as many as fit, each after a space */
        struct link link;
        int r = word ? link_get_by_name(socket, word, &link) : -ENODEV;

        if (r < 0 && r != -ENODEV)
                return log_fail(EXIT_CODE_FAILURE, "%s: it cannot be read from the kernel: %s", word,
                                netlink_socket_error_text(socket, r));
        if (r == 0) {
                r = trial_record_read(link.ifindex, ret);
                is_found = r == 0;
                if (r == -EBADMSG && is_revert)
                        (void)device_record_remove(link.ifindex, DEVICE_RECORD_ALL);
                if (r < 0 && r != -ENOENT)
                        return log_fail(EXIT_CODE_FAILURE,
                                        "the record of the trial of device %u in /run/setmtu: %s; its MTU "
                                        "is left as it is",
                                        link.ifindex, strerror(-r));
        } else {
                r = trial_records_read(word ? TRIAL_RECORDS_ALL : number, &records);
                if (r < 0)
                        return log_fail(EXIT_CODE_FAILURE, "the records of trials cannot be read: %s",
                                        strerror(-r));
        }
        for (size_t i = 0; i < records.n_items; i++) {
                const struct trial_record *record = &records.items[i];
                size_t used = strlen(names);

                if (word && strcmp(record->name, word) != 0)
                        continue;
                are_several |= is_found && record->id != ret->id;
                is_found = true;
                *ret = *record;
                snprintf(names + used, sizeof(names) - used, " %s", record->name);
        }
        if (are_several)
                return log_fail(EXIT_CODE_USAGE, "several trials are waiting:%s; name the device", names);
        if (is_found && number != TRIAL_RECORDS_ALL && ret->id != number)
                return log_fail(EXIT_CODE_FAILURE,
                                "%s: another trial of it is waiting, with the number %" PRIu32, ret->name,
                                ret->id);
        if (is_found)
                return EXIT_CODE_DONE;
        return word ? log_fail(EXIT_CODE_FAILURE, "%s: no trial of it is waiting", word)
                    : log_fail(EXIT_CODE_FAILURE, "no trial is waiting");
}

static int run_trial_end(const struct command_line *line) {
        bool is_revert = line->command == &command_revert;
        CLEANUP(netlink_socket_cleanup) struct netlink_socket *socket = NULL;
        const char *word = line->n_words > 0 ? line->words[0] : NULL, *text = line->options[OPTION_TRIAL];
        enum trial_revert_result result;
        struct trial_record record;
        uint64_t number = TRIAL_RECORDS_ALL;
        int exit_code, r = netlink_socket_open(NETLINK_ROUTE, &socket);

        if (r < 0)
                return log_fail(EXIT_CODE_FAILURE, "cannot open an rtnetlink socket: %s", strerror(-r));
        if (text && !text_parse_number(text, TRIAL_RECORDS_ALL + 1, UINT32_MAX, &number))
                return log_fail(EXIT_CODE_USAGE,
                                "--trial: \"%.64s\" is not the number of a trial; setmtu status --json "
                                "shows it",
                                text);
        /* As revert_timer.h runs it: the trial may have ended, and that is no failure. */
        if (is_revert && !word && text) {
                result = trial_revert_and_log(socket, (uint32_t)number, false);
                if (result == TRIAL_REVERT_NOT_WAITING)
                        log_info("the trial with the number %s is not waiting", text);
                return result != TRIAL_REVERT_FAILED ? EXIT_CODE_DONE : EXIT_CODE_FAILURE;
        }
        exit_code = choose_trial(socket, word, (uint32_t)number, is_revert, &record);
        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        if (!is_revert)
                return confirm_trial(socket, &record, false);
        result = trial_revert_and_log(socket, record.id, false);
        if (result == TRIAL_REVERT_NOT_WAITING)
                return log_over(&record);
        return result != TRIAL_REVERT_FAILED ? EXIT_CODE_DONE : EXIT_CODE_FAILURE;
}

const struct command command_confirm = {
        .name = "confirm",
        .arguments = "[IFACE]",
        .summary = "keep the MTU of setmtu try, and write its line",
        .text = "Ends a trial, keeps its MTU, and writes its line to " CONFIG_FILE
                ". After a trial of the configuration, keeps all MTUs and runs reload. The device may be "
                "omitted if only one trial is waiting.",
        .examples = { "# setmtu confirm", "# setmtu confirm eth0" },
        .options = { [OPTION_TRIAL] = { "trial", "NUMBER",
                                        "only this trial, by the number from try --detach" } },
        .changes = true,
        .words_max = 1,
        .run = run_trial_end,
};

const struct command command_revert = {
        .name = "revert",
        .arguments = "[IFACE]",
        .summary = "restore the MTU from before setmtu try",
        .text = "Ends a trial at once, and restores the old MTU, or all of them. The device may be omitted "
                "if only one trial is waiting.",
        .examples = { "# setmtu revert", "# setmtu revert eth0" },
        .options = { [OPTION_TRIAL] = { "trial", "NUMBER",
                                        "only this trial, by the number from try --detach" } },
        .changes = true,
        .words_max = 1,
        .run = run_trial_end,
};
