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
#include "change/change_log.h"
#include "change/revert_timer.h"
#include "change/snapshot.h"
#include "change/trial_log.h"
#include "command/command.h"
#include "command/confirm.h"
#include "command/facts_output.h"
#include "command/line_edit.h"
#include "command/path_check.h"
#include "command/prepare.h"
#include "command/set_args.h"
#include "kernel/capability.h"
#include "output/progress.h"

#define TIMEOUT_DEFAULT_S 60
#define TIMEOUT_LARGEST_S 86400

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

struct waiting {
        struct netlink_socket *socket;
        struct trial_record record;
        double deadline;
        struct keys keys;
        struct progress prompt;
        bool had_carrier;        /* before the change */
        int carrier;             /* when last read; -1: not yet */
        uint32_t carrier_losses; /* when last read, first before the change */
        double carrier_lost;
};

static void look_at_carrier(struct waiting *waiting) {
        bool is_first = waiting->carrier < 0;
        const char *name = waiting->record.name;
        struct link link;
        bool is_back;

        if (link_get_by_ifindex(waiting->socket, waiting->record.ifindex, &link) < 0)
                return;
        /* Lost and back again since the last look. */
        is_back = link.has_carrier && waiting->carrier != 0 &&
                  link.carrier_losses != waiting->carrier_losses;
        if (link.has_carrier == waiting->carrier && !is_back)
                return;
        progress_clear(&waiting->prompt);
        if (!link.up)
                log_info("%s: the link is down: its carrier cannot be watched", name);
        else if (!link.has_carrier && is_first && !waiting->had_carrier)
                log_info("%s: no carrier, as before", name);
        else if (!link.has_carrier)
                log_info("%s: carrier lost", name);
        else if (is_back)
                log_info("%s: carrier was lost, and is back", name);
        else if (is_first)
                log_info("%s: carrier is there", name);
        else
                log_info("%s: carrier back after %.1f s", name, clock_boottime_s() - waiting->carrier_lost);
        if (!link.has_carrier)
                waiting->carrier_lost = clock_boottime_s();
        waiting->carrier = link.has_carrier;
        waiting->carrier_losses = link.carrier_losses;
}

static void draw(struct waiting *waiting) {
        int left = (int)(waiting->deadline - clock_boottime_s() + 1);

        waiting->prompt.is_shown = waiting->keys.are_read;
        progress_print(&waiting->prompt,
                       "%s: MTU %u for another %d s. Keep it? [y] or Enter: keep, [n] revert ",
                       waiting->record.name, waiting->record.tried, left > 0 ? left : 0);
}

static int log_end(const struct waiting *waiting, enum trial_phase end) {
        const struct trial_record *record = &waiting->record;
        const char *how = end == TRIAL_SETTLED                      ? ", but ended by another command"
                          : clock_boottime_s() >= waiting->deadline ? " in time"
                                                                    : "";
        struct link link;
        int r;

        if (end == TRIAL_CONFIRMED) {
                log_info("%s: confirmed", record->name);
                return EXIT_CODE_DONE;
        }
        r = trial_get_device(waiting->socket, record, &link);
        if (r == -ENODEV)
                trial_log_changed(waiting->socket, record);
        else if (r == 0)
                log_error("%s: not confirmed%s; MTU is %s%u", record->name, how,
                          link.mtu == record->before ? "back at " : "", link.mtu);
        else
                log_error("%s: not confirmed%s; its MTU cannot be read from the kernel: %s", record->name,
                          how, strerror(-r));
        return EXIT_CODE_FAILURE;
}

/* Whether the trial has ended and `ret`, how it ended, could be read. */
static bool has_ended(const struct waiting *waiting, enum trial_phase *ret) {
        int r;

        if (revert_timer_has_trial(&waiting->record))
                return false;
        r = trial_take_end(waiting->record.ifindex, waiting->record.id, ret);
        /* No end was recorded for this process. */
        if (r == -ENOENT)
                *ret = TRIAL_SETTLED;
        return r == 0 || r == -ENOENT;
}

