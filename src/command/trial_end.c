/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* setmtu confirm, setmtu revert. */

#include "command/trial_end.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "base/unit_name.h"
#include "command/command.h"
#include "command/guard.h"
#include "command/line_edit.h"
#include "command/survey.h"
#include "command/uptake.h"
#include "files/config_files.h"
#include "programs/device_change.h"
#include "programs/exit_code.h"
#include "programs/log.h"

/* The trial's own line as setmtu set would write it. `userdata`: where to put the exit code. */
static bool write_down(void *userdata, const struct trial_record *record) {
        CLEANUP(line_edit_cleanup) struct line_edit edit = { 0 };
        struct mistakes mistakes = { 0 };
        const struct diagnostic_sink sink = mistakes_sink(&mistakes);
        struct config config;
        int *exit_code = userdata;

        config_init(&config);
        *exit_code = EXIT_CODE_FAILURE;
        if (config_files_read(&config, &sink) < 0)
                log_message(LOG_PRIORITY_ERROR, "out of memory");
        else
                *exit_code = line_edit_prepare_set(&config, record->name, &record->request, &edit);
        config_free(&config);
        if (*exit_code == EXIT_CODE_DONE)
                *exit_code = line_edit_carry_out(&edit);
        return *exit_code == EXIT_CODE_DONE;
}

static int log_unreadable(unsigned ifindex, int error) {
        log_message(LOG_PRIORITY_ERROR, "the record of the trial of device %u in /run/setmtu: %s", ifindex,
                    strerror(-error));
        return EXIT_CODE_FAILURE;
}

/* Somebody else has been at it. */
static void log_foreign(struct link_socket *socket, unsigned ifindex, const struct trial_record *record) {
        struct link link;

        if (link_get_by_ifindex(socket, ifindex, &link) < 0)
                log_message(LOG_PRIORITY_ERROR, "%s: the device is gone, and its trial with it",
                            record->name);
        else
                log_message(LOG_PRIORITY_ERROR,
                            "%s: MTU is %u, no longer the %u that was tried: somebody else's now, left "
                            "alone",
                            record->name, link.mtu, record->tried);
}

int trial_end_confirm(struct link_socket *socket, unsigned ifindex) {
        struct trial_record record = { 0 };
        int error, exit_code = EXIT_CODE_DONE;

        switch (trial_confirm(socket, ifindex, write_down, &exit_code, &record, &error)) {
        case TRIAL_ENDED:
                break;
        case TRIAL_NONE:
                log_message(LOG_PRIORITY_ERROR, "no trial of this device is waiting any more");
                return EXIT_CODE_FAILURE;
        case TRIAL_FOREIGN:
                guard_stop(record.name);
                log_foreign(socket, ifindex, &record);
                return EXIT_CODE_FAILURE;
        case TRIAL_REFUSED:
                if (error < 0)
                        return log_unreadable(ifindex, error);
                log_message(LOG_PRIORITY_ERROR,
                            "%s: not confirmed: it could not be written down; the trial goes on",
                            record.name);
                return exit_code;
        }
        guard_stop(record.name);
        log_message(LOG_PRIORITY_INFO, "%s: MTU %u confirmed", record.name, record.tried);
        return uptake_device(record.name, true) ? EXIT_CODE_DONE : EXIT_CODE_FAILURE;
}

int trial_end_revert(struct link_socket *socket, unsigned ifindex) {
        struct trial_record record = { 0 };
        int error;

        switch (trial_revert(socket, ifindex, &record, &error)) {
        case TRIAL_ENDED:
                guard_stop(record.name);
                log_message(LOG_PRIORITY_INFO, "%s: MTU put back to %u, was %u", record.name, record.before,
                            record.tried);
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
        log_message(LOG_PRIORITY_ERROR, "%s: the MTU could not be put back to %u: %s", record.name,
                    record.before,
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

        if (trial_record_read(ifindex, &record) < 0)
                return;
        waiting->ifindex = ifindex;
        waiting->count++;
        snprintf(waiting->names + used, sizeof(waiting->names) - used, " %s", record.name);
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
        if (!interface_name_fault(name, strlen(name)) && link_get_by_name(socket, name, &link) == 0)
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
                log_message(LOG_PRIORITY_ERROR, "%u trials are waiting:%s; name the device", waiting.count,
                            waiting.names);
        else if (word)
                log_message(LOG_PRIORITY_ERROR, "%s: no trial of it is waiting", text_show(shown, word));
        else
                log_message(LOG_PRIORITY_ERROR, "no trial is waiting");
        return waiting.count > 1 ? EXIT_CODE_USAGE : EXIT_CODE_FAILURE;
}

static int end(const struct command_line *line,
               int (*end_one)(struct link_socket *socket, unsigned ifindex)) {
        CLEANUP(link_socket_cleanup) struct link_socket *socket = NULL;
        unsigned ifindex = 0;
        int r = link_socket_open(&socket), exit_code;

        if (r < 0) {
                log_message(LOG_PRIORITY_ERROR, "cannot talk to the kernel over rtnetlink: %s",
                            strerror(-r));
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
        .words_max = 1,
        .run = run_confirm,
};

const struct command command_revert = {
        .name = "revert",
        .arguments = "[IFACE]",
        .summary = "put back the MTU from before setmtu try",
        .text = "Ends a trial at once. The device may be left out where one trial alone is waiting.",
        .words_max = 1,
        .run = run_revert,
};
