/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* setmtu confirm, setmtu revert. */

#include "change/trial_end.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/exit_code.h"
#include "base/log.h"
#include "base/text.h"
#include "base/unit_name.h"
#include "change/command_lock.h"
#include "change/device_change.h"
#include "change/revert_timer.h"
#include "change/snapshot.h"
#include "change/uppers.h"
#include "command/activate_units.h"
#include "command/command.h"
#include "command/line_edit.h"
#include "store/config_files.h"
#include "store/load_plan.h"

/* The trial's own line as setmtu set would write it. Returns an exit code. */
static int write_down(const struct trial_record *record) {
        CLEANUP(line_edit_cleanup) struct line_edit edit = { 0 };
        struct mistakes mistakes = { 0 };
        const struct diagnostic_sink sink = mistakes_sink(&mistakes);
        int exit_code = EXIT_CODE_FAILURE;
        struct config config;

        config_init(&config);
        if (config_files_read(&config, &sink) < 0)
                log_out_of_memory();
        else
                exit_code = line_edit_prepare_set(&config, record->name, &record->spec, &edit);
        config_free(&config);
        return exit_code == EXIT_CODE_DONE ? line_edit_carry_out(&edit) : exit_code;
}

static int log_unreadable(unsigned ifindex, int error) {
        log_error("the record of the trial of device %u in /run/setmtu: %s; its MTU is left as it is",
                  ifindex, strerror(-error));
        return EXIT_CODE_FAILURE;
}

/* Somebody else has been at it. */
static void log_foreign(struct link_socket *socket, unsigned ifindex, const struct trial_record *record) {
        struct link link;

        if (link_get_by_ifindex(socket, ifindex, &link) < 0)
                log_error("%s: the device is gone, and its trial with it", record->name);
        else
                log_error("%s: MTU is %u, no longer the %u that was tried: somebody else's now, left "
                          "alone",
                          record->name, link.mtu, record->tried);
}

/* What a confirmation does while nobody else can end the trial. Returns an exit code. */
static int confirm(struct link_socket *socket, unsigned ifindex, struct trial_record *record) {
        int exit_code, r = trial_record_read(ifindex, record);
        struct link link;

        if (r == -ENOENT) {
                log_error("no trial of this device is waiting any more");
                return EXIT_CODE_FAILURE;
        }
        if (r < 0)
                return log_unreadable(ifindex, r);
        if (link_get_by_ifindex(socket, ifindex, &link) < 0 || link.mtu != record->tried) {
                trial_drop(ifindex);
                log_foreign(socket, ifindex, record);
                return EXIT_CODE_FAILURE;
        }
        exit_code = write_down(record);
        if (exit_code == EXIT_CODE_DONE)
                trial_drop(ifindex);
        else
                log_error("%s: not confirmed: it could not be written down; the trial goes on",
                          record->name);
        return exit_code;
}

int trial_end_confirm(struct link_socket *socket, unsigned ifindex) {
        CLEANUP(command_lock_release) struct command_lock lock = { 0 };
        struct trial_record record = { 0 };
        int exit_code;

        if (!command_lock_take(&lock))
                return EXIT_CODE_FAILURE;
        exit_code = confirm(socket, ifindex, &record);
        command_lock_release(&lock);
        if (record.name[0] && !trial_is_waiting(ifindex, &record))
                guard_stop(record.name);
        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        log_info("%s: MTU %u confirmed", record.name, record.tried);
        return activate_units_of(record.name, true) ? EXIT_CODE_DONE : EXIT_CODE_FAILURE;
}

enum trial_end trial_end_undo(struct link_socket *socket, unsigned ifindex, struct trial_record *record,
                              int *error) {
        struct mistakes mistakes = { 0 };
        const struct diagnostic_sink sink = mistakes_sink(&mistakes);
        struct trial_record before;
        struct link link;
        struct plan plan;
        struct uppers uppers;
        enum trial_end end;

        if (trial_record_read(ifindex, &before) < 0 || link_get_by_ifindex(socket, ifindex, &link) < 0 ||
            load_plan(&sink, &plan) < 0)
                return trial_revert(socket, ifindex, record, error);
        uppers_watch(socket, &plan, &link, before.before, &uppers);
        end = trial_revert(socket, ifindex, record, error);
        uppers_settle(&uppers, &ifindex, 1);
        plan_free(&plan);
        return end;
}

