/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* setmtu unset: first the file, then the device, then systemd. */

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/exit_code.h"
#include "base/log.h"
#include "base/text.h"
#include "change/carry_out.h"
#include "command/activate.h"
#include "command/change_log.h"
#include "command/command.h"
#include "command/line_edit.h"
#include "command/prepare.h"
#include "store/change_lock.h"
#include "store/config_files.h"

enum { OPTION_NO_APPLY };

/* Removes the line and restores the MTU, under the command lock. `link` is NULL for an absent device.
 * `ret_is_written`: no line is left. Returns an exit code. */
static int unset_and_restore(struct snapshot *snapshot, const struct config_line *known, const char *name,
                             const struct link *link, bool has_apply, bool *ret_is_written) {
        CLEANUP(line_edit_cleanup) struct line_edit edit = { 0 };
        CLEANUP(config_free) struct config config = { 0 };
        struct original_mtu record;
        bool is_changed = link &&
                          (original_mtu_read(link, &record) != -ENOENT || change_has_fallen(snapshot, link));
        const struct config_line *line = config_match(&snapshot->plan.config, name);
        int r, exit_code = line_edit_prepare(&snapshot->plan.config, known, name, NULL, &edit);
        char word[TEXT_SHELL_WORD_SIZE], pattern[TEXT_SHELL_WORD_SIZE];
        struct link own;

        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        if (edit.n_changed == 0 && line && line->is_pattern && strcmp(line->name, name) != 0)
                return log_fail(EXIT_CODE_NO_LINE,
                                "%s: it has no line of its own; %s in %s is for it: setmtu unset %s removes "
                                "that, setmtu set %s MTU overrides it",
                                name, line->name, CONFIG_LINE_PLACE(line),
                                text_shell_word(pattern, line->name), text_shell_word(word, name));
        if (edit.n_changed == 0 && (!is_changed || !has_apply)) {
                /* A setmtu unset that was killed may have left void records. */
                if (snapshot->has_void_falls)
                        snapshot_forget_void_falls(snapshot);
                return log_fail(EXIT_CODE_NO_LINE, "%s: " CONFIG_FILE " has no line for it", name);
        }
        exit_code = line_edit_write(&edit);
        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        /* Another file may have a line for the device, which the removed line had overridden. */
        if (config_files_read(&config, &diagnostic_silent) < 0)
                return log_fail(EXIT_CODE_FAILURE,
                                "%s: the MTU from before is not restored, which setmtu unset can try "
                                "again: " LOG_OUT_OF_MEMORY,
                                name);
        line = config_match(&config, name);
        if (line) {
                log_info("%s: the line in %s is in effect now; setmtu reload sets its MTU", name,
                         CONFIG_LINE_PLACE(line));
                return EXIT_CODE_DONE;
        }
        *ret_is_written = true;
        if (!has_apply || !link)
                return EXIT_CODE_DONE;
        own = *link;
        r = trial_end(own.ifindex);
        if (r < 0)
                log_warning("%s: a trial that may be waiting could not be ended: %s", name, strerror(-r));
        return change_restore_and_log(snapshot, name, &own) ? EXIT_CODE_DONE : EXIT_CODE_FAILURE;
}

static int run_unset(const struct command_line *line) {
        CLEANUP(snapshot_cleanup) struct snapshot snapshot = { 0 };
        CLEANUP(command_lock_release) struct command_lock lock = { 0 };
        bool has_apply = !line->options[OPTION_NO_APPLY], is_written = false;
        int exit_code;
        const char *word = line->words[0], *fault = interface_name_fault(word);
        const struct config_line *known;
        const struct link *link;
        char name[INTERFACE_NAME_SIZE];

        if (!change_log_lock(&lock) || !prepare_snapshot(&snapshot))
                return EXIT_CODE_FAILURE;
        link = link_table_by_name(&snapshot.links, word);
        if (!link && fault)
                return log_fail(EXIT_CODE_USAGE, "\"%.64s\" %s", word, fault);
        known = device_statuses_line(&snapshot.statuses, &snapshot.plan.config, link, word);
        strcpy(name, known && !known->is_pattern ? known->name : link ? link->name : word);
        exit_code = unset_and_restore(&snapshot, known, name, link, has_apply, &is_written);
        command_lock_release(&lock);
        /* The unit is stopped even if the MTU was not restored. */
        if (!has_apply || !is_written)
                return exit_code;
        return activate_units_of(name) ? exit_code : EXIT_CODE_FAILURE;
}

const struct command command_unset = {
        .name = "unset",
        .arguments = "IFACE",
        .summary = "remove a device's line and restore its MTU",
        .text = "Removes the line from " CONFIG_FILE
                ", stops the unit of the device, and restores the MTU from before setmtu's first change, "
                "unless another program has changed it since.",
        .examples = { "# setmtu unset eth0", "# setmtu unset eth0 --no-apply" },
        .options = { [OPTION_NO_APPLY] = { "no-apply", NULL, "only remove the line" } },
        .changes = true,
        .words_min = 1,
        .words_max = 1,
        .run = run_unset,
};
