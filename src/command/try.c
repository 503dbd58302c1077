/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* setmtu try: a change that is undone unless it is confirmed in time. */

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/exit_code.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "base/text.h"
#include "change/revert_timer.h"
#include "change/snapshot.h"
#include "command/activate.h"
#include "command/change_log.h"
#include "command/command.h"
#include "command/confirm.h"
#include "command/facts_output.h"
#include "command/line_edit.h"
#include "command/path_check.h"
#include "command/prepare.h"
#include "command/trial_log.h"
#include "command/try.h"
#include "kernel/capability.h"
#include "output/progress.h"
#include "store/load_plan.h"

#define TIMEOUT_DEFAULT_S 60
#define TIMEOUT_LARGEST_S 86400
/* The timer reverts at the deadline; after that, the command does it. */
#define GRACE_S 3
/* Of --probe without a device. */
#define HOSTS_MAX 8

enum { OPTION_TIMEOUT, OPTION_PROBE, OPTION_DETACH };

/* The terminal while it delivers single keys. */
struct keys {
        bool are_read;
        struct termios former;
};

static void keys_open(struct keys *keys) {
        struct termios single;

        /* In the background, keys go to another process. */
        if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO) || tcgetpgrp(STDIN_FILENO) != getpgrp() ||
            tcgetattr(STDIN_FILENO, &keys->former) < 0)
                return;
        single = keys->former;
        single.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
        single.c_cc[VMIN] = 0;
        single.c_cc[VTIME] = 0;
        /* Keys typed before the change are dropped. */
        keys->are_read = tcsetattr(STDIN_FILENO, TCSAFLUSH, &single) == 0;
}

static void keys_close(const struct keys *keys) {
        if (keys->are_read)
                (void)tcsetattr(STDIN_FILENO, TCSAFLUSH, &keys->former);
}

enum answer { ANSWER_NONE, ANSWER_KEEP, ANSWER_REVERT };

static enum answer keys_read(struct keys *keys) {
        struct pollfd input = { .fd = keys->are_read ? STDIN_FILENO : -1, .events = POLLIN };
        char key;

        if (poll(&input, 1, 200) <= 0)
                return ANSWER_NONE;
        if (read(STDIN_FILENO, &key, 1) != 1) {
                keys->are_read = false; /* the terminal is gone */
                return ANSWER_NONE;
        }
        if (key == 'y' || key == 'Y' || key == '\n' || key == '\r')
                return ANSWER_KEEP;
        return key == 'n' || key == 'N' || key == 'q' ? ANSWER_REVERT : ANSWER_NONE;
}

/* The carrier of a device on trial. */
struct carrier {
        bool is_there; /* when last read, first before the change */
        double lost;   /* when that was seen; 0: not yet */
};

struct attempt {
        struct snapshot *snapshot;
        struct trial trial;
        enum try_end end;
        bool is_runtime;    /* no line is written */
        struct path *paths; /* that have to carry it */
        size_t n_paths;
        /* Once the trial has begun: */
        double deadline;              /* by clock_boottime_s() */
        struct trial_records records; /* at least one; not owned */
        struct carrier *carriers;
        char what[32];                   /* is on trial */
        char word[TEXT_SHELL_WORD_SIZE]; /* the first device, to be typed */
        struct keys keys;
        struct progress prompt;
};

static void look_at_carrier(struct attempt *attempt, size_t i) {
        const char *name = attempt->records.items[i].name;
        struct carrier *carrier = &attempt->carriers[i];
        struct link link;

        if (link_get_by_ifindex(attempt->snapshot->socket, attempt->records.items[i].ifindex, &link) < 0 ||
            link.has_carrier == carrier->is_there)
                return;
        progress_clear(&attempt->prompt);
        if (link.has_carrier && carrier->lost == 0)
                log_info("%s: carrier is there", name);
        else if (link.has_carrier)
                log_info("%s: carrier back after %.1f s", name, clock_boottime_s() - carrier->lost);
        else
                log_info("%s: carrier lost", name);
        carrier->is_there = link.has_carrier;
        carrier->lost = clock_boottime_s();
}

