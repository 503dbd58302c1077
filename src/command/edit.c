/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* setmtu set, setmtu unset: first the device, then the file, then systemd; so that what cannot be had is
 * never written down. */

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "change/trial.h"
#include "command/command.h"
#include "command/guard.h"
#include "command/line_edit.h"
#include "command/survey.h"
#include "command/uptake.h"
#include "command/wish.h"
#include "files/config_files.h"
#include "programs/device_change.h"
#include "programs/exit_code.h"
#include "programs/log.h"

enum { SET_RUNTIME, SET_NO_APPLY };
enum { UNSET_NO_APPLY };

/* The trial of a device is over where a command settles what it is to have. */
static void drop_trial(const char *name, unsigned ifindex) {
        int r = trial_drop(ifindex);

        if (r > 0)
                guard_stop(name);
        if (r < 0 && r != -EACCES)
                log_message(LOG_PRIORITY_WARNING, "%s: a trial that may be waiting could not be ended: %s",
                            name, strerror(-r));
}

/* The device's part of it. `ret_change` tells how to take it back. Returns an exit code. */
static int set_device(struct survey *survey, const struct wish *wish, struct mtu_change *ret_change) {
        struct link link;
        int r = link_get_by_ifindex(survey->socket, wish->link->ifindex, &link);

        if (r < 0) {
                log_message(LOG_PRIORITY_ERROR, "%s: the kernel does not tell of it any more: %s",
                            wish->line.name, device_change_reason(survey->socket, r));
                return EXIT_CODE_FAILURE;
        }
        if (!device_change_apply(survey->socket, &wish->line, &link, ret_change)) {
                /* Set, perhaps, and then not up, or rounded: not what was asked for. */
                if (ret_change->result == MTU_CHANGE_DONE || ret_change->result == MTU_CHANGE_ROUNDED)
                        (void)mtu_change_undo(survey->socket, link.ifindex, ret_change->before,
                                              ret_change->link.mtu,
                                              ret_change->has_former ? &ret_change->former : NULL);
                return EXIT_CODE_FAILURE;
        }
        drop_trial(wish->line.name, link.ifindex);
        return EXIT_CODE_DONE;
}

static void undo(struct survey *survey, const char *name, const struct mtu_change *change) {
        int r;

        if (change->result != MTU_CHANGE_DONE)
                return;
        r = mtu_change_undo(survey->socket, change->link.ifindex, change->before, change->link.mtu,
                            change->has_former ? &change->former : NULL);
        if (r == 0)
                log_message(LOG_PRIORITY_INFO, "%s: MTU put back to %u", name, change->before);
        else
                log_message(LOG_PRIORITY_ERROR, "%s: the MTU could not be put back to %u: %s", name,
                            change->before, device_change_reason(survey->socket, r));
}

static int set(struct survey *survey, const struct wish *wish, bool is_runtime, bool has_apply) {
        CLEANUP(line_edit_cleanup) struct line_edit edit = { 0 };
        struct mtu_change change = { .result = MTU_CHANGE_EQUAL };
        int exit_code = EXIT_CODE_DONE;

        if (!is_runtime)
                exit_code = line_edit_prepare_set(&survey->config, wish->line.name, &wish->line.request,
                                                  &edit);
        if (exit_code == EXIT_CODE_DONE && has_apply && wish->link)
                exit_code = set_device(survey, wish, &change);
        if (exit_code != EXIT_CODE_DONE || is_runtime)
                return exit_code;
        exit_code = line_edit_carry_out(&edit);
        if (exit_code != EXIT_CODE_DONE) {
                undo(survey, wish->line.name, &change);
                return exit_code;
        }
        line_edit_cleanup(&edit);
        if (!has_apply)
                return EXIT_CODE_DONE;
        if (!wish->link)
                log_message(LOG_PRIORITY_INFO,
                            "%s: there is no such network device now; its MTU is set when it appears",
                            wish->line.name);
        return uptake_device(wish->line.name, true) ? EXIT_CODE_DONE : EXIT_CODE_FAILURE;
}

