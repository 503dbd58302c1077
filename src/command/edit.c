/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* setmtu set, setmtu unset: first the device, then the file, then systemd; so that what cannot be had is
 * never written down. */

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/exit_code.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "base/text.h"
#include "change/command_lock.h"
#include "change/device_change.h"
#include "change/revert_timer.h"
#include "change/snapshot.h"
#include "change/stacked_change.h"
#include "change/trial.h"
#include "change/trial_begin.h"
#include "change/trial_end.h"
#include "change/uppers.h"
#include "command/activate_units.h"
#include "command/command.h"
#include "command/line_edit.h"
#include "command/path_check.h"
#include "command/set_args.h"
#include "kernel/capability.h"
#include "store/config_files.h"

/* What undoes a change whose probing goes wrong together with the command; longer than any probing. */
#define PROBE_GUARD_S 60

enum { SET_RUNTIME, SET_NO_APPLY, SET_PROBE };
enum { UNSET_NO_APPLY };

/* The trial of a device is over where a command has settled what it is to have. */
static void drop_trial(const char *name, unsigned ifindex) {
        struct trial_record record;
        bool is_known = trial_record_read(ifindex, &record) == 0;
        int r = trial_drop(ifindex);

        /* The device may have been renamed since. */
        if (r > 0 && is_known)
                guard_stop(record.name);
        else if (r < 0)
                log_warning("%s: a trial that may be waiting could not be ended: %s", name, strerror(-r));
}

/* Takes a change of the device back, if there was one. */
static void undo(struct snapshot *snapshot, const char *name, const struct mtu_change *change) {
        struct uppers uppers;
        int r;

        if (change->result != MTU_CHANGE_DONE && change->result != MTU_CHANGE_ROUNDED)
                return;
        uppers_watch(snapshot->socket, &snapshot->plan, &change->link, change->before, &uppers);
        r = mtu_change_undo(snapshot->socket, change->link.ifindex, change->before, change->link.mtu,
                            change->has_former ? &change->former : NULL);
        if (r == 0)
                log_info("%s: MTU put back to %u", name, change->before);
        else
                log_error("%s: the MTU could not be put back to %u: %s", name, change->before,
                          r == -ESTALE ? "somebody else has changed it"
                                       : device_change_reason(snapshot->socket, r));
        uppers_settle(&uppers, &change->link.ifindex, 1);
}

/* The device's part of it. `ret_change` tells how to take it back. Returns an exit code. */
static int set_device(struct snapshot *snapshot, const struct set_args *args,
                      struct mtu_change *ret_change) {
        struct link link;
        int r = link_get_by_ifindex(snapshot->socket, args->link->ifindex, &link);

        if (r < 0) {
                log_error("%s: the kernel does not tell of it any more: %s", args->line.name,
                          device_change_reason(snapshot->socket, r));
                return EXIT_CODE_FAILURE;
        }
        if (stacked_change_apply(snapshot->socket, &snapshot->plan, &args->line, &link, ret_change))
                return EXIT_CODE_DONE;
        /* Set, perhaps, and then not up, or rounded: not what was asked for. */
        undo(snapshot, args->line.name, ret_change);
        return EXIT_CODE_FAILURE;
}

/* The device takes it; whether the switches do is another question, which a person may not think of. */
static void offer_probe(const char *name, const struct mtu_change *change) {
        if (change->result == MTU_CHANGE_DONE && change->link.mtu > change->before && isatty(STDERR_FILENO))
                log_info("%s: setmtu probe HOST tells whether the path carries that; with set --probe "
                         "HOST it is put back where not",
                         name);
}

/* What is done as a whole or not at all. Returns an exit code. */
static int set(struct snapshot *snapshot, const struct set_args *args, const struct command_line *line) {
        CLEANUP(line_edit_cleanup) struct line_edit edit = { 0 };
        struct mtu_change change = { .result = MTU_CHANGE_EQUAL };
        bool is_runtime = line->options[SET_RUNTIME];
        bool has_device = args->link && !line->options[SET_NO_APPLY];
        int exit_code = EXIT_CODE_DONE;

        if (!is_runtime)
                exit_code = line_edit_prepare_set(&snapshot->plan.config, args->line.name, &args->line.spec,
                                                  &edit);
        /* What has been probed has been set, and that has been said. */
        log_hold_info(line->options[SET_PROBE]);
        if (exit_code == EXIT_CODE_DONE && has_device)
                exit_code = set_device(snapshot, args, &change);
        log_hold_info(false);
        if (exit_code == EXIT_CODE_DONE && !is_runtime) {
                exit_code = line_edit_carry_out(&edit);
                if (exit_code != EXIT_CODE_DONE)
                        undo(snapshot, args->line.name, &change);
        }
        if (exit_code == EXIT_CODE_DONE && has_device) {
                drop_trial(args->line.name, args->link->ifindex);
                offer_probe(args->line.name, &change);
        }
        return exit_code;
}

