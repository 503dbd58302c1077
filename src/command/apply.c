/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* setmtu apply: all configured devices in one go. */

#include <stdlib.h>

#include "base/cleanup.h"
#include "base/exit_code.h"
#include "base/log.h"
#include "change/carry_out.h"
#include "change/snapshot.h"
#include "command/change_log.h"
#include "command/command.h"
#include "command/prepare.h"
#include "store/change_lock.h"

/* Finds the named devices; `targets` has room for one per word. Logs what is wrong with the others. Returns
 * the exit code of the first of these. */
static int find_targets(struct snapshot *snapshot, const struct command_line *line,
                        struct step_target *targets, size_t *ret_n) {
        int exit_code = EXIT_CODE_DONE;

        for (int i = 0; i < line->n_words; i++) {
                const struct device_status *status = prepare_find(snapshot, line->words[i]);
                const char *shown = line->words[i];
                int code = EXIT_CODE_DONE;

                if (!status)
                        code = EXIT_CODE_ABSENT;
                else if (!status->line)
                        code = log_fail(snapshot->mistakes.n_errors > 0 ? EXIT_CODE_CONFIGURATION
                                                                        : EXIT_CODE_NO_LINE,
                                        "%s: the configuration has no valid line for it; setmtu set %s MTU "
                                        "makes one",
                                        shown, shown);
                else if (!status->link)
                        code = prepare_no_device(shown, "", NULL);
                else
                        targets[(*ret_n)++] =
                                        (struct step_target){ .link = status->link, .line = status->line };
                if (exit_code == EXIT_CODE_DONE)
                        exit_code = code;
        }
        return exit_code;
}

static int run_apply(const struct command_line *line) {
        CLEANUP(snapshot_cleanup) struct snapshot snapshot = { 0 };
        CLEANUP(change_free) struct change change = { 0 };
        CLEANUP(command_lock_release) struct command_lock lock = { 0 };
        CLEANUP(cleanup_free) struct step_target *targets = NULL;
        size_t n_targets = 0;
        int exit_code;

        if (!change_log_lock(&lock) || !prepare_snapshot(&snapshot))
                return EXIT_CODE_FAILURE;
        exit_code = snapshot.mistakes.n_errors > 0 ? EXIT_CODE_CONFIGURATION : EXIT_CODE_DONE;
        if (line->n_words > 0)
                targets = calloc((size_t)line->n_words, sizeof(*targets));
        if (targets)
                exit_code = find_targets(&snapshot, line, targets, &n_targets);
        if ((line->n_words > 0 && !targets) ||
            change_set_targets(&snapshot, targets, n_targets, &change) < 0)
                return log_fail(EXIT_CODE_FAILURE, LOG_OUT_OF_MEMORY);
        if (!change_log(snapshot.socket, "", 0, &change) && exit_code == EXIT_CODE_DONE)
                exit_code = EXIT_CODE_FAILURE;
        return exit_code;
}

const struct command command_apply = {
        .name = "apply",
        .arguments = "[IFACE...]",
        .summary = "set the configured MTU of all devices, or of some",
        .text = "Sets the configured MTU of all devices, or of those given: a device is raised before the "
                "devices on top of it, and lowered after them. A failure does not stop the others.",
        .examples = { "# setmtu apply", "# setmtu apply eth0" },
        .changes = true,
        .words_max = -1,
        .run = run_apply,
};