static int run_set(const struct command_line *line) {
        CLEANUP(survey_cleanup) struct survey survey = { 0 };
        struct mistakes mistakes = { 0 };
        const struct diagnostic_sink sink = mistakes_sink(&mistakes);
        bool is_runtime = line->options[SET_RUNTIME], has_apply = !line->options[SET_NO_APPLY];
        struct wish wish;
        int exit_code;

        if (is_runtime && !has_apply) {
                log_message(LOG_PRIORITY_ERROR, "set: --runtime writes nothing down and --no-apply sets "
                                                "nothing; together they do "
                                                "nothing");
                return EXIT_CODE_USAGE;
        }
        exit_code = wish_parse(line, &wish);
        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        if (!survey_make(&sink, &survey))
                return EXIT_CODE_FAILURE;
        exit_code = wish_resolve(&wish, &survey);
        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        if (is_runtime && !wish.link) {
                log_message(LOG_PRIORITY_ERROR, "%s: there is no such network device", wish.line.name);
                return EXIT_CODE_ABSENT;
        }
        return set(&survey, &wish, is_runtime, has_apply);
}

/* Puts back what is still to be put back: the unit, where it was active, has done so by now. */
static int restore_device(struct survey *survey, const char *name, unsigned ifindex) {
        struct link link;

        if (link_get_by_ifindex(survey->socket, ifindex, &link) < 0)
                return EXIT_CODE_DONE; /* gone, and its MTU with it */
        drop_trial(name, ifindex);
        return device_change_restore(survey->socket, name, &link) ? EXIT_CODE_DONE : EXIT_CODE_FAILURE;
}

static int unset(struct survey *survey, const char *name, const struct link *link, bool has_apply) {
        CLEANUP(line_edit_cleanup) struct line_edit edit = { 0 };
        struct original_mtu record;
        bool has_record = link && original_mtu_read(link->ifindex, &record) != -ENOENT;
        int exit_code = line_edit_prepare_unset(&survey->config, name, &edit);
        char shown[TEXT_QUOTE_SIZE];
        bool is_taken_up;

        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        if (edit.n_changed == 0 && (!has_record || !has_apply)) {
                log_message(LOG_PRIORITY_ERROR, "%s: " CONFIG_FILE " has no line for it",
                            text_show(shown, name));
                return EXIT_CODE_NO_LINE;
        }
        exit_code = line_edit_carry_out(&edit);
        if (exit_code != EXIT_CODE_DONE || !has_apply)
                return exit_code;
        line_edit_cleanup(&edit);
        is_taken_up = uptake_device(name, false);
        if (link)
                exit_code = restore_device(survey, name, link->ifindex);
        return is_taken_up ? exit_code : EXIT_CODE_FAILURE;
}

static int run_unset(const struct command_line *line) {
        CLEANUP(survey_cleanup) struct survey survey = { 0 };
        struct mistakes mistakes = { 0 };
        const struct diagnostic_sink sink = mistakes_sink(&mistakes);
        const char *name = line->words[0], *fault = interface_name_fault(name, strlen(name));
        const struct config_line *known;
        const struct link *link;
        char quoted[TEXT_QUOTE_SIZE];

        if (!survey_make(&sink, &survey))
                return EXIT_CODE_FAILURE;
        link = link_table_by_name(&survey.links, name);
        if (!link && fault) {
                log_message(LOG_PRIORITY_ERROR, "%s %s", text_quote(quoted, name, strlen(name)), fault);
                return EXIT_CODE_USAGE;
        }
        known = survey_line(&survey, link, name);
        name = known ? known->name : link ? link->name : name;
        return unset(&survey, name, link, !line->options[UNSET_NO_APPLY]);
}

const struct command command_set = {
        .name = "set",
        .arguments = "IFACE MTU [up]",
        .summary = "give a device an MTU, now and from now on",
        .text = "Sets the MTU, writes the line to /etc/conf.d/setmtu and has systemd take it up. MTU is a "
                "number\n"
                "of bytes, or max; up brings the link up, too. setmtu try does the same with a way back.",
        .options = { [SET_RUNTIME] = { "runtime", NULL, "set it for now and write nothing down" },
                     [SET_NO_APPLY] = { "no-apply", NULL, "write it down and do nothing else" } },
        .words_min = 2,
        .words_max = 3,
        .run = run_set,
};

const struct command command_unset = {
        .name = "unset",
        .arguments = "IFACE",
        .summary = "remove a device's line and restore its MTU",
        .text = "Removes the line from /etc/conf.d/setmtu, has systemd take that up, and restores the MTU "
                "from\n"
                "before setmtu's first change, if nobody has changed it since.",
        .options = { [UNSET_NO_APPLY] = { "no-apply", NULL, "remove the line and do nothing else" } },
        .words_min = 1,
        .words_max = 1,
        .run = run_unset,
};