static int revert(const struct waiting *waiting, bool is_due) {
        enum trial_revert_result result;
        enum trial_phase end;

        progress_clear(&waiting->prompt);
        result = trial_revert_and_log(waiting->socket, waiting->record.ifindex, &waiting->record.id, is_due);
        if (!has_ended(waiting, &end))
                return EXIT_CODE_FAILURE;
        if (result == TRIAL_REVERT_NOT_WAITING)
                return log_end(waiting, end); /* the timer, or another command, was faster */
        return end == TRIAL_CONFIRMED ? EXIT_CODE_DONE : EXIT_CODE_FAILURE;
}

/* A user who is cut off may reconnect and confirm; the timer still runs. */
static void log_hang_up(const struct waiting *waiting) {
        const char *name = waiting->record.name;
        double left = waiting->deadline - clock_boottime_s();

        progress_clear(&waiting->prompt);
        log_error("%s: the terminal is gone; the trial of MTU %u goes on for another %.0f s: setmtu confirm "
                  "%s keeps it, setmtu revert %s restores %u",
                  name, waiting->record.tried, left > 0 ? left : 0, name, name, waiting->record.before);
}

static int wait_for_end(struct waiting *waiting) {
        for (;;) {
                enum trial_phase end;
                enum answer answer;
                int exit_code;

                if (has_ended(waiting, &end)) {
                        progress_clear(&waiting->prompt);
                        return log_end(waiting, end);
                }
                if (interrupt_seen() == SIGHUP) {
                        log_hang_up(waiting);
                        return EXIT_CODE_FAILURE;
                }
                if (interrupt_seen() != 0)
                        return revert(waiting, false);
                if (clock_boottime_s() > waiting->deadline + TRIAL_GRACE_S)
                        return revert(waiting, true);
                look_at_carrier(waiting);
                draw(waiting);
                answer = keys_read(&waiting->keys);
                if (answer == ANSWER_NONE)
                        continue;
                if (answer == ANSWER_REVERT)
                        return revert(waiting, false);
                progress_clear(&waiting->prompt);
                /* If the line cannot be written, the trial goes on. */
                exit_code = confirm_trial(waiting->socket, waiting->record.ifindex, &waiting->record.id);
                if (has_ended(waiting, &end))
                        return exit_code;
        }
}

