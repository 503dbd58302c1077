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
#include "change/trial_log.h"
#include "command/activate_units.h"
#include "command/facts_output.h"
#include "command/line_edit.h"
#include "command/path_check.h"
#include "command/prepare.h"
#include "command/set_args.h"
#include "kernel/capability.h"
#include "output/progress.h"
#include "plan/advice.h"
#include "plan/stack.h"
#include "store/change_lock.h"

/* If the command dies while probing, the change is undone after this time; longer than any probing. */
#define PROBE_TIMEOUT_S 60

/* The jumbo frames of NICs and switches are smaller. */
#define MTU_UNUSUAL 10240

/* Instead of an exit code: the user is to be asked first. */
#define ASK (-1)
#define DOUBT_SIZE 256

enum { OPTION_RUNTIME, OPTION_NO_APPLY, OPTION_PROBE };

/* A device that is being set. */
struct setting {
        struct snapshot *snapshot;
        const struct set_args *args;
        struct line_edit *edit;
        struct change change;
        struct mtu_change *own; /* the device's own; NULL: it is left as it is */
};

static void revert_change(const struct setting *setting) {
        const struct mtu_change *own = setting->own;

        if (own)
                mtu_change_keep(&own->link, &own->kept);
        if (own && mtu_change_has_changed(own))
                (void)change_revert_and_log(setting->snapshot, own);
}

/* Warns that the line of an upper device exceeds what this device's new MTU allows. */
static void warn_of_line(const struct config_line *line, const char *own, uint32_t mtu) {
        CLEANUP(pool_free) struct pool pool = { 0 };

        log_warning("%s: its line, %s, is for %u, and on %s it can have no more than %u from now on; for "
                    "both: %s",
                    line->name, CONFIG_LINE_PLACE(line), line->spec.mtu, own, mtu,
                    advice_set(&pool, line, line->name, mtu));
}

/* Warns that a port's MTU is its bond's. What that has now is from before the change, which may have raised
 * it to what its line says. */
static void warn_of_setter(const struct snapshot *snapshot, const struct link *own,
                           const struct set_args *args) {
        CLEANUP(pool_free) struct pool pool = { 0 };
        const struct link *setter = stack_setter(&snapshot->links, own);
        const struct device_status *above =
                        setter ? &snapshot->statuses.items[setter - snapshot->links.links] : NULL;
        uint32_t mtu = !above                               ? args->wanted
                       : device_status_has_good_line(above) ? above->wanted
                                                            : setter->mtu;

        if (mtu != args->wanted)
                log_warning("%s: it is a port of %s, which has %u and gives that to its ports; instead: %s",
                            args->line.name, setter->name, mtu,
                            advice_make(&pool, &snapshot->statuses, &snapshot->links, own, args->wanted));
}

