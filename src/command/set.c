/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* setmtu set: first the device, then the file, then systemd, so that an MTU that cannot be set is never
 * written. */

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/exit_code.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "base/text.h"
#include "change/carry_out.h"
#include "change/change_log.h"
#include "change/trial.h"
#include "command/activate_units.h"
#include "command/line_edit.h"
#include "command/path_check.h"
#include "command/rival_output.h"
#include "command/set_args.h"
#include "kernel/capability.h"
#include "plan/stack.h"
#include "store/change_lock.h"

/* If the command dies while probing, the change is undone after this time; longer than any probing. */
#define PROBE_TIMEOUT_S 60

enum { OPTION_RUNTIME, OPTION_NO_APPLY, OPTION_PROBE };

static bool put_back(void *userdata, struct netlink_socket *socket, const struct link *link) {
        const struct mtu_change *change = userdata;
        const char *name = change->link.name;
        struct mtu_undone undone = { .mtu = change->before };
        int r = mtu_change_undo(socket, link->ifindex, change->before, change->link.mtu,
                                change->has_former ? &change->former : NULL, &undone);

        if (r == 0 && !change_log_undone(name, &undone, change->before))
                return false;
        if (r == 0)
                log_info("%s: MTU put back to %u", name, change->before);
        else
                log_error("%s: the MTU could not be put back to %u: %s", name, change->before,
                          r == -ESTALE ? "another program has changed it" : change_reason(socket, r));
        return r == 0;
}

static void undo_change(struct snapshot *snapshot, struct mtu_change *change) {
        if (change->had_kept)
                (void)kept_mtu_write(&change->link, &change->kept);
        if (change->result == MTU_CHANGE_DONE || change->result == MTU_CHANGE_ROUNDED)
                (void)change_put_back_fresh(snapshot, &change->link, change->before,
                                            &(struct put_back){ put_back, change });
}

/* Sets the device. `ret` tells how to undo the change. Returns an exit code. */
static int set_device(struct snapshot *snapshot, const struct set_args *args, struct mtu_change *ret) {
        struct step_target target = { .line = &args->line };
        int r = snapshot_look(snapshot);

        target.link = r == 0 ? link_table_by_ifindex(&snapshot->links, args->link->ifindex) : NULL;
        if (!target.link) {
                change_log_unreadable(snapshot->socket, args->line.name, r < 0 ? r : -ENODEV);
                return EXIT_CODE_FAILURE;
        }
        if (change_apply(snapshot, &target, 1, ret))
                return EXIT_CODE_DONE;
        /* The MTU may be set, but rounded or without the link up: not what was asked for. */
        undo_change(snapshot, ret);
        return EXIT_CODE_FAILURE;
}

static enum trial_phase end_of_trial(const struct set_args *args, uint32_t mtu) {
        struct trial_record record;

        if (!args->is_runtime && trial_record_read(args->link->ifindex, &record) == 0 && record.tried == mtu)
                return TRIAL_CONFIRMED;
        return TRIAL_SETTLED;
}

/* Warns that the line of an upper device exceeds what this device's new MTU allows. */
static void warn_of_line(const struct config_line *line, const char *own, uint32_t mtu) {
        const char *name = TEXT_SHOW(line->name);

        log_warning("%s: its line, %s, is for %u, and on %s it can have no more than %u from now on; for "
                    "both: setmtu set %s %u",
                    name, CONFIG_LINE_PLACE(line), line->spec.mtu, TEXT_SHOW(own), mtu, name, mtu);
}

/* Warns of lines of upper devices that the new MTU makes impossible. */
static void warn_of_uppers(const struct snapshot *snapshot, const struct set_args *args) {
        const struct link *own =
                        args->link ? link_table_by_ifindex(&snapshot->links, args->link->ifindex) : NULL;
        uint32_t mtu = device_status_of(args->link, &args->line).wanted;

        for (size_t i = 0; own && i < snapshot->links.n_links; i++) {
                const struct link *link = &snapshot->links.links[i];
                const struct config_line *line = snapshot->statuses.items[i].line;
                uint32_t room = stack_capacity(link, own, mtu);

                if (line && line->spec.mtu != MTU_MAX && line->spec.mtu > room &&
                    stack_limit(&snapshot->links, link) == own)
                        warn_of_line(line, args->line.name, room);
        }
        /* For absent devices, the name shows the lower device. */
        for (size_t i = 0; i < snapshot->plan.n_devices; i++) {
                const struct device_plan *device = &snapshot->plan.devices[i];

                if (device->lower && strcmp(device->lower->name, args->line.name) == 0 &&
                    device->line->spec.mtu != MTU_MAX && device->line->spec.mtu > mtu && mtu > 0 &&
                    !link_table_by_name(&snapshot->links, device->line->name))
                        warn_of_line(device->line, args->line.name, mtu);
        }
}

