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
#include "kernel/link_monitor.h"
#include "programs/keep_round.h"
#include "store/change_lock.h"

/* From a change to the reaction, so that one program's changes of several devices, and the kernel's changes
 * that follow, are handled together. */
#define DELAY_S 0.01
/* The pause while a setmtu command holds its lock. */
#define LOCKED_S 0.02
/* Pause between two rounds, in durations of the last one, so that a storm costs at most a tenth of a
 * processor; and its maximum. */
#define REST_SHARE 10
#define REST_MAX_S 1.0

/* Changes by setmtu itself need no reaction: they set the kept MTU, leave no such record, or are trials. */
static void note_link(void *userdata, const struct link *link, bool is_gone) {
        struct keeper *keeper = userdata;
        struct kept_device *device = link ? keeper_find(keeper, link->ifindex) : NULL;
        double at = clock_monotonic_s() + DELAY_S;
        struct device_record record;

        if (is_gone)
                keeper_forget(keeper, device);
        if (keeper->follows || keeper->has_blocked)
                keeper_look_at(keeper, at);
        else if (link && !is_gone && keeper_has_changed(keeper, link, &record))
                keeper_look_at(keeper, device && keep_pace_next(&device->pace) > at
                                                       ? keep_pace_next(&device->pace)
                                                       : at);
}

/* Forgets devices without any state worth keeping. */
static void forget_calm(struct keeper *keeper, double now) {
        for (size_t i = keeper->n_devices; i-- > 0;)
                if (!keeper->devices[i].is_blocked && keep_pace_is_calm(&keeper->devices[i].pace, now))
                        keeper_forget(keeper, &keeper->devices[i]);
}

/* When the next round is. */
static double next_round(const struct keeper *keeper) {
        return keeper->due > keeper->rest ? keeper->due : keeper->rest;
}

/* Looks at all devices if that is due, unless a setmtu command is at work. */
static void handle_due(struct keeper *keeper) {
        double now = clock_monotonic_s(), begin = clock_process_s(), rest;
        CLEANUP(cleanup_close) int lock = -1;
        int r;

        if (next_round(keeper) > now)
                return;
        lock = change_lock_take(0);
        if (lock < 0 && lock != -ETIMEDOUT)
                log_error("%s cannot be locked: %s; no MTU is set again meanwhile", CHANGE_LOCK_PATH,
                          strerror(-lock));
        if (lock < 0) {
                keeper->due = now + (lock == -ETIMEDOUT ? LOCKED_S : KEEPER_AGAIN_S);
                return;
        }
        keeper->due = KEEPER_NEVER;
        r = keep_round_run(keeper, now);
        if (r < 0) {
                log_error("cannot look at the network devices: %s", strerror(-r));
                keeper_look_at(keeper, now + KEEPER_AGAIN_S);
        }
        forget_calm(keeper, now);
        /* Processor time: the kernel may take long to change a device, and sleeps meanwhile. */
        rest = REST_SHARE * (clock_process_s() - begin);
        keeper->rest = clock_monotonic_s() + (rest < REST_MAX_S ? rest : REST_MAX_S);
}

/* Time until something is due, in milliseconds for poll(2). */
static int time_left(const struct keeper *keeper) {
        double left = next_round(keeper) - clock_monotonic_s();

        if (keeper->due == KEEPER_NEVER)
                return -1;
        return left <= 0 ? 0 : (int)(left * 1000) + 1;
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

        while (reloads >= 0) {
                struct pollfd events[] = { { .fd = keeper->monitor, .events = POLLIN },
                                           { .fd = reloads, .events = POLLIN } };
                int r;

                if (poll(events, 2, time_left(keeper)) < 0 && errno != EINTR)
                        return -errno;
                r = link_monitor_read(keeper->monitor, note_link, keeper);
                if (r < 0 && r != -ENOBUFS)
                        return r;
                /* Events are lost, or another line may say auto. */
                if (r == -ENOBUFS || read(reloads, &reload, sizeof(reload)) > 0)
                        keeper_look_at(keeper, clock_monotonic_s() + DELAY_S);
                handle_due(keeper);
        }
        return reloads;
}

int keeper_run(void) {
        struct keeper keeper = { .monitor = link_monitor_open() };
        int r = keeper.monitor < 0 ? keeper.monitor : listen_to(&keeper);

        cleanup_close(&keeper.monitor);
        free(keeper.devices);
        return r;
}