static int seconds_left(const struct attempt *attempt) {
        double left = attempt->deadline - clock_boottime_s() + 1;

        return left > 0 ? (int)left : 0;
}

static const char *and_others(const struct attempt *attempt) {
        return attempt->records.n_items > 1 ? " and others" : "";
}

static void draw(struct attempt *attempt) {
        attempt->prompt.is_shown = attempt->keys.are_read;
        progress_print(&attempt->prompt,
                       "%s%s: %s for another %d s. Keep it? [y] or Enter: keep, [n] revert ",
                       attempt->records.items->name, and_others(attempt), attempt->what,
                       seconds_left(attempt));
}

/* Logs how the trial of a device has ended. It is confirmed if the device has the MTU, and its line says so;
 * that of the configuration, which is there from the beginning, may have another name. */
static bool log_device_end(const struct attempt *attempt, const struct config *config,
                           const struct trial_record *record) {
        struct link link;
        int r = trial_get_device(attempt->snapshot->socket, record, &link);
        bool is_back = r == 0 && link.mtu == record->before;

        if (r < 0) {
                trial_log_changed(attempt->snapshot->socket, record);
                return false;
        }
        if (link.mtu == record->tried &&
            (record->place > 0 || record->spec.is_auto ||
             device_status_of(&link, config_find(config, link.name)).state == DEVICE_STATE_OK)) {
                log_info("%s: confirmed", record->name);
                return true;
        }
        return log_fail(false, "%s: not confirmed%s; MTU is %s%u", record->name,
                        clock_boottime_s() >= attempt->deadline ? " in time"
                        : is_back                               ? ""
                                                                : ", but ended by another command",
                        is_back ? "back at " : "", link.mtu);
}

/* What has been confirmed was all that was left of the trial. */
static int log_end(const struct attempt *attempt) {
        CLEANUP(plan_free) struct plan plan = { 0 };
        int exit_code = EXIT_CODE_FAILURE;
        bool has_lines = false;

        if (load_plan(&diagnostic_silent, &plan) < 0)
                return log_fail(EXIT_CODE_FAILURE, LOG_OUT_OF_MEMORY);
        for (size_t i = 0; i < attempt->records.n_items; i++) {
                const struct trial_record *record = &attempt->records.items[i];

                if (log_device_end(attempt, &plan.config, record))
                        exit_code = EXIT_CODE_DONE;
                else
                        has_lines |= record->place > 0;
        }
        if (has_lines)
                trial_log_lines_stay();
        return exit_code;
}

static int revert(struct attempt *attempt) {
        enum trial_revert_result result;

        progress_clear(&attempt->prompt);
        result = trial_revert_and_log(attempt->snapshot->socket, attempt->records.id, false);
        /* The timer, or another command, may have been faster. */
        if (result == TRIAL_REVERT_NOT_WAITING)
                return log_end(attempt);
        return result == TRIAL_REVERT_CONFIRMED ? EXIT_CODE_DONE : EXIT_CODE_FAILURE;
}

static int wait_for_end(struct attempt *attempt) {
        for (;;) {
                enum answer answer;
                int exit_code;

                if (!revert_timer_is_waiting(&attempt->records)) {
                        progress_clear(&attempt->prompt);
                        return log_end(attempt);
                }
                /* A user who is cut off may reconnect and confirm; the timer still runs. */
                if (interrupt_seen() == SIGHUP)
                        return EXIT_CODE_FAILURE;
                if (interrupt_seen() != 0 || clock_boottime_s() > attempt->deadline + GRACE_S)
                        return revert(attempt);
                for (size_t i = 0; i < attempt->records.n_items; i++)
                        look_at_carrier(attempt, i);
                draw(attempt);
                answer = keys_read(&attempt->keys);
                if (answer == ANSWER_NONE)
                        continue;
                if (answer == ANSWER_REVERT)
                        return revert(attempt);
                progress_clear(&attempt->prompt);
                /* If the line cannot be written, the trial goes on. */
                exit_code = confirm_trial(attempt->snapshot->socket, attempt->records.items, false);
                if (!revert_timer_is_waiting(&attempt->records))
                        return exit_code;
        }
}