static int set_now(const struct command_line *line) {
        CLEANUP(snapshot_cleanup) struct snapshot snapshot = { 0 };
        CLEANUP(command_lock_release) struct command_lock lock = { 0 };
        struct mistakes mistakes = { 0 };
        const struct diagnostic_sink sink = mistakes_sink(&mistakes);
        bool is_runtime = line->options[SET_RUNTIME], has_apply = !line->options[SET_NO_APPLY];
        struct set_args args;
        int exit_code = set_args_parse(line, &args);

        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        if (!command_lock_take(&lock) || !snapshot_take(&sink, &snapshot))
                return EXIT_CODE_FAILURE;
        exit_code = set_args_resolve(&args, &snapshot);
        if (exit_code == EXIT_CODE_DONE && is_runtime && !args.link) {
                log_error("%s: there is no such network device", args.line.name);
                exit_code = EXIT_CODE_ABSENT;
        }
        if (exit_code == EXIT_CODE_DONE)
                exit_code = set(&snapshot, &args, line);
        command_lock_release(&lock);
        if (exit_code != EXIT_CODE_DONE || is_runtime || !has_apply)
                return exit_code;
        if (!args.link)
                log_info("%s: there is no such network device now; its MTU is set when it appears",
                         args.line.name);
        return activate_units_of(args.line.name, true) ? EXIT_CODE_DONE : EXIT_CODE_FAILURE;
}

/* Whether the path carries it: as a trial, which the guard undoes should this command not come to it. Where
 * it does, the trial goes on, for set_now() to settle. Returns an exit code. */
static int set_on_trial(struct snapshot *snapshot, const struct set_args *args, const char *host) {
        struct trial_record record = { .spec = args->line.spec,
                                       .tried = device_status_of(args->link, &args->line).wanted };
        double deadline = clock_boottime_s() + PROBE_GUARD_S;
        struct path_check check;
        struct link former;
        int exit_code = path_check_prepare(snapshot->socket, args, host, &check);

        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        if (args->link->mtu == record.tried)
                return path_check_run(snapshot->socket, &check, false, deadline);
        if (!trial_begin(snapshot->socket, args->link->ifindex, &args->line, PROBE_GUARD_S, &record,
                         &former))
                return EXIT_CODE_FAILURE;
        exit_code = path_check_run(snapshot->socket, &check, former.has_carrier, deadline);
        if (exit_code != EXIT_CODE_DONE)
                (void)trial_end_revert(snapshot->socket, args->link->ifindex);
        return exit_code;
}

static int set_probed(const struct command_line *line, const char *host) {
        CLEANUP(snapshot_cleanup) struct snapshot snapshot = { 0 };
        CLEANUP(line_edit_cleanup) struct line_edit edit = { 0 };
        struct mistakes mistakes = { 0 };
        const struct diagnostic_sink sink = mistakes_sink(&mistakes);
        struct set_args args;
        int exit_code = set_args_parse(line, &args);

        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        if (!snapshot_take(&sink, &snapshot))
                return EXIT_CODE_FAILURE;
        exit_code = set_args_resolve(&args, &snapshot);
        if (exit_code == EXIT_CODE_DONE && !args.link) {
                log_error("%s: there is no such network device, and nothing can be probed by it",
                          args.line.name);
                return EXIT_CODE_ABSENT;
        }
        /* What cannot be written down is not worth a change. */
        if (exit_code == EXIT_CODE_DONE && !line->options[SET_RUNTIME])
                exit_code = line_edit_prepare_set(&snapshot.plan.config, args.line.name, &args.line.spec,
                                                  &edit);
        line_edit_cleanup(&edit);
        edit = (struct line_edit){ 0 };
        if (exit_code == EXIT_CODE_DONE &&
            args.link->mtu != device_status_of(args.link, &args.line).wanted &&
            !capability_has_net_admin()) {
                log_error("%s: setting an MTU needs the capability CAP_NET_ADMIN; run this as root",
                          args.line.name);
                return EXIT_CODE_FAILURE;
        }
        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        interrupt_catch();
        exit_code = set_on_trial(&snapshot, &args, host);
        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        exit_code = set_now(line);
        /* Still on trial where that has failed before it was settled. */
        if (exit_code != EXIT_CODE_DONE)
                (void)trial_end_revert(snapshot.socket, args.link->ifindex);
        return exit_code;
}

