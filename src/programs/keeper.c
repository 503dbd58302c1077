/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "programs/keeper.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/log.h"
#include "programs/keep_follow.h"
#include "programs/keep_round.h"
#include "store/change_lock.h"
#include "store/load_plan.h"

/* From a change to the reaction, so that one program's changes of several devices, and the kernel's changes
 * that follow, are handled together. */
#define DELAY_S 0.01
/* Pause between two scans of all devices, in durations of the last scan, so that a storm costs at most a
 * tenth of a processor; and its maximum, however busy the machine is. */
#define ALL_SHARE 10
#define ALL_MAX_S 1.0

/* Checks again the devices that wait for a device below, whichever device has changed. */
static void wake_blocked(struct keeper *keeper, double now) {
        for (size_t i = 0; i < keeper->n_devices; i++)
                if (keeper->devices[i].is_blocked && keeper->devices[i].due == KEEPER_NEVER)
                        keeper->devices[i].due = now + KEEPER_BLOCKED_S;
}

/* Changes by setmtu itself need no reaction: they set the kept MTU, leave no such record, or are trials. */
static void note_link(void *userdata, const struct link *link, bool is_gone) {
        struct keeper *keeper = userdata;
        double now = clock_monotonic_s();
        struct kept_device *device = link ? keeper_find(keeper, link->ifindex) : NULL;
        struct device_record record;

        if (keeper->follows)
                keeper_follow_at(keeper, now + DELAY_S);
        if (!link)
                return;
        wake_blocked(keeper, now);
        if (is_gone) {
                keeper_forget(keeper, device);
                return;
        }
        if ((device && device->due != KEEPER_NEVER) || !keeper_has_changed(keeper, link, &record))
                return;
        if (!device)
                device = keeper_add(keeper, link->ifindex);
        if (device)
                device->due = now + DELAY_S > keep_pace_next(&device->pace) ? now + DELAY_S
                                                                            : keep_pace_next(&device->pace);
}

/* Marks the devices that are due, and those about to be. False if none is due. */
static bool mark_due(struct keeper *keeper, double now) {
        bool is_any = false;

        for (size_t i = 0; i < keeper->n_devices; i++) {
                struct kept_device *device = &keeper->devices[i];

                device->is_taken = device->due <= now + DELAY_S;
                is_any |= device->due <= now;
        }
        return is_any;
}

/* Forgets devices without any state worth keeping. */
static void forget_calm(struct keeper *keeper) {
        double now = clock_monotonic_s();

        for (size_t i = keeper->n_devices; i-- > 0;)
                if (keeper->devices[i].due == KEEPER_NEVER && !keeper->devices[i].is_blocked &&
                    keep_pace_is_calm(&keeper->devices[i].pace, now))
                        keeper_forget(keeper, &keeper->devices[i]);
}

static void log_blind(int error) {
        log_error("cannot look at the network devices: %s", strerror(-error));
}

static void look_at_all(struct keeper *keeper) {
        CLEANUP(link_table_free) struct link_table links = { 0 };
        double begin = clock_monotonic_s(), rest;
        int r = link_get_all(keeper->socket, &links);

        keeper->all_due = KEEPER_NEVER;
        for (size_t i = 0; i < links.n_links; i++)
                note_link(keeper, &links.links[i], false);
        rest = ALL_SHARE * (clock_monotonic_s() - begin);
        keeper->all_rest = clock_monotonic_s() + (rest < ALL_MAX_S ? rest : ALL_MAX_S);
        if (r == 0)
                return;
        log_blind(r);
        keeper_look_at_all_at(keeper, begin + KEEPER_BLOCKED_S);
}

/* Sets what depends on other devices and routes; rests then, like a scan. */
static void follow(struct keeper *keeper, double now) {
        double begin = clock_process_s(), rest;
        int r;

        keeper->follow_due = KEEPER_NEVER;
        r = keep_follow_run(keeper, now);
        /* Processor time: the kernel may take long to change a device, and sleeps meanwhile. */
        rest = ALL_SHARE * (clock_process_s() - begin);
        keeper->follow_rest = clock_monotonic_s() + (rest < ALL_MAX_S ? rest : ALL_MAX_S);
        if (r == 0)
                return;
        log_blind(r);
        keeper_follow_at(keeper, now + KEEPER_BLOCKED_S);
}