static int try_mtu(struct snapshot *snapshot, const struct set_args *args, unsigned timeout_s,
                   bool is_detached) {
        const struct trial trial = { .ifindex = args->link->ifindex,
                                     .line = &args->line,
                                     .timeout_s = timeout_s,
                                     .owner = -1,
                                     .is_watched = !is_detached };
        struct waiting waiting = { .socket = snapshot->socket, .carrier = -1 };
        struct line_edit edit = { 0 };
        struct path_check check;
        CLEANUP(command_lock_release) struct command_lock lock = { 0 };
        struct trial_begin begin;
        bool has_begun;
        int exit_code;

        if (args->link->mtu == args->wanted) {
                log_info("%s: MTU is %u already; setmtu set %s %u writes the line", args->line.name,
                         args->wanted, args->line.name, args->wanted);
                return EXIT_CODE_DONE;
        }
        if (!capability_has_net_admin()) {
                change_log_no_permission(args->line.name);
                return EXIT_CODE_FAILURE;
        }
        /* A confirmation that could not write the line is found before the change. */
        exit_code = line_edit_prepare(snapshot, args->link, args->line.name, &args->line.spec, &edit);
        line_edit_cleanup(&edit);
        interrupt_catch();
        if (args->host && exit_code == EXIT_CODE_DONE)
                exit_code = path_check_prepare(snapshot->socket, args, &check);
        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        waiting.deadline = clock_boottime_s() + timeout_s;
        trial_log_warnings(args->line.name, args->link, args->wanted);
        if (!change_log_lock(&lock))
                return EXIT_CODE_FAILURE;
        trial_begin(snapshot, &trial, &begin);
        command_lock_release(&lock);
        has_begun = trial_log_begin(snapshot->socket, &trial, &begin);
        waiting.record = begin.record;
        waiting.had_carrier = begin.former.has_carrier;
        waiting.carrier_losses = begin.former.carrier_losses;
        trial_begin_free(&begin);
        if (!has_begun)
                return EXIT_CODE_FAILURE;
        rivals_report_line(args->backend, args->link, &args->line);
        if (args->host)
                exit_code = path_check_run(snapshot->socket, &check, waiting.had_carrier, waiting.deadline);
        if (exit_code != EXIT_CODE_DONE) {
                (void)revert(&waiting, false);
                return trial_is_undone(snapshot->socket, &waiting.record) ? exit_code : EXIT_CODE_FAILURE;
        }
        if (!is_detached)
                keys_open(&waiting.keys);
        if (!waiting.keys.are_read)
                log_info("%s: for %u s, unless setmtu confirm %s keeps it", args->line.name, timeout_s,
                         args->line.name);
        /* The trial goes on if its number cannot be printed; it is undone at its deadline. */
        if (is_detached && (printf("%" PRIu32 "\n", waiting.record.id) < 0 || fflush(stdout) != 0))
                return log_fail(EXIT_CODE_FAILURE, "the number of the trial cannot be printed: %s",
                                strerror(errno));
        if (is_detached)
                return EXIT_CODE_DONE;
        exit_code = wait_for_end(&waiting);
        progress_clear(&waiting.prompt);
        keys_close(&waiting.keys);
        return exit_code;
}

static int run_try(const struct command_line *line) {
        CLEANUP(snapshot_cleanup) struct snapshot snapshot = { 0 };
        const char *timeout = line->options[OPTION_TIMEOUT];
        unsigned timeout_s = TIMEOUT_DEFAULT_S;
        struct set_args args;
        int exit_code;

        if (timeout && !text_parse_seconds(timeout, TIMEOUT_LARGEST_S, &timeout_s))
                return log_fail(EXIT_CODE_USAGE,
                                "try: --timeout: \"%.64s\" is not a time from 1 s to 1 day; write 90, 90s, "
                                "2min or 1h",
                                timeout);
        exit_code = set_args_parse(line, &args);
        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        trial_revert_overdue_and_log();
        if (!prepare_snapshot(&snapshot))
                return EXIT_CODE_FAILURE;
        args.host = line->options[OPTION_PROBE];
        exit_code = set_args_resolve(&args, &snapshot);
        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        if (!args.link)
                return prepare_no_device(args.line.name, "", args.meant);
        return try_mtu(&snapshot, &args, timeout_s, line->options[OPTION_DETACH]);
}

const struct command command_try = {
        .name = "try",
        .arguments = "IFACE MTU [up] [keep]",
        .summary = "set an MTU that is undone unless confirmed",
        .text = "Sets the MTU, shows what happens to the carrier, and restores the old MTU unless the "
                "change is confirmed in time: with the key y or Enter, or with setmtu confirm from "
                "anywhere. The old MTU comes back even if this command is killed or its terminal is lost.",
        .examples = { "# setmtu try eth0 9000", "# setmtu try eth0 9000 --timeout 2min --probe nas" },
        .options = { [OPTION_TIMEOUT] = { "timeout", "TIME",
                                          "how long to wait: 90, 90s, 2min, 1h; by default 60s" },
                     [OPTION_PROBE] = { "probe", "HOST",
                                        "undo the change at once if the path does not carry it" },
                     [OPTION_DETACH] = { "detach", NULL, "do not wait; print the number of the trial" } },
        .changes = true,
        .words_min = 1,
        .words_max = 4,
        .run = run_try,
};
