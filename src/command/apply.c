/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* setmtu apply: all configured devices in one go. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/exit_code.h"
#include "base/log.h"
#include "base/text.h"
#include "change/command_lock.h"
#include "change/device_change.h"
#include "change/snapshot.h"
#include "change/uppers.h"
#include "command/command.h"
#include "command/steps_text.h"
#include "kernel/capability.h"
#include "plan/step.h"

enum { OPTION_DRY_RUN };

/* Looks up one word. Says what is wrong with it, and returns an exit code. */
static int name_device(const struct snapshot *snapshot, const char *word, const struct mistakes *mistakes,
                       const struct device_status **ret) {
        const struct device_status *status = snapshot_find(snapshot, word);
        char shown[TEXT_QUOTE_SIZE];

        text_show(shown, word);
        if (!status)
                return EXIT_CODE_ABSENT;
        if (!status->line) {
                log_error("%s: the configuration has no good line for it; setmtu set %s MTU makes one",
                          shown, shown);
                return mistakes->n_errors > 0 ? EXIT_CODE_CONFIGURATION : EXIT_CODE_NO_LINE;
        }
        if (!status->link) {
                log_error("%s: there is no such network device", shown);
                return EXIT_CODE_ABSENT;
        }
        *ret = status;
        return EXIT_CODE_DONE;
}

/* Takes the lines of all devices but those named out of the status. Returns the exit code of the first
 * word that names none. */
static int narrow(struct snapshot *snapshot, const struct command_line *line,
                  const struct mistakes *mistakes) {
        struct device_statuses *all = &snapshot->statuses;
        CLEANUP(cleanup_free) bool *is_named = calloc(all->n_items + 1, sizeof(*is_named));
        int exit_code = EXIT_CODE_DONE;

        if (!is_named) {
                log_out_of_memory();
                exit_code = EXIT_CODE_FAILURE;
        }
        for (int i = 0; is_named && i < line->n_words; i++) {
                const struct device_status *status = NULL;
                int code = name_device(snapshot, line->words[i], mistakes, &status);

                if (status)
                        is_named[status - all->items] = true;
                if (exit_code == EXIT_CODE_DONE)
                        exit_code = code;
        }
        for (size_t i = 0; i < all->n_items; i++)
                if (!is_named || !is_named[i])
                        all->items[i].line = NULL;
        return exit_code;
}

/* The first request that root alone may make, or NULL. */
static const struct mtu_request *needs_privilege(const struct mtu_requests *requests) {
        for (size_t i = 0; i < requests->n_items; i++)
                if (requests->items[i].action == MTU_REQUEST_SET || requests->items[i].set_up)
                        return &requests->items[i];
        return NULL;
}

static bool carry_out(struct link_socket *socket, const struct mtu_request *spec) {
        const struct config_line *line = spec->status->line;
        char place[CONFIG_LINE_PLACE_SIZE];
        struct link link;
        int r;

        if (spec->action == MTU_REQUEST_ABSENT) {
                log_info("%s: there is no such network device now; %s", line->name,
                         config_line_place(place, line));
                return true;
        }
        /* The requests before this one may have changed it. */
        r = link_get_by_ifindex(socket, spec->status->link->ifindex, &link);
        if (r < 0) {
                log_error("%s: the kernel does not tell of it any more: %s; %s", line->name,
                          device_change_reason(socket, r), config_line_place(place, line));
                return false;
        }
        return device_change_apply(socket, line, &link, NULL);
}

static bool carry_out_all(const struct snapshot *snapshot, const struct mtu_requests *requests) {
        const struct mtu_request *privileged = needs_privilege(requests);
        CLEANUP(cleanup_free) unsigned *ifindexes = calloc(requests->n_items + 1, sizeof(*ifindexes));
        struct uppers uppers;
        bool is_done = true;
        size_t n = 0;

        if (privileged && !capability_has_net_admin()) {
                log_error("%s: setting an MTU needs the capability CAP_NET_ADMIN; run this as root",
                          privileged->status->line->name);
                return false;
        }
        if (!ifindexes) {
                log_out_of_memory();
                return false;
        }
        uppers_watch_all(snapshot->socket, &snapshot->plan, &uppers);
        for (size_t i = 0; i < requests->n_items; i++) {
                is_done &= carry_out(snapshot->socket, &requests->items[i]);
                if (requests->items[i].status->link)
                        ifindexes[n++] = requests->items[i].status->link->ifindex;
        }
        uppers_settle(&uppers, ifindexes, n);
        return is_done;
}

static int run(const struct command_line *line) {
        CLEANUP(snapshot_cleanup) struct snapshot snapshot = { 0 };
        struct mistakes mistakes = { 0 };
        const struct diagnostic_sink sink = mistakes_sink(&mistakes);
        struct mtu_requests requests;
        CLEANUP(command_lock_release) struct command_lock lock = { 0 };
        int exit_code;

        if ((!line->options[OPTION_DRY_RUN] && !command_lock_take(&lock)) ||
            !snapshot_take(&sink, &snapshot))
                return EXIT_CODE_FAILURE;
        if (line->n_words > 0)
                exit_code = narrow(&snapshot, line, &mistakes);
        else
                exit_code = mistakes.n_errors > 0 ? EXIT_CODE_CONFIGURATION : EXIT_CODE_DONE;
        if (mtu_requests_make(&snapshot.statuses, &snapshot.links, &requests) < 0) {
                log_out_of_memory();
                return EXIT_CODE_FAILURE;
        }
        if (!(line->options[OPTION_DRY_RUN] ? requests_print(&requests)
                                            : carry_out_all(&snapshot, &requests)) &&
            exit_code == EXIT_CODE_DONE)
                exit_code = EXIT_CODE_FAILURE;
        mtu_requests_free(&requests);
        return exit_code;
}

const struct command command_apply = {
        .name = "apply",
        .arguments = "[IFACE...]",
        .summary = "set the MTU of all configured devices, or of those named",
        .text = "Sets what the configuration wants, over one socket: a device before those that stand on "
                "it\n"
                "where it is raised, after them where it is lowered. A failure does not stop the rest.",
        .options = { [OPTION_DRY_RUN] = { "dry-run", NULL, "print the requests and send none" } },
        .changes = true,
        .words_max = -1,
        .run = run,
};