int trial_end_revert(struct link_socket *socket, unsigned ifindex) {
        CLEANUP(command_lock_release) struct command_lock lock = { 0 };
        struct trial_record record = { 0 };
        enum trial_end end;
        int error;

        /* Whoever has the lock for half a minute must not keep an MTU from coming back. */
        (void)command_lock_take(&lock);
        end = trial_end_undo(socket, ifindex, &record, &error);
        /* A driver may be busy for a moment, and nobody else will try again. */
        for (int i = 0; end == TRIAL_REFUSED && error != -EPERM && error != -EBADMSG && i < 10; i++) {
                sleep(1);
                end = trial_end_undo(socket, ifindex, &record, &error);
        }
        if (error == -EBADMSG)
                trial_drop(ifindex);
        command_lock_release(&lock);
        switch (end) {
        case TRIAL_ENDED:
                guard_stop(record.name);
                log_info("%s: MTU put back to %u, was %u", record.name, record.before, record.tried);
                return EXIT_CODE_DONE;
        case TRIAL_NONE:
                return EXIT_CODE_DONE;
        case TRIAL_FOREIGN:
                guard_stop(record.name);
                log_foreign(socket, ifindex, &record);
                return EXIT_CODE_DONE;
        case TRIAL_REFUSED:
                break;
        }
        if (!record.name[0])
                return log_unreadable(ifindex, error);
        log_error("%s: the MTU could not be put back to %u: %s", record.name, record.before,
                  error == -EPERM ? "this needs the capability CAP_NET_ADMIN; run it as root"
                                  : device_change_reason(socket, error));
        return EXIT_CODE_FAILURE;
}

/* The trials that are waiting. */
struct waiting {
        const char *name; /* for count_named() */
        unsigned ifindex; /* the last one found */
        unsigned count;
        char names[256]; /* as far as they fit, each behind a space */
};

static void count(void *userdata, unsigned ifindex) {
        struct waiting *waiting = userdata;
        struct trial_record record;
        size_t used = strlen(waiting->names);

        int r = trial_record_read(ifindex, &record);

        if (r == -ENOENT)
                return;
        waiting->ifindex = ifindex;
        waiting->count++;
        snprintf(waiting->names + used, sizeof(waiting->names) - used, " %s", r == 0 ? record.name : "?");
}

static void count_named(void *userdata, unsigned ifindex) {
        struct waiting *waiting = userdata;
        struct trial_record record;

        if (trial_record_read(ifindex, &record) == 0 && strcmp(record.name, waiting->name) == 0)
                count(waiting, ifindex);
}

/* The trial of the device with this name of now or, where it has been renamed or is gone, of the trial's
 * own. */
static void find_by_name(struct link_socket *socket, const char *name, struct waiting *waiting) {
        struct link link;

        *waiting = (struct waiting){ .name = name };
        if (link_get_by_name(socket, name, &link) == 0)
                count(waiting, link.ifindex);
        if (waiting->count == 0)
                trial_record_each(count_named, waiting);
}

/* The device of IFACE, or of the one trial that is waiting. Returns an exit code. */
static int choose(struct link_socket *socket, const struct command_line *line, unsigned *ret_ifindex) {
        struct waiting waiting = { .name = NULL };
        char shown[TEXT_QUOTE_SIZE], unescaped[INTERFACE_NAME_SIZE];
        const char *word = line->n_words > 0 ? line->words[0] : NULL;

        if (word)
                find_by_name(socket, word, &waiting);
        else
                trial_record_each(count, &waiting);
        /* As in a unit's name: that is how the guard says it. */
        if (word && waiting.count == 0 && unit_name_unescape(word, unescaped, sizeof(unescaped)))
                find_by_name(socket, unescaped, &waiting);
        if (waiting.count == 1) {
                *ret_ifindex = waiting.ifindex;
                return EXIT_CODE_DONE;
        }
        if (waiting.count > 1)
                log_error("%u trials are waiting:%s; name the device", waiting.count, waiting.names);
        else if (word)
                log_error("%s: no trial of it is waiting", text_show(shown, word));
        else
                log_error("no trial is waiting");
        return waiting.count > 1 ? EXIT_CODE_USAGE : EXIT_CODE_FAILURE;
}

static int end(const struct command_line *line,
               int (*end_one)(struct link_socket *socket, unsigned ifindex)) {
        CLEANUP(link_socket_cleanup) struct link_socket *socket = NULL;
        unsigned ifindex = 0;
        int r = link_socket_open(&socket), exit_code;

        if (r < 0) {
                log_error("cannot talk to the kernel over rtnetlink: %s", strerror(-r));
                return EXIT_CODE_FAILURE;
        }
        exit_code = choose(socket, line, &ifindex);
        return exit_code == EXIT_CODE_DONE ? end_one(socket, ifindex) : exit_code;
}

static int run_confirm(const struct command_line *line) {
        return end(line, trial_end_confirm);
}

static int run_revert(const struct command_line *line) {
        return end(line, trial_end_revert);
}

const struct command command_confirm = {
        .name = "confirm",
        .arguments = "[IFACE]",
        .summary = "keep what setmtu try has set, and write it down",
        .text = "Ends a trial and keeps its MTU, as setmtu set would have set it. The device may be left "
                "out\n"
                "where one trial alone is waiting.",
        .changes = true,
        .words_max = 1,
        .run = run_confirm,
};

const struct command command_revert = {
        .name = "revert",
        .arguments = "[IFACE]",
        .summary = "put back the MTU from before setmtu try",
        .text = "Ends a trial at once. The device may be left out where one trial alone is waiting.",
        .changes = true,
        .words_max = 1,
        .run = run_revert,
};
