/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* setmtu confirm, setmtu revert: the two ends of a trial. */

#include "command/confirm.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/exit_code.h"
#include "base/log.h"
#include "base/text.h"
#include "base/unit_name.h"
#include "change/change_log.h"
#include "change/command_lock.h"
#include "command/activate_units.h"
#include "command/command.h"
#include "command/line_edit.h"
#include "store/config_files.h"

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
                exit_code = line_edit_prepare(&config, record->name, &record->spec, &edit);
        config_free(&config);
        return exit_code == EXIT_CODE_DONE ? line_edit_carry_out(&edit) : exit_code;
}

/* Returns an exit code. */
static int end_trial(unsigned ifindex, const struct trial_record *record) {
        int r = trial_drop(ifindex);

        if (r >= 0)
                return EXIT_CODE_DONE;
        log_error("%s: the record of its trial in /run/setmtu cannot be removed: %s; its MTU goes back in "
                  "time "
                  "unless that is mended, and setmtu reload sets it again",
                  record->name, strerror(-r));
        return EXIT_CODE_FAILURE;
}

/* What is done while no other command can end the trial. Returns an exit code. */
static int confirm(struct netlink_socket *socket, unsigned ifindex, struct trial_record *record) {
        int exit_code, r = trial_record_read(ifindex, record);
        struct link link;

        if (r == -ENOENT) {
                log_error("no trial of this device is waiting any more");
                return EXIT_CODE_FAILURE;
        }
        if (r < 0)
                return trial_log_unreadable(ifindex, r);
        r = link_get_by_ifindex(socket, ifindex, &link);
        if (r < 0 && r != -ENODEV) {
                change_log_unreadable(socket, record->name, r);
                return EXIT_CODE_FAILURE;
        }
        if (r < 0 || link.mtu != record->tried) {
                trial_log_changed(socket, ifindex, record);
                (void)end_trial(ifindex, record);
                return EXIT_CODE_FAILURE;
        }
        exit_code = write_down(record);
        if (exit_code == EXIT_CODE_DONE)
                return end_trial(ifindex, record);
        log_error("%s: not confirmed: it could not be written down; the trial goes on", record->name);
        return exit_code;
}

int confirm_trial(struct netlink_socket *socket, unsigned ifindex) {
        CLEANUP(command_lock_release) struct command_lock lock = { 0 };
        struct trial_record record = { 0 };
        int exit_code;

        if (!command_lock_take(&lock))
                return EXIT_CODE_FAILURE;
        exit_code = confirm(socket, ifindex, &record);
        command_lock_release(&lock);
        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        log_info("%s: MTU %u confirmed", record.name, record.tried);
        return activate_units_of(record.name, true) ? EXIT_CODE_DONE : EXIT_CODE_FAILURE;
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
static void find_by_name(struct netlink_socket *socket, const char *name, struct waiting *waiting) {
        struct link link;

        *waiting = (struct waiting){ .name = name };
        if (link_get_by_name(socket, name, &link) == 0)
                count(waiting, link.ifindex);
        if (waiting->count == 0)
                trial_record_each(count_named, waiting);
}

/* The device of IFACE, or of the one trial that is waiting. Returns an exit code. */
static int choose(struct netlink_socket *socket, const struct command_line *line, unsigned *ret_ifindex) {
        struct waiting waiting = { .name = NULL };
        char shown[TEXT_QUOTE_SIZE], unescaped[INTERFACE_NAME_SIZE];
        const char *word = line->n_words > 0 ? line->words[0] : NULL;

        if (word)
                find_by_name(socket, word, &waiting);
        else
                trial_record_each(count, &waiting);
        /* As in a unit's name: that is how revert_timer.h calls it. */
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
               int (*end_one)(struct netlink_socket *socket, unsigned ifindex)) {
        CLEANUP(netlink_socket_cleanup) struct netlink_socket *socket = NULL;
        unsigned ifindex = 0;
        int r = netlink_socket_open(&socket), exit_code;

        if (r < 0) {
                log_error("cannot talk to the kernel over rtnetlink: %s", strerror(-r));
                return EXIT_CODE_FAILURE;
        }
        exit_code = choose(socket, line, &ifindex);
        return exit_code == EXIT_CODE_DONE ? end_one(socket, ifindex) : exit_code;
}

static int run_confirm(const struct command_line *line) {
        return end(line, confirm_trial);
}

static int run_revert(const struct command_line *line) {
        return end(line, trial_revert);
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
