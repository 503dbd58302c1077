/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* setmtu set: first the device, then the file, then systemd, so that an MTU that cannot be set is never
 * written. */

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
#include "change/carry_out.h"
#include "command/activate.h"
#include "command/change_log.h"
#include "command/facts_output.h"
#include "command/line_edit.h"
#include "command/path_check.h"
#include "command/prepare.h"
#include "command/set_args.h"
#include "command/try.h"
#include "output/progress.h"
#include "plan/advice.h"
#include "plan/stack.h"
#include "store/change_lock.h"
#include "store/config_write.h"

/* If the command dies while probing, the change is undone after this time; longer than any probing. */
#define PROBE_TIMEOUT_S 60

/* The jumbo frames of NICs and switches are smaller. */
#define MTU_UNUSUAL 10240

/* Instead of an exit code: the user has answered, and what is there is to be looked at again. */
#define AGAIN (-1)

enum { OPTION_RUNTIME, OPTION_NO_APPLY, OPTION_PROBE };

/* Warns that a port's MTU is its bond's. What that has now is from before the change, which may have raised
 * it to what its line says. */
static void warn_of_setter(const struct snapshot *snapshot, const struct set_args *args) {
        CLEANUP(pool_free) struct pool pool = { 0 };
        const struct link *own = args->link, *setter = stack_setter(&snapshot->links, own);
        const struct device_status *above =
                        setter ? &snapshot->statuses.items[setter - snapshot->links.links] : NULL;
        uint32_t mtu = !above                               ? args->wanted
                       : device_status_has_good_line(above) ? above->wanted
                                                            : setter->mtu;

        if (mtu != args->wanted)
                log_warning("%s: it is a port of %s, which has %u and gives that to its ports; instead: %s",
                            own->name, setter->name, mtu,
                            advice_make(&pool, &snapshot->statuses, &snapshot->links, own, args->wanted));
}

/* Warns of lines of upper devices that exceed what the new MTU allows. */
static void warn_of_uppers(const struct snapshot *snapshot, const struct set_args *args) {
        CLEANUP(pool_free) struct pool pool = { 0 };

        for (size_t i = 0; i < snapshot->plan.n_devices; i++) {
                const struct config_line *line = snapshot->plan.devices[i].line;
                const struct link *own = args->link,
                                  *link = link_table_by_name(&snapshot->links, line->name);
                uint32_t room;

                if (!link || !own || stack_limit(&snapshot->links, link) != own)
                        continue;
                room = stack_capacity(link, own, args->wanted);
                if (line->spec.mtu != MTU_MAX && line->spec.mtu > room && room > 0)
                        log_warning("%s: its line, %s, is for %u, and on %s it can have no more than %u "
                                    "from now on; for both: %s",
                                    line->name, CONFIG_LINE_PLACE(line), line->spec.mtu, args->line.name,
                                    room, advice_set(&pool, line, line->name, room));
        }
}

/* Warns of what contradicts the MTU from now on. The snapshot is from before the change. */
static void warn_of_others(const struct snapshot *snapshot, const struct set_args *args) {
        if (args->link)
                warn_of_setter(snapshot, args);
        if (!args->is_runtime)
                warn_of_uppers(snapshot, args);
}

/* Sets the device and writes the line, both or neither, under the command lock, and then logs all of it.
 * Returns an exit code. */
static int set_and_write(struct snapshot *snapshot, const struct set_args *args) {
        CLEANUP(change_free) struct change change = { .is_done = true };
        CLEANUP(line_edit_cleanup) struct line_edit edit = { 0 };
        const struct step_target target = { .link = args->link, .line = &args->line };
        struct mtu_change *own;
        int r = 0, written = 0, ended = 0, exit_code = EXIT_CODE_DONE;

        /* A line that cannot be written is found before the device changes. */
        if (!args->is_runtime)
                exit_code = line_edit_prepare(&snapshot->plan.config, args->former, args->line.name,
                                              &args->line.spec, &edit);
        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        if (args->link && !args->has_no_apply)
                r = change_set_targets(snapshot, &target, 1, &change);
        own = change.own;
        if (r == 0 && change.is_done && edit.n_changed > 0)
                written = config_write_replace(edit.write, edit.text, edit.size);
        if (own && own->is_on_trial && change.is_done && written >= 0)
                ended = trial_end(own->link.ifindex);

        exit_code = change_log(snapshot->socket, args->line.name, r, &change) ? line_edit_log(&edit, written)
                                                                              : EXIT_CODE_FAILURE;
        /* The MTU may be set, but rounded or without the link up: not what was asked for. */
        if (exit_code != EXIT_CODE_DONE && own) {
                mtu_change_keep(&own->link, &own->kept);
                if (own->has_changed)
                        change_revert_and_log(snapshot, own);
        }
        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        if (ended < 0)
                log_warning("%s: a trial that may be waiting could not be ended: %s", args->line.name,
                            strerror(-ended));
        /* The device accepts the MTU; the switches on the path may not. */
        if (own && own->result == MTU_CHANGE_DONE && own->link.mtu > own->before && isatty(STDERR_FILENO))
                log_info("%s: setmtu probe HOST tests whether the path to HOST carries %u; set --probe HOST "
                         "keeps it only if so",
                         args->line.name, own->link.mtu);
        warn_of_others(snapshot, args);
        return EXIT_CODE_DONE;
}