/* Waits for the end of the trial, or prints its number. */
static int ask(struct attempt *attempt) {
        bool is_detached = attempt->end == TRY_DETACHES;
        int exit_code;

        if (!is_detached)
                keys_open(&attempt->keys);
        if (!attempt->keys.are_read)
                log_info("%s%s: %s for %u s, unless setmtu confirm %s keeps %s",
                         attempt->records.items->name, and_others(attempt), attempt->what,
                         attempt->trial.timeout_s, attempt->word,
                         attempt->records.n_items > 1 ? "them" : "it");
        /* The trial goes on if its number cannot be printed; it is undone at its deadline. */
        if (is_detached)
                return printf("%" PRIu32 "\n", attempt->records.id) >= 0 && fflush(stdout) == 0
                                       ? EXIT_CODE_DONE
                                       : log_fail(EXIT_CODE_FAILURE,
                                                  "the number of the trial cannot be printed: %s",
                                                  strerror(errno));
        exit_code = wait_for_end(attempt);
        progress_clear(&attempt->prompt);
        keys_close(&attempt->keys);
        return exit_code;
}

/* Makes the changes, probes the paths with them, and has the user or these decide. */
static int try_execute(struct attempt *attempt) {
        struct netlink_socket *socket = attempt->snapshot->socket;
        CLEANUP(trial_begin_free) struct trial_begin begin = { .name = NULL };
        CLEANUP(cleanup_free) struct carrier *carriers = NULL;
        bool are_undone = true;
        struct link now;
        int exit_code = EXIT_CODE_DONE;

        for (size_t i = 0; i < attempt->trial.n_targets; i++) {
                const struct trial_target *target = &attempt->trial.targets[i];
                const struct link *link = link_table_by_ifindex(&attempt->snapshot->links, target->ifindex);

                trial_log_warnings(target->line->name, link, device_status_of(link, target->line).wanted);
        }
        if (!trial_begin_and_log(attempt->snapshot, &attempt->trial, false, &begin))
                return EXIT_CODE_FAILURE;
        attempt->deadline = begin.deadline;
        attempt->records = begin.records;
        attempt->carriers = carriers = calloc(begin.records.n_items, sizeof(*carriers));
        if (!carriers)
                return log_fail(EXIT_CODE_FAILURE, LOG_OUT_OF_MEMORY); /* the timer reverts it */
        for (size_t i = 0; i < begin.records.n_items; i++)
                carriers[i].is_there = link_table_by_ifindex(&attempt->snapshot->links,
                                                             begin.records.items[i].ifindex)
                                                       ->has_carrier;
        text_shell_word(attempt->word, begin.records.items->name);
        if (begin.records.n_items == 1)
                snprintf(attempt->what, sizeof(attempt->what), "MTU %u", begin.records.items->tried);
        else
                snprintf(attempt->what, sizeof(attempt->what), "%zu new MTUs", begin.records.n_items);
        for (size_t i = 0; i < attempt->n_paths && exit_code == EXIT_CODE_DONE; i++)
                exit_code = path_check_run(socket, &attempt->paths[i], attempt->deadline);
        if (exit_code == EXIT_CODE_DONE && attempt->end != TRY_PROBES)
                return ask(attempt);
        if (exit_code == EXIT_CODE_DONE) {
                exit_code = confirm_trial(socket, begin.records.items, attempt->is_runtime);
                if (exit_code == EXIT_CODE_DONE || !revert_timer_is_waiting(&attempt->records))
                        return exit_code;
        }
        (void)revert(attempt);
        for (size_t i = 0; i < attempt->records.n_items; i++)
                are_undone &= trial_get_device(socket, &begin.records.items[i], &now) == 0 &&
                              now.mtu == begin.records.items[i].before;
        return are_undone ? exit_code : EXIT_CODE_FAILURE;
}

