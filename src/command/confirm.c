/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* setmtu confirm, setmtu revert: the two ends of a trial. */

#include "command/confirm.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/exit_code.h"
#include "base/log.h"
#include "base/text.h"
#include "change/change_log.h"
#include "change/revert_timer.h"
#include "change/snapshot.h"
#include "change/trial_log.h"
#include "command/activate_units.h"
#include "command/command.h"
#include "command/line_edit.h"
#include "command/prepare.h"
#include "store/change_lock.h"

/* Writes the trial's line as setmtu set would. Returns an exit code. */
static int write_line(const struct trial_record *record, const struct link *link) {
        CLEANUP(snapshot_cleanup) struct snapshot snapshot = { 0 };
        CLEANUP(line_edit_cleanup) struct line_edit edit = { 0 };
        int exit_code;

        if (!prepare_snapshot(&snapshot))
                return EXIT_CODE_FAILURE;
        exit_code = line_edit_prepare(&snapshot, link, link->name, &record->spec, &edit);
        return exit_code == EXIT_CODE_DONE ? line_edit_carry_out(&edit) : exit_code;
}

enum { OPTION_TRIAL };

static int log_over(struct netlink_socket *socket, unsigned ifindex) {
        struct link link;

        if (link_get_by_ifindex(socket, ifindex, &link) == 0)
                return log_fail(EXIT_CODE_FAILURE, "%s: no trial of it is waiting any more", link.name);
        return log_fail(EXIT_CODE_FAILURE, "device %u: no trial of it is waiting any more", ifindex);
}

static int log_other(const struct trial_record *record) {
        return log_fail(EXIT_CODE_FAILURE, "%s: another trial of it is waiting, with the number %" PRIu32,
                        record->name, record->id);
}

/* Checks that the device, which may have been renamed, still has the tried MTU. Returns an exit code. */
static int check_device(struct netlink_socket *socket, const struct trial_record *record,
                        struct link *ret_link) {
        int r = trial_get_device(socket, record, ret_link);

        if (r < 0 && r != -ENODEV)
                return log_fail(EXIT_CODE_FAILURE,
                                "%s: not confirmed: it cannot be read from the kernel: %s", record->name,
                                change_reason(socket, r));
        if (r == 0 && record->phase == TRIAL_CHANGING)
                return log_fail(EXIT_CODE_FAILURE,
                                "%s: not confirmed: setmtu was killed while it changed the MTU; setmtu "
                                "revert restores it",
                                record->name);
        if (r == 0 && ret_link->mtu == record->tried)
                return EXIT_CODE_DONE;
        trial_log_changed(socket, record);
        if (trial_end(record->ifindex, TRIAL_CHANGED) < 0)
                log_warning("%s: its trial goes on until its time is up", record->name);
        return EXIT_CODE_FAILURE;
}

/* Confirms while no other command can end the trial. Returns an exit code. */
static int confirm_locked(struct netlink_socket *socket, unsigned ifindex, const uint32_t *id,
                          struct trial_record *record, struct link *ret_link) {
        int exit_code, marked, r = trial_record_read(ifindex, record);

        if (r == -ENOENT)
                return log_over(socket, ifindex);
        if (r < 0) {
                trial_log_unreadable(ifindex, r);
                return EXIT_CODE_FAILURE;
        }
        if (id && record->id != *id)
                return log_other(record);
        exit_code = check_device(socket, record, ret_link);
        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        /* From here on the line decides if this process is killed: is_written_down() in trial.c. */
        record->phase = TRIAL_CONFIRMING;
        marked = trial_record_write(record);
        exit_code = write_line(record, ret_link);
        if (exit_code != EXIT_CODE_DONE) {
                /* An equal line may have been there before. */
                record->phase = TRIAL_WAITING;
                r = trial_record_write(record);
                if (r < 0)
                        log_warning("%s: its trial counts as confirmed if the line is there at its end: %s",
                                    record->name, strerror(-r));
                return log_fail(exit_code,
                                "%s: not confirmed: its line could not be written; the trial goes on",
                                record->name);
        }
        r = trial_end(ifindex, TRIAL_CONFIRMED);
        if (r >= 0)
                return EXIT_CODE_DONE;
        return log_fail(EXIT_CODE_FAILURE,
                        marked >= 0 ? "%s: its line is written, but the record of its trial cannot be "
                                      "removed: %s; its MTU stays, unless setmtu revert is run"
                                    : "%s: the record of its trial cannot be removed: %s; its MTU is "
                                      "reverted when the time is up, unless this is corrected; setmtu "
                                      "reload sets it again",
                        record->name, strerror(-r));
}

int confirm_trial(struct netlink_socket *socket, unsigned ifindex, const uint32_t *id) {
        CLEANUP(command_lock_release) struct command_lock lock = { 0 };
        struct trial_record record = { 0 };
        struct link link;
        int exit_code;

        if (!change_log_lock(&lock))
                return EXIT_CODE_FAILURE;
        exit_code = confirm_locked(socket, ifindex, id, &record, &link);
        command_lock_release(&lock);
        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        log_info("%s: MTU %u confirmed", link.name, record.tried);
        return activate_units_of(link.name, true) ? EXIT_CODE_DONE : EXIT_CODE_FAILURE;
}

struct waiting_trials {
        const char *name; /* count only those begun with it; NULL: all */
        unsigned ifindex; /* of the last trial found */
        unsigned count;
        char names[256]; /* as many as fit, each after a space */
};