/* Sets the device and writes the line, both or neither, under the command lock. Returns an exit code. */
static int set(struct snapshot *snapshot, const struct set_args *args, struct line_edit *edit) {
        struct mtu_change change = { .result = MTU_CHANGE_EQUAL };
        bool has_device = args->link && !args->has_no_apply;
        int r, exit_code = EXIT_CODE_DONE;

        /* If a host was probed, the trial has already set the MTU and reported it. */
        log_hold_info(args->host);
        if (has_device)
                exit_code = set_device(snapshot, args, &change);
        log_hold_info(false);
        if (exit_code == EXIT_CODE_DONE && !args->is_runtime) {
                exit_code = line_edit_carry_out(edit);
                if (exit_code == EXIT_CODE_DONE)
                        warn_of_uppers(snapshot, args);
                else
                        undo_change(snapshot, &change);
        }
        if (exit_code != EXIT_CODE_DONE || !has_device)
                return exit_code;
        /* This command settles the MTU, which ends a trial of the device. */
        r = trial_end(args->link->ifindex, end_of_trial(args, change.link.mtu));
        if (r < 0)
                log_warning("%s: a trial that may be waiting could not be ended: %s", args->line.name,
                            strerror(-r));
        change_settle(&change);
        r = mtu_change_forget_gone(snapshot->socket);
        if (r < 0)
                log_warning("not all records of absent devices in /run/setmtu could be removed: %s",
                            strerror(-r));
        /* The device accepts the MTU; the switches on the path may not. */
        if (change.result == MTU_CHANGE_DONE && change.link.mtu > change.before && isatty(STDERR_FILENO))
                log_info("%s: setmtu probe HOST tests whether the path to HOST carries %u; set --probe HOST "
                         "keeps it only if so",
                         args->line.name, change.link.mtu);
        return EXIT_CODE_DONE;
}

/* Probes the path with the MTU on trial. The trial reverts by itself if this command dies; on success it
 * goes on, and set() settles it. `record` has its number. Returns an exit code. */
static int set_on_trial(struct snapshot *snapshot, const struct set_args *args,
                        struct trial_record *record) {
        const struct trial trial = { args->link->ifindex, &args->line, PROBE_TIMEOUT_S, -1, false };
        uint32_t wanted = device_status_of(args->link, &args->line).wanted;
        double deadline = clock_boottime_s() + PROBE_TIMEOUT_S;
        struct path_check check;
        struct link former;
        int exit_code;

        if (args->link->mtu != wanted && !capability_has_net_admin()) {
                change_log_no_permission(args->line.name);
                return EXIT_CODE_FAILURE;
        }
        interrupt_catch();
        exit_code = path_check_prepare(snapshot->socket, args, &check);
        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        if (args->link->mtu == wanted) {
                exit_code = path_check_run(snapshot->socket, &check, false, deadline);
                log_info("%s: MTU is %u already and stays so%s", args->line.name, wanted,
                         exit_code == EXIT_CODE_DONE ? "" : "; nothing was written");
                return exit_code;
        }
        if (!trial_begin(snapshot, &trial, record, &former))
                return EXIT_CODE_FAILURE;
        exit_code = path_check_run(snapshot->socket, &check, former.has_carrier, deadline);
        if (exit_code == EXIT_CODE_DONE)
                return exit_code;
        (void)trial_revert(snapshot->socket, record->ifindex, &record->id, false);
        return trial_is_undone(snapshot->socket, record) ? exit_code : EXIT_CODE_FAILURE;
}

static bool can_ask(void) {
        return isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
}

/* No device has the name: asks about a similar one. Returns an exit code. */
static int ask_name(struct set_args *args) {
        const char *name = TEXT_SHOW(args->word), *meant = TEXT_SHOW(args->meant);
        char answer[16] = "";

        fprintf(stderr, "There is no network device %s. Did you mean %s? [y] %s, [n] %s all the same ", name,
                meant, meant, name);
        (void)fgets(answer, sizeof(answer), stdin);
        args->is_certain = true;
        if (*answer == 'y' || *answer == 'Y')
                args->word = args->meant;
        else if (*answer == 'n' || *answer == 'N')
                args->meant[0] = '\0';
        else
                return log_fail(EXIT_CODE_ABSENT, "%s: there is no such network device; nothing was changed",
                                name);
        return EXIT_CODE_DONE;
}