/* Handles what is due, unless a setmtu command is at work. */
static void handle_due(struct keeper *keeper) {
        double now = clock_monotonic_s();
        CLEANUP(cleanup_close) int lock = -1;
        bool is_following;
        int r;

        if (keeper->all_due <= now)
                look_at_all(keeper);
        is_following = keeper->follow_due <= now;
        if (!mark_due(keeper, now) && !is_following)
                return;
        lock = change_lock_take(0);
        if (lock < 0 && is_following)
                keeper->follow_due = now + (lock == -ETIMEDOUT ? KEEPER_LOCKED_S : KEEPER_BLOCKED_S);
        for (size_t i = 0; lock < 0 && i < keeper->n_devices; i++)
                if (keeper->devices[i].is_taken)
                        keeper->devices[i].due =
                                        now + (lock == -ETIMEDOUT ? KEEPER_LOCKED_S : KEEPER_BLOCKED_S);
        if (lock < 0 && lock != -ETIMEDOUT)
                log_error("%s cannot be locked: %s; no MTU is set again meanwhile", CHANGE_LOCK_PATH,
                          strerror(-lock));
        if (lock < 0)
                return;
        if (is_following)
                follow(keeper, now);
        r = keep_round_run(keeper, now);
        forget_calm(keeper);
        if (r < 0) {
                log_blind(r);
                keeper_look_at_all_at(keeper, now + KEEPER_BLOCKED_S);
        }
}

/* Time until something is due, in milliseconds for poll(2). */
static int time_left(const struct keeper *keeper) {
        double due = keeper->all_due < keeper->follow_due ? keeper->all_due : keeper->follow_due, left;

        for (size_t i = 0; i < keeper->n_devices; i++)
                if (keeper->devices[i].due < due)
                        due = keeper->devices[i].due;
        if (due == KEEPER_NEVER)
                return -1;
        left = due - clock_monotonic_s();
        return left <= 0 ? 0 : (int)(left * 1000) + 1;
}

/* Listens to ways as well while a line says auto: whoever writes the first such line reloads the service. */
static int read_lines(struct keeper *keeper) {
        CLEANUP(plan_free) struct plan plan = { 0 };
        int r = load_plan(&diagnostic_silent, &plan);

        if (r < 0)
                return r;
        keeper->follows = plan.has_fits || plan.config.is_partial;
        keeper->follow_due = keeper->follows ? 0 : KEEPER_NEVER;
        return link_monitor_hear_ways(keeper->monitor, keeper->follows);
}

/* Opens the descriptor by which reloads arrive. */
static int open_reloads(void) {
        sigset_t reload;
        int fd;

        sigemptyset(&reload);
        sigaddset(&reload, SIGHUP);
        sigprocmask(SIG_BLOCK, &reload, NULL);
        fd = signalfd(-1, &reload, SFD_CLOEXEC | SFD_NONBLOCK);
        return fd < 0 ? -errno : fd;
}

static int listen_to(struct keeper *keeper) {
        CLEANUP(cleanup_close) int reloads = open_reloads();
        struct signalfd_siginfo reload;
        int r = reloads < 0 ? reloads : read_lines(keeper);

        while (r == 0) {
                struct pollfd events[] = { { .fd = keeper->monitor, .events = POLLIN },
                                           { .fd = reloads, .events = POLLIN } };

                if (poll(events, 2, time_left(keeper)) < 0 && errno != EINTR)
                        return -errno;
                if (read(reloads, &reload, sizeof(reload)) > 0) {
                        r = read_lines(keeper);
                        continue;
                }
                r = link_monitor_read(keeper->monitor, note_link, keeper);
                if (r == -ENOBUFS)
                        keeper_look_at_all_at(keeper, clock_monotonic_s() + DELAY_S);
                else if (r < 0)
                        return r;
                r = 0;
                handle_due(keeper);
        }
        return r;
}

int keeper_run(void) {
        struct keeper keeper = { .monitor = -1, .follow_due = KEEPER_NEVER };
        int r = netlink_socket_open(NETLINK_ROUTE, &keeper.socket);

        if (r == 0)
                r = keeper.monitor = link_monitor_open();
        if (r >= 0)
                r = listen_to(&keeper);
        cleanup_close(&keeper.monitor);
        netlink_socket_cleanup(&keeper.socket);
        free(keeper.devices);
        return r;
}