static int count_trial(void *userdata, unsigned ifindex) {
        struct waiting_trials *waiting = userdata;
        struct trial_record record;
        size_t used = strlen(waiting->names);
        int r = trial_record_read(ifindex, &record);

        if (r == -ENOENT ||
            (waiting->name && (r == -EBADMSG || (r == 0 && strcmp(record.name, waiting->name) != 0))))
                return 0;
        if (waiting->name && r < 0)
                return r;
        waiting->ifindex = ifindex;
        waiting->count++;
        snprintf(waiting->names + used, sizeof(waiting->names) - used, " %s", r == 0 ? record.name : "?");
        return 0;
}

/* The trial of `ifindex` began with the name that another device has now. */
static int log_renamed(struct netlink_socket *socket, const char *name, unsigned ifindex) {
        struct link link;

        if (link_get_by_ifindex(socket, ifindex, &link) == 0)
                return log_fail(EXIT_CODE_FAILURE,
                                "%s: another device has this name now; the one on trial is called %s: "
                                "setmtu confirm %s, or setmtu revert %s",
                                name, link.name, link.name, link.name);
        return log_fail(EXIT_CODE_FAILURE,
                        "%s: another device has this name now, and the one on trial is gone", name);
}

/* Finds the device of IFACE or, if no device with a trial has the name, of the trial begun with it; without
 * IFACE, that of the only trial that is waiting. Returns an exit code. */
static int choose_trial(struct netlink_socket *socket, const struct command_line *line,
                        unsigned *ret_ifindex) {
        const char *word = line->n_words > 0 ? line->words[0] : NULL;
        struct waiting_trials waiting = { .count = 0 };
        struct link link;
        int each, r = word ? link_get_by_name(socket, word, &link) : -ENODEV;

        if (r < 0 && r != -ENODEV)
                return log_fail(EXIT_CODE_FAILURE, "%s: it cannot be read from the kernel: %s", word,
                                change_reason(socket, r));
        if (r == 0)
                (void)count_trial(&waiting, link.ifindex);
        if (waiting.count == 0) {
                waiting.name = word;
                each = device_record_each(count_trial, &waiting);
                if (each < 0)
                        return log_fail(EXIT_CODE_FAILURE, "the records of trials cannot be read: %s",
                                        strerror(-each));
                if (r == 0 && waiting.count > 0)
                        return log_renamed(socket, word, waiting.ifindex);
        }
        if (waiting.count > 1)
                return log_fail(EXIT_CODE_USAGE, "%u trials are waiting:%s; name the device", waiting.count,
                                waiting.names);
        if (waiting.count == 0 && word)
                return log_fail(EXIT_CODE_FAILURE, "%s: no trial of it is waiting", word);
        if (waiting.count == 0)
                return log_fail(EXIT_CODE_FAILURE, "no trial is waiting");
        *ret_ifindex = waiting.ifindex;
        return EXIT_CODE_DONE;
}

static int revert_trial(struct netlink_socket *socket, unsigned ifindex, const uint32_t *id) {
        enum trial_revert_result result = trial_revert_and_log(socket, ifindex, id, false);
        struct trial_record record;

        if (result != TRIAL_REVERT_NOT_WAITING)
                return result != TRIAL_REVERT_FAILED ? EXIT_CODE_DONE : EXIT_CODE_FAILURE;
        if (id && trial_record_read(ifindex, &record) == 0 && record.id != *id)
                return log_other(&record);
        return log_over(socket, ifindex);
}

static int run_trial_end(const struct command_line *line) {
        bool is_revert = line->command == &command_revert;
        CLEANUP(netlink_socket_cleanup) struct netlink_socket *socket = NULL;
        const char *text = line->options[OPTION_TRIAL];
        unsigned ifindex = 0;
        uint64_t number = 0;
        uint32_t id;
        int exit_code, r = netlink_socket_open(&socket);

        if (r < 0)
                return log_fail(EXIT_CODE_FAILURE, "cannot open an rtnetlink socket: %s", strerror(-r));
        /* The word of revert_timer.h, whose trial may have ended. */
        if (is_revert && line->n_words > 0 && revert_timer_parse(line->words[0], &ifindex, &id))
                return trial_revert_and_log(socket, ifindex, &id, true) != TRIAL_REVERT_FAILED
                                       ? EXIT_CODE_DONE
                                       : EXIT_CODE_FAILURE;
        if (text && !text_parse_number(text, 0, UINT32_MAX, &number))
                return log_fail(EXIT_CODE_USAGE,
                                "--trial: \"%.64s\" is not the number of a trial; setmtu status --json "
                                "shows it",
                                text);
        id = (uint32_t)number;
        exit_code = choose_trial(socket, line, &ifindex);
        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        return (is_revert ? revert_trial : confirm_trial)(socket, ifindex, text ? &id : NULL);
}

const struct command command_confirm = {
        .name = "confirm",
        .arguments = "[IFACE]",
        .summary = "keep the MTU of setmtu try, and write its line",
        .text = "Ends a trial, keeps its MTU, and writes its line to " CONFIG_FILE
                ". The device may be omitted if only one trial is waiting.",
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
        .text = "Ends a trial at once, and restores the old MTU. The device may be omitted if only one "
                "trial is waiting.",
        .examples = { "# setmtu revert", "# setmtu revert eth0" },
        .options = { [OPTION_TRIAL] = { "trial", "NUMBER",
                                        "only this trial, by the number from try --detach" } },
        .changes = true,
        .words_max = 1,
        .run = run_trial_end,
};