/* An absent device may appear later, or its name may be misspelt. Returns an exit code. */
static int doubt(const struct set_args *args) {
        const char *name = TEXT_SHOW(args->line.name), *meant = TEXT_SHOW(args->meant);

        if (*args->meant && !args->is_certain && can_ask())
                return EXIT_CODE_ABSENT; /* set_execute() asks */
        if (args->host || args->is_runtime)
                return log_fail(EXIT_CODE_ABSENT, "%s: there is no such network device%s%s", name,
                                args->host ? ", so no host can be probed through it" : "",
                                TEXT_HINT(args->meant));
        if (*args->meant)
                log_warning("%s: there is no such network device, but there is %s; if you meant that: "
                            "setmtu unset %s, and set %s instead",
                            name, meant, name, meant);
        return EXIT_CODE_DONE;
}

/* Runs under the command lock; with a host to probe, only what follows the probing. Returns an exit code. */
static int execute(struct set_args *args) {
        CLEANUP(snapshot_cleanup) struct snapshot snapshot = { 0 };
        CLEANUP(line_edit_cleanup) struct line_edit edit = { 0 };
        CLEANUP(command_lock_release) struct command_lock lock = { 0 };
        struct trial_record trial = { .id = 0 };
        int exit_code;

        if (!args->has_no_apply)
                trial_revert_overdue();
        if ((!args->host && !command_lock_take(&lock)) || !snapshot_take(&snapshot))
                return EXIT_CODE_FAILURE;
        exit_code = set_args_resolve(args, &snapshot);
        if (exit_code == EXIT_CODE_DONE && !args->link)
                exit_code = doubt(args);
        /* A line that cannot be written is found before the device changes. */
        if (exit_code == EXIT_CODE_DONE && !args->is_runtime)
                exit_code = line_edit_prepare(&snapshot.plan.config, args->former, args->line.name,
                                              &args->line.spec, &edit);
        if (exit_code == EXIT_CODE_DONE && args->host)
                exit_code = set_on_trial(&snapshot, args, &trial);
        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        exit_code = !args->host || command_lock_take(&lock) ? set(&snapshot, args, &edit)
                                                            : EXIT_CODE_FAILURE;
        command_lock_release(&lock);
        /* The trial is still on if set() failed before settling it. */
        if (exit_code != EXIT_CODE_DONE && args->host)
                (void)trial_revert(snapshot.socket, args->link->ifindex, &trial.id, false);
        return exit_code;
}

int set_execute(struct set_args *args) {
        int exit_code = execute(args);

        /* Asked only for an absent device, and without the lock: no other command waits for the answer. */
        if (exit_code == EXIT_CODE_ABSENT && *args->meant && can_ask()) {
                exit_code = ask_name(args);
                if (exit_code == EXIT_CODE_DONE)
                        exit_code = execute(args);
        }
        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        if (!args->is_runtime && !args->has_no_apply) {
                if (!args->link)
                        log_info("%s: no such network device now; its MTU is set when it appears. setmtu "
                                 "lists the devices",
                                 args->line.name);
                if (!activate_units_of(args->line.name, true))
                        exit_code = EXIT_CODE_FAILURE;
        }
        rivals_warn(args->line.name, args->is_runtime ? &args->line.spec : NULL);
        return exit_code;
}

static int run(const struct command_line *line) {
        struct set_args args;
        int exit_code;

        if (line->options[OPTION_NO_APPLY] && line->options[OPTION_RUNTIME])
                return log_fail(EXIT_CODE_USAGE, "set: --runtime writes no line and --no-apply sets "
                                                 "nothing; together they do nothing");
        if (line->options[OPTION_NO_APPLY] && line->options[OPTION_PROBE])
                return log_fail(EXIT_CODE_USAGE,
                                "set: --no-apply changes no device, so --probe has nothing to test");
        exit_code = set_args_parse(line, &args);
        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        args.is_runtime = line->options[OPTION_RUNTIME];
        args.has_no_apply = line->options[OPTION_NO_APPLY];
        args.host = line->options[OPTION_PROBE];
        return set_execute(&args);
}

const struct command command_set = {
        .name = "set",
        .arguments = "IFACE MTU [up] [keep]",
        .summary = "set the MTU of a device, now and permanently",
        .text = "Sets the MTU, writes the line to " CONFIG_FILE
                " and reloads systemd. MTU is a number of bytes, or max; up also brings the link up; with"
                " keep, the MTU is put back when another program changes it. setmtu try does the same, "
                "and undoes it unless confirmed.",
        .examples = { "# setmtu set eth0 9000", "# setmtu set eth0 9000 --probe nas" },
        .options = { [OPTION_RUNTIME] = { "runtime", NULL, "set the MTU now, without writing the line" },
                     [OPTION_NO_APPLY] = { "no-apply", NULL, "only write the line" },
                     [OPTION_PROBE] = { "probe", "HOST",
                                        "undo the change if the path to HOST does not carry it" } },
        .changes = true,
        .words_min = 1,
        .words_max = 4,
        .run = run,
};