/* What comes before the first packet. Returns an exit code. */
static int get_ready(const char *name) {
        if (!capability_has_net_admin()) {
                change_log_no_permission(name);
                return EXIT_CODE_FAILURE;
        }
        interrupt_catch();
        return EXIT_CODE_DONE;
}

int try_device(struct snapshot *snapshot, const struct set_args *args, unsigned timeout_s,
               enum try_end end) {
        const struct trial_target target = { .ifindex = args->link->ifindex, .line = &args->line };
        struct path path;
        struct attempt attempt = {
                .snapshot = snapshot,
                .trial = { .targets = &target, .n_targets = 1, .timeout_s = timeout_s },
                .end = end,
                .is_runtime = args->is_runtime,
                .paths = &path,
                .n_paths = args->host ? 1 : 0,
        };
        struct line_edit edit = { 0 };
        int exit_code = get_ready(args->line.name);

        if (exit_code == EXIT_CODE_DONE && args->wanted == 0)
                exit_code = log_fail(EXIT_CODE_FAILURE, "%s: %s", args->link->name,
                                     DEVICE_FAULT(args->link, 0));
        /* A confirmation that could not write the line is found before the change. */
        if (exit_code == EXIT_CODE_DONE && !args->is_runtime)
                exit_code = line_edit_prepare(&snapshot->plan.config, args->former, args->line.name,
                                              &args->line.spec, &edit);
        line_edit_cleanup(&edit);
        if (exit_code == EXIT_CODE_DONE && args->host)
                exit_code = path_check_prepare(snapshot->socket, args->host, args->link, args->line.spec.up,
                                               args->wanted, &path);
        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        rivals_report_line(args->link, &args->line);
        return try_execute(&attempt);
}

/* Finds the paths to hosts, by their routes, and checks that they answer before the change. */
static int prepare_paths(struct netlink_socket *socket, char *hosts, struct path *paths, size_t *ret_n) {
        char *rest;

        for (char *host = strtok_r(hosts, ",", &rest); host; host = strtok_r(NULL, ",", &rest)) {
                int exit_code = *ret_n == HOSTS_MAX ? log_fail(EXIT_CODE_USAGE,
                                                               "--probe: more than %d hosts", HOSTS_MAX)
                                                    : path_check_prepare(socket, host, NULL, false, 0,
                                                                         &paths[*ret_n]);

                if (exit_code != EXIT_CODE_DONE)
                        return exit_code;
                ++*ret_n;
        }
        /* Such as an empty variable of a script: no path would confirm the trial. */
        return *ret_n > 0 ? EXIT_CODE_DONE : log_fail(EXIT_CODE_USAGE, "--probe: no host is named");
}

/* Tries what a reload would change. `hosts`: names with commas in between, or NULL; with them, nobody is
 * asked. */