/* Probes the path of a device that has the MTU already. Returns an exit code. */
static int check_path(struct netlink_socket *socket, const struct set_args *args) {
        struct path path;
        int exit_code;

        interrupt_catch();
        exit_code = path_check_prepare(socket, args->host, args->link, args->line.spec.up, args->wanted,
                                       &path);
        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        exit_code = path_check_run(socket, &path, clock_boottime_s() + PROBE_TIMEOUT_S);
        if (exit_code != EXIT_CODE_DONE)
                log_error("%s: MTU is %u already and stays so; nothing was written", args->line.name,
                          args->wanted);
        return exit_code;
}

/* Returns an exit code, or AGAIN. */
static int ask(struct set_args *args, const char *text, const char *meant) {
        const char *name = args->word;
        char answer = progress_ask("%s: %s [y] %s, [n] %s", name, text, meant ? meant : "go on",
                                   meant ? name : "stop");

        if (answer != 'y' && (answer != 'n' || !meant))
                return log_fail(args->link ? EXIT_CODE_FAILURE : EXIT_CODE_ABSENT, "%s: nothing was changed",
                                name);
        args->is_certain = true;
        if (answer == 'y' && meant) {
                snprintf(args->meant, sizeof(args->meant), "%s", meant);
                args->word = args->meant;
        }
        return AGAIN;
}

/* Asks, or warns, about what the user may not have meant: an absent device, which may appear later; a max
 * that is more than paths carry. Returns an exit code, or AGAIN. */
static int doubt(struct set_args *args, const struct snapshot *snapshot, struct command_lock *lock) {
        const char *name = args->line.name;
        bool needs_device = args->host || args->is_runtime;
        bool is_pattern = interface_name_is_pattern(name);
        bool is_new = !args->link && !args->is_certain && !is_pattern && !args->former;
        char text[256] = "", word[TEXT_SHELL_WORD_SIZE];
        const char *meant = is_new ? link_table_alike(&snapshot->links, args->word) : NULL;

        if (args->link && args->line.spec.mtu == MTU_MAX && !args->line.spec.is_auto &&
            args->wanted >= MTU_UNUSUAL && !args->host && !args->is_certain)
                snprintf(text, sizeof(text), "max is %u, and few paths carry more than 9000.", args->wanted);
        else if (meant)
                snprintf(text, sizeof(text), "there is no such network device. Did you mean %s?", meant);

        if (*text && isatty(STDIN_FILENO) && isatty(STDERR_FILENO) &&
            (args->link || meant || !needs_device)) {
                /* No other command waits for the answer. */
                command_lock_release(lock);
                return ask(args, text, meant);
        }
        if (is_pattern && needs_device)
                return log_fail(EXIT_CODE_USAGE, "%s: a pattern; with --runtime and --probe, name a device",
                                name);
        if (!args->link && needs_device)
                return prepare_no_device(name, args->host ? ", so no host can be probed through it" : "",
                                         meant);
        if (*text && args->link)
                log_warning("%s: %s", name, text);
        else if (*text)
                log_warning("%s: %s The MTU is set when it appears; setmtu unset %s removes the line again",
                            name, text, text_shell_word(word, name));
        else if (!args->link && !args->has_no_apply && !is_pattern)
                log_info("%s: no such network device now; its MTU is set when it appears", name);
        return EXIT_CODE_DONE;
}

/* Looks at what is there, under the command lock unless a host is to be probed first. Returns an exit code,
 * or AGAIN. */
static int look(struct set_args *args, struct snapshot *ret, struct command_lock *lock) {
        int exit_code;

        if (!args->host && !change_log_lock(lock))
                return EXIT_CODE_FAILURE;
        /* After a question, the mistakes of the configuration are reported already. */
        if (!(args->is_certain ? prepare_check(snapshot_take(&diagnostic_silent, ret))
                               : prepare_snapshot(ret)))
                return EXIT_CODE_FAILURE;
        exit_code = set_args_resolve(args, ret);
        return exit_code == EXIT_CODE_DONE ? doubt(args, ret, lock) : exit_code;
}

static int set_execute(struct set_args *args) {
        CLEANUP(snapshot_cleanup) struct snapshot snapshot = { 0 };
        CLEANUP(command_lock_release) struct command_lock lock = { 0 };
        int exit_code;

        do {
                snapshot_cleanup(&snapshot);
                exit_code = look(args, &snapshot, &lock);
        } while (exit_code == AGAIN);
        if (exit_code == EXIT_CODE_DONE && args->host && args->link->mtu != args->wanted) {
                exit_code = try_device(&snapshot, args, PROBE_TIMEOUT_S, TRY_PROBES);
                /* It has looked at the devices again. */
                args->link = link_table_by_name(&snapshot.links, args->line.name);
                if (exit_code == EXIT_CODE_DONE)
                        warn_of_others(&snapshot, args);
                return exit_code;
        }
        if (exit_code == EXIT_CODE_DONE && args->host)
                exit_code = check_path(snapshot.socket, args);
        if (exit_code == EXIT_CODE_DONE && args->host && !change_log_lock(&lock))
                exit_code = EXIT_CODE_FAILURE;
        if (exit_code == EXIT_CODE_DONE)
                exit_code = set_and_write(&snapshot, args);
        command_lock_release(&lock);
        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        if (!args->is_runtime && !args->has_no_apply && !activate_units_of(args->line.name))
                return EXIT_CODE_FAILURE;
        /* One that does not answer is not asked again. */
        rivals_report_line(args->link, &args->line);
        return EXIT_CODE_DONE;
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
                ", and makes systemd set it from then on. MTU is a number of bytes, max, or auto for what "
                "fits. up also brings "
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