static int run_set(const struct command_line *line) {
        const char *host = line->options[SET_PROBE];

        if (line->options[SET_RUNTIME] && line->options[SET_NO_APPLY]) {
                log_error("set: --runtime writes nothing down and --no-apply sets "
                          "nothing; together they do "
                          "nothing");
                return EXIT_CODE_USAGE;
        }
        if (host && line->options[SET_NO_APPLY]) {
                log_error("set: --no-apply changes no device, so that --probe has nothing to probe");
                return EXIT_CODE_USAGE;
        }
        return host ? set_probed(line, host) : set_now(line);
}

/* What is done in one section. Returns an exit code; `ret_is_written`: the line is gone. */
static int unset(struct snapshot *snapshot, const char *name, const struct link *link, bool has_apply,
                 bool *ret_is_written) {
        CLEANUP(line_edit_cleanup) struct line_edit edit = { 0 };
        struct original_mtu record;
        int record_error = link ? original_mtu_read(link->ifindex, &record) : -ENOENT;
        int exit_code = line_edit_prepare_unset(&snapshot->plan.config, name, &edit);
        char shown[TEXT_QUOTE_SIZE];
        struct uppers uppers;
        struct link now;
        bool is_done;

        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        if (edit.n_changed == 0 && (record_error == -ENOENT || !has_apply)) {
                log_error("%s: " CONFIG_FILE " has no line for it", text_show(shown, name));
                return EXIT_CODE_NO_LINE;
        }
        exit_code = line_edit_carry_out(&edit);
        *ret_is_written = exit_code == EXIT_CODE_DONE;
        /* A device that is gone has taken its MTU with it. */
        if (exit_code != EXIT_CODE_DONE || !has_apply || !link ||
            link_get_by_ifindex(snapshot->socket, link->ifindex, &now) < 0)
                return exit_code;
        drop_trial(name, link->ifindex);
        uppers_watch(snapshot->socket, &snapshot->plan, &now, record_error == 0 ? record.original : now.mtu,
                     &uppers);
        is_done = device_change_restore(snapshot->socket, name, &now);
        uppers_settle(&uppers, &now.ifindex, 1);
        return is_done ? EXIT_CODE_DONE : EXIT_CODE_FAILURE;
}

static int run_unset(const struct command_line *line) {
        CLEANUP(snapshot_cleanup) struct snapshot snapshot = { 0 };
        CLEANUP(command_lock_release) struct command_lock lock = { 0 };
        bool has_apply = !line->options[UNSET_NO_APPLY], is_written = false;
        int exit_code;
        struct mistakes mistakes = { 0 };
        const struct diagnostic_sink sink = mistakes_sink(&mistakes);
        const char *name = line->words[0], *fault = interface_name_fault(name, strlen(name));
        const struct config_line *known;
        const struct link *link;
        char quoted[TEXT_QUOTE_SIZE];

        if (!command_lock_take(&lock) || !snapshot_take(&sink, &snapshot))
                return EXIT_CODE_FAILURE;
        link = link_table_by_name(&snapshot.links, name);
        if (!link && fault) {
                log_error("%s %s", text_quote(quoted, name, strlen(name)), fault);
                return EXIT_CODE_USAGE;
        }
        known = snapshot_line(&snapshot, link, name);
        name = known ? known->name : link ? link->name : name;
        exit_code = unset(&snapshot, name, link, has_apply, &is_written);
        command_lock_release(&lock);
        /* Where the MTU did not go back, the unit is to be stopped all the same. */
        if (!has_apply || !is_written)
                return exit_code;
        return activate_units_of(name, false) ? exit_code : EXIT_CODE_FAILURE;
}

const struct command command_set = {
        .name = "set",
        .arguments = "IFACE MTU [up]",
        .summary = "give a device an MTU, now and from now on",
        .text = "Sets the MTU, writes the line to /etc/conf.d/setmtu and has systemd take it up. MTU is a "
                "number\n"
                "of bytes, or max; up brings the link up, too. setmtu try does the same with a way back.",
        .options = { [SET_RUNTIME] = { "runtime", NULL, "set it for now and write nothing down" },
                     [SET_NO_APPLY] = { "no-apply", NULL, "write it down and do nothing else" },
                     [SET_PROBE] = { "probe", "HOST",
                                     "put it back where the path to HOST does not carry it" } },
        .changes = true,
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
        .changes = true,
        .words_min = 1,
        .words_max = 1,
        .run = run_unset,
};