static int try_configuration(unsigned timeout_s, const char *hosts, enum try_end end) {
        CLEANUP(snapshot_cleanup) struct snapshot snapshot = { 0 };
        CLEANUP(pool_free) struct pool pool = { 0 };
        struct path paths[HOSTS_MAX];
        struct trial_target *targets = NULL;
        struct attempt attempt = {
                .snapshot = &snapshot,
                .trial = { .is_of_configuration = true, .timeout_s = timeout_s },
                .end = hosts ? TRY_PROBES : end,
                .paths = paths,
        };
        int exit_code;

        if (hosts && end == TRY_DETACHES)
                return log_fail(EXIT_CODE_USAGE,
                                "try: without a device, --probe decides, and --detach leaves "
                                "it to setmtu confirm: use one of them");
        exit_code = activate_configuration_targets(&snapshot, &pool, &targets, &attempt.trial.n_targets);
        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        attempt.trial.targets = targets;
        if (attempt.trial.n_targets == 0) {
                log_info("no MTU would change, so there is nothing to try; setmtu reload does the rest");
                return EXIT_CODE_DONE;
        }
        exit_code = get_ready(targets->line->name);
        if (exit_code == EXIT_CODE_DONE && hosts)
                exit_code = prepare_paths(snapshot.socket, pool_copy(&pool, hosts), paths, &attempt.n_paths);
        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        (void)rivals_report(&snapshot.statuses);
        return try_execute(&attempt);
}

static int parse_timeout(const char *text, unsigned *ret_s) {
        *ret_s = TIMEOUT_DEFAULT_S;
        if (!text || text_parse_seconds(text, TIMEOUT_LARGEST_S, ret_s))
                return EXIT_CODE_DONE;
        return log_fail(EXIT_CODE_USAGE,
                        "--timeout: \"%.64s\" is not a time from 1 s to 1 day; write 90, 90s, 2min or 1h",
                        text);
}

static int run_try(const struct command_line *line) {
        CLEANUP(snapshot_cleanup) struct snapshot snapshot = { 0 };
        enum try_end end = line->options[OPTION_DETACH] ? TRY_DETACHES : TRY_ASKS;
        unsigned timeout_s;
        struct set_args args;
        char word[TEXT_SHELL_WORD_SIZE];
        int exit_code = parse_timeout(line->options[OPTION_TIMEOUT], &timeout_s);

        if (exit_code == EXIT_CODE_DONE && line->n_words == 0)
                return try_configuration(timeout_s, line->options[OPTION_PROBE], end);
        if (exit_code == EXIT_CODE_DONE)
                exit_code = set_args_parse(line, &args);
        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        if (!prepare_snapshot(&snapshot))
                return EXIT_CODE_FAILURE;
        args.host = line->options[OPTION_PROBE];
        exit_code = set_args_resolve(&args, &snapshot);
        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        if (!args.link && interface_name_is_pattern(args.word))
                return log_fail(EXIT_CODE_USAGE,
                                "%s: a pattern; name a device, or edit " CONFIG_FILE " and try it all: "
                                "setmtu try",
                                args.word);
        if (!args.link)
                return prepare_no_device(args.word, "", link_table_alike(&snapshot.links, args.word));
        if (args.link->mtu != args.wanted)
                return try_device(&snapshot, &args, timeout_s, end);
        log_info("%s: MTU is %u already; setmtu set %s %u writes the line", args.line.name, args.wanted,
                 text_shell_word(word, args.line.name), args.wanted);
        return EXIT_CODE_DONE;
}

const struct command command_try = {
        .name = "try",
        .arguments = "[IFACE MTU [up] [keep]]",
        .summary = "set an MTU that is undone unless confirmed",
        .text = "Sets the MTU, shows what happens to the carrier, and restores the old MTU unless the "
                "change is confirmed in time: with the key y or Enter, or with setmtu confirm from "
                "anywhere. The old MTU comes back even if this command is killed or its terminal is lost. "
                "Without IFACE, tries all that setmtu reload would change, as one.",
        .examples = { "# setmtu try eth0 9000", "# setmtu try eth0 9000 --timeout 2min --probe nas" },
        .options = { [OPTION_TIMEOUT] = { "timeout", "TIME",
                                          "how long to wait: 90, 90s, 2min, 1h; by default 60s" },
                     [OPTION_PROBE] = { "probe", "HOST",
                                        "undo the change at once if the path does not carry it" },
                     [OPTION_DETACH] = { "detach", NULL, "do not wait; print the number of the trial" } },
        .changes = true,
        .words_max = 4,
        .run = run_try,
};