/* Warns of lines of upper devices that the new MTU makes impossible. */
static void warn_of_uppers(const struct snapshot *snapshot, const struct link *own,
                           const struct set_args *args) {
        uint32_t mtu = args->wanted;

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

/* Writes the line of a device that has its MTU, and makes that final. Returns an exit code: on an error the
 * change is still to be reverted. */
static int write_and_settle(struct setting *setting) {
        const struct set_args *args = setting->args;
        const struct snapshot *snapshot = setting->snapshot;
        const struct link *link =
                        args->link ? link_table_by_ifindex(&snapshot->links, args->link->ifindex) : NULL;
        struct mtu_change *own = setting->own;
        int r, exit_code = args->is_runtime ? EXIT_CODE_DONE : line_edit_carry_out(setting->edit);

        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        if (link)
                warn_of_setter(snapshot, link, args);
        if (!args->is_runtime)
                warn_of_uppers(snapshot, link, args);
        if (!own)
                return EXIT_CODE_DONE;
        /* This command settles the MTU, which ends a trial of the device. */
        mtu_change_release(&own->link, own->link.mtu);
        r = trial_end(own->link.ifindex);
        if (r < 0)
                log_warning("%s: a trial that may be waiting could not be ended: %s", args->line.name,
                            strerror(-r));
        mtu_change_settle(own);
        change_log_unsettled(own);
        r = mtu_change_forget_gone(snapshot->socket);
        if (r < 0)
                log_warning("not all records of absent devices could be removed: %s", strerror(-r));
        return EXIT_CODE_DONE;
}

/* Sets the device and writes the line, both or neither, under the command lock. Returns an exit code. */
static int set_and_write(struct setting *setting) {
        struct snapshot *snapshot = setting->snapshot;
        const struct set_args *args = setting->args;
        struct step_target target = { .line = &args->line };
        int r, exit_code = EXIT_CODE_DONE;

        if (args->link && !args->has_no_apply) {
                target.link = link_table_by_ifindex(&snapshot->links, args->link->ifindex);
                r = change_set_targets(snapshot, &target, 1, &setting->change);
                setting->own = r == 0 ? change_result(&setting->change, target.link) : NULL;
                if (!change_log(snapshot->socket, args->line.name, r, &setting->change))
                        exit_code = EXIT_CODE_FAILURE;
        }
        if (exit_code == EXIT_CODE_DONE)
                exit_code = write_and_settle(setting);
        /* The MTU may be set, but rounded or without the link up: not what was asked for. */
        if (exit_code != EXIT_CODE_DONE)
                revert_change(setting);
        /* The device accepts the MTU; the switches on the path may not. */
        else if (setting->own && setting->own->result == MTU_CHANGE_DONE &&
                 setting->own->link.mtu > setting->own->before && isatty(STDERR_FILENO))
                log_info("%s: setmtu probe HOST tests whether the path to HOST carries %u; set --probe HOST "
                         "keeps it only if so",
                         args->line.name, setting->own->link.mtu);
        return exit_code;
}

/* Makes the change of a trial that has carried its host final, if the device still has that MTU. Returns an
 * exit code: on an error the trial goes on. */
static int settle_trial(struct setting *setting, const struct trial_record *record) {
        CLEANUP(command_lock_release) struct command_lock lock = { 0 };
        struct link link;

        return change_log_lock(&lock) && trial_get_device(setting->snapshot->socket, record, &link) == 0 &&
                                               link.mtu == record->tried
                               ? write_and_settle(setting)
                               : EXIT_CODE_FAILURE;
}

/* Probes the path with the MTU on trial, and then makes that change final. The trial reverts by itself if
 * this command dies. Returns an exit code. */
static int set_on_trial(struct setting *setting, const struct path_check *check) {
        struct snapshot *snapshot = setting->snapshot;
        const struct set_args *args = setting->args;
        const struct trial_target target = { .ifindex = args->link->ifindex, .line = &args->line };
        const struct trial trial = {
                .targets = &target, .n_targets = 1, .timeout_s = PROBE_TIMEOUT_S, .owner = -1
        };
        CLEANUP(trial_begin_free) struct trial_begin begin = { .has_begun = false };
        const struct trial_record *record;
        int exit_code;

        trial_log_warnings(args->line.name, args->link, args->wanted);
        if (!trial_begin_and_log(snapshot, &trial, false, &begin))
                return EXIT_CODE_FAILURE;
        record = begin.records.items;
        setting->own = change_result(&begin.change,
                                     link_table_by_ifindex(&snapshot->links, record->ifindex));
        exit_code = path_check_run(snapshot->socket, check, args->link->has_carrier, begin.deadline);
        if (exit_code == EXIT_CODE_DONE)
                exit_code = settle_trial(setting, record);
        if (exit_code == EXIT_CODE_DONE)
                return exit_code;
        (void)trial_revert_and_log(snapshot->socket, record->id, false);
        return trial_is_undone(snapshot->socket, record) ? exit_code : EXIT_CODE_FAILURE;
}

/* Sets the device if the path to a host carries the MTU. Returns an exit code. */
static int set_and_probe(struct setting *setting) {
        struct netlink_socket *socket = setting->snapshot->socket;
        const struct set_args *args = setting->args;
        CLEANUP(command_lock_release) struct command_lock lock = { 0 };
        struct path_check check;
        int exit_code;

        if (args->link->mtu != args->wanted && !capability_has_net_admin()) {
                change_log_no_permission(args->line.name);
                return EXIT_CODE_FAILURE;
        }
        interrupt_catch();
        exit_code = path_check_prepare(socket, args, &check);
        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        if (args->link->mtu != args->wanted)
                return set_on_trial(setting, &check);
        exit_code = path_check_run(socket, &check, false, clock_boottime_s() + PROBE_TIMEOUT_S);
        if (exit_code != EXIT_CODE_DONE)
                return log_fail(exit_code, "%s: MTU is %u already and stays so; nothing was written",
                                args->line.name, args->wanted);
        return change_log_lock(&lock) ? set_and_write(setting) : EXIT_CODE_FAILURE;
}

static bool can_ask(void) {
        return isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
}

/* What the user may not have meant: an absent device, which may appear later; a max that is more than paths
 * carry. Returns `text`, which is empty if there is nothing. */
static const char *find_doubt(char text[static DOUBT_SIZE], const struct set_args *args) {
        *text = '\0';
        if (args->is_certain)
                return text;
        if (args->link && args->line.spec.mtu == MTU_MAX && args->wanted >= MTU_UNUSUAL && !args->host)
                snprintf(text, DOUBT_SIZE, "max is %u, and few paths carry more than 9000.", args->wanted);
        else if (!args->link && *args->meant)
                snprintf(text, DOUBT_SIZE, "there is no such network device. Did you mean %s?", args->meant);
        else if (!args->link && *args->present)
                snprintf(text, DOUBT_SIZE, "there is no such network device now, only %s.", args->present);
        return text;
}

/* Returns an exit code. */
static int ask(struct set_args *args) {
        const char *name = args->word, *meant = *args->meant ? args->meant : NULL;
        char text[DOUBT_SIZE];
        char answer = progress_ask("%s: %s [y] %s, [n] %s", name, find_doubt(text, args),
                                   meant ? meant : "go on", meant ? name : "stop");

        args->is_certain = true;
        if (answer == 'y')
                args->word = meant ? meant : name;
        else if (answer == 'n' && meant)
                args->meant[0] = '\0';
        else
                return log_fail(args->link ? EXIT_CODE_FAILURE : EXIT_CODE_ABSENT, "%s: nothing was changed",
                                name);
        return EXIT_CODE_DONE;
}

/* Returns an exit code, or ASK. */
static int doubt(const struct set_args *args) {
        const char *name = args->line.name;
        bool needs_device = args->host || args->is_runtime;
        char text[DOUBT_SIZE], word[TEXT_SHELL_WORD_SIZE];

        if (*find_doubt(text, args) && can_ask() && (args->link || *args->meant || !needs_device))
                return ASK;
        if (!args->link && needs_device)
                return prepare_no_device(name, args->host ? ", so no host can be probed through it" : "",
                                         args->meant);
        if (*text && args->link)
                log_warning("%s: %s", name, text);
        else if (*text)
                log_warning("%s: %s The MTU is set when it appears; setmtu unset %s removes the line again",
                            name, text, text_shell_word(word, name));
        return EXIT_CODE_DONE;
}

/* Runs under the command lock; with a host to probe, only what follows the probing. Returns an exit code, or
 * ASK. */
static int try_to_set(struct set_args *args) {
        CLEANUP(snapshot_cleanup) struct snapshot snapshot = { 0 };
        CLEANUP(line_edit_cleanup) struct line_edit edit = { 0 };
        CLEANUP(command_lock_release) struct command_lock lock = { 0 };
        struct setting setting = { .snapshot = &snapshot, .args = args, .edit = &edit };
        const struct diagnostic_sink counter = mistakes_counter(&snapshot.mistakes);
        int exit_code;

        if (!args->has_no_apply)
                trial_revert_overdue_and_log();
        if ((!args->host && !change_log_lock(&lock)) || !prepare_check(snapshot_take(&counter, &snapshot)))
                return EXIT_CODE_FAILURE;
        /* Not again after a question. */
        if (!args->is_certain)
                mistakes_report(&snapshot.mistakes);
        exit_code = set_args_resolve(args, &snapshot);
        if (exit_code == EXIT_CODE_DONE)
                exit_code = doubt(args);
        /* A line that cannot be written is found before the device changes. */
        if (exit_code == EXIT_CODE_DONE && !args->is_runtime)
                exit_code = line_edit_prepare(&snapshot, args->link, args->line.name, &args->line.spec,
                                              &edit);
        if (exit_code == EXIT_CODE_DONE)
                exit_code = args->host ? set_and_probe(&setting) : set_and_write(&setting);
        change_free(&setting.change);
        return exit_code;
}

int set_execute(struct set_args *args) {
        int exit_code = try_to_set(args);

        /* Without the lock: no other command waits for the answer. */
        if (exit_code == ASK) {
                exit_code = ask(args);
                if (exit_code == EXIT_CODE_DONE)
                        exit_code = try_to_set(args);
        }
        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        if (!args->is_runtime && !args->has_no_apply) {
                if (!args->link && (args->is_certain || !*args->present))
                        log_info("%s: no such network device now; its MTU is set when it appears",
                                 args->line.name);
                if (!activate_units_of(args->line.name, true))
                        exit_code = EXIT_CODE_FAILURE;
        }
        /* One that does not answer is not asked again. */
        if (exit_code == EXIT_CODE_DONE)
                rivals_report_line(args->backend, args->link, &args->line);
        return exit_code;
}

static int run_set(const struct command_line *line) {
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
                ", and makes systemd set it from then on. MTU is a number of bytes, or max. up also brings "
                "the link up. With keep, the MTU is set again whenever another program changes it. setmtu "
                "try does the same, and restores the old MTU unless the change is confirmed.",
        .examples = { "# setmtu set eth0 9000", "# setmtu set eth0 9000 --probe nas" },
        .options = { [OPTION_RUNTIME] = { "runtime", NULL, "set the MTU now, without writing the line" },
                     [OPTION_NO_APPLY] = { "no-apply", NULL, "only write the line" },
                     [OPTION_PROBE] = { "probe", "HOST",
                                        "undo the change if the path to HOST does not carry it" } },
        .changes = true,
        .words_min = 1,
        .words_max = 4,
        .run = run_set,
};
