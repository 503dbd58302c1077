/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "command/bench_rounds.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/random.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "bench/statistics.h"
#include "change/trial_log.h"
#include "command/prepare.h"

/* Some NICs need seconds for a link after a reset; a switch with spanning tree needs half a minute. */
#define CARRIER_S 45
/* The revert timer waits this much longer than a measurement may take. */
#define GUARD_SLACK_S 30
/* A failed measurement is repeated; after this many failures in a row another try is useless. */
#define TRIES 3
#define BUSY_S 60

/* The device ------------------------------------------------------------------------------------------- */

bool rounds_open_device(struct rounds *rounds) {
        if (pipe2(rounds->pipe, O_CLOEXEC) < 0)
                return log_fail(false, "pipe: %s", strerror(errno));
        return prepare_check(snapshot_open(&diagnostic_silent, &rounds->snapshot));
}

static bool has_mtu(struct rounds *rounds, uint32_t mtu) {
        struct link now;

        return link_get_by_ifindex(rounds->snapshot.socket, rounds->link->ifindex, &now) == 0 &&
               now.mtu == mtu;
}

static bool wait_for_carrier(const struct rounds *rounds) {
        double begin = clock_boottime_s();
        struct link now;

        while (rounds->link->has_carrier &&
               link_get_by_ifindex(rounds->snapshot.socket, rounds->link->ifindex, &now) == 0 &&
               !now.has_carrier) {
                if (interrupt_seen())
                        return false;
                if (clock_boottime_s() - begin > CARRIER_S)
                        return log_fail(false, "%s: no carrier for %u s after the change of its MTU",
                                        rounds->link->name, CARRIER_S);
                (void)clock_sleep_ms(100);
        }
        return true;
}

bool rounds_set_mtu(struct rounds *rounds, uint32_t mtu, unsigned timeout_s) {
        struct config_line line = { .spec = { .mtu = mtu } };
        const struct trial_target target = { .ifindex = rounds->link->ifindex, .line = &line };
        const struct trial trial = { .targets = &target,
                                     .n_targets = 1,
                                     .timeout_s = timeout_s + CARRIER_S,
                                     .owner = rounds->pipe[0] };
        CLEANUP(trial_begin_free) struct trial_begin begin = { .is_carried_out = false };

        if (!rounds_restore_mtu(rounds))
                return false;
        if (mtu == rounds->link->mtu)
                return wait_for_carrier(rounds);
        strcpy(line.name, rounds->link->name);
        /* The progress shows which MTU it is. */
        rounds->is_on_trial = trial_begin_and_log(&rounds->snapshot, &trial, true, &begin);
        rounds->trial_id = begin.records.id;
        return rounds->is_on_trial && wait_for_carrier(rounds);
}

bool rounds_restore_mtu(struct rounds *rounds) {
        struct netlink_socket *socket = rounds->snapshot.socket;

        if (rounds->is_on_trial) {
                CLEANUP(trial_reverts_free) struct trial_reverts reverts;

                trial_revert_with_retries(socket, rounds->trial_id, false, &reverts);
                if (revert_timer_has_trial(rounds->trial_id) || !has_mtu(rounds, rounds->link->mtu))
                        (void)trial_log_reverts(socket, &reverts);
                rounds->is_on_trial = false;
        }
        if (has_mtu(rounds, rounds->link->mtu))
                return true;
        return log_fail(false, "%s: another program has changed its MTU, which was %u at the beginning",
                        rounds->link->name, rounds->link->mtu);
}

void rounds_close(struct rounds *rounds) {
        if (rounds->is_on_trial)
                (void)rounds_restore_mtu(rounds);
        snapshot_cleanup(&rounds->snapshot);
        cleanup_close(&rounds->pipe[0]);
        cleanup_close(&rounds->pipe[1]);
        rounds->pipe[0] = rounds->pipe[1] = -1;
}

/* One measurement ------------------------------------------------------------------------------------- */

/* Other than RUN_DONE leaves `ret_rate` undefined. RUN_HOPELESS without a fault is logged already. */
static enum run_end measure_once(struct rounds *rounds, unsigned seconds, bool is_reverse, uint32_t mtu,
                                 double *ret_rate) {
        const struct report *report = rounds->report;
        unsigned mss = mtu - report->headers;
        struct iperf3_result result;
        enum run_end end;

        *rounds->fault = '\0';
        if (!rounds_set_mtu(rounds, mtu, seconds + GUARD_SLACK_S))
                return interrupt_seen() ? RUN_STOPPED : RUN_HOPELESS;
        end = iperf3_run(report, seconds, is_reverse, &result, rounds->fault);
        if (end != RUN_DONE)
                return end;
        *ret_rate = result.rate;
        if (!has_mtu(rounds, mtu))
                return run_fail(rounds->fault, RUN_UNPROVEN,
                                "not proven: another program has changed the MTU meanwhile");
        /* Nothing shows what the other host sent. The warm-up has proven the size with this one sending. */
        if (is_reverse)
                return RUN_DONE;
        if (!iperf3_has_sent(&result, mss))
                return run_fail(rounds->fault, RUN_UNPROVEN,
                                "not proven: what was sent was not in segments of %u bytes; the other "
                                "host's MTU may be smaller",
                                mss);
        return RUN_DONE;
}

/* All measurements ------------------------------------------------------------------------------------ */

bool rounds_has_sizes(const struct rounds *rounds) {
        return rounds->report->rates.n_sizes >= 2 ||
               log_fail(false, "fewer than two sizes are left to compare");
}

/* Whether all other measurements would end like this, too. */
static bool is_final(enum run_end end) {
        return end == RUN_DONE || end == RUN_STOPPED || end == RUN_HOPELESS;
}

/* Makes one measurement, and repeats it up to `n_tries` times if it is discarded. Waits for a busy server.
 * It is busy for a moment with our own last run, whose end it has not seen yet, or does not listen yet after
 * that: this is not logged. */
static enum run_end measure(struct rounds *rounds, unsigned seconds, bool is_reverse, unsigned n_tries,
                            uint32_t mtu, double *ret_rate) {
        for (unsigned n_busy = 0, n_failed = 0;;) {
                enum run_end end = measure_once(rounds, seconds, is_reverse, mtu, ret_rate);
                bool is_busy = end == RUN_BUSY || (end == RUN_REFUSED && rounds->has_run && n_busy == 0);

                rounds->has_run |= end == RUN_DONE;
                progress_clear(&rounds->progress);
                if (is_final(end) || (is_busy ? ++n_busy == BUSY_S : ++n_failed == n_tries))
                        return end;
                if (!is_busy)
                        log_warning("MTU %u: %s; this run is repeated", mtu, rounds->fault);
                else if (n_busy == 2)
                        log_info("%s; waiting for it", rounds->fault);
                if (!interrupt_seen())
                        (void)clock_sleep_ms(1000);
        }
}

/* The first measurement of each size does not count: it warms up both ends and shows whether that size gets
 * through. */
static bool warm_up(struct rounds *rounds) {
        struct report *report = rounds->report;
        unsigned seconds = report->seconds > 2 ? 2 : report->seconds;

        for (size_t size = 0; size < report->rates.n_sizes;) {
                uint32_t mtu = report->mtus[size];
                double ignored;
                enum run_end end;

                snprintf(rounds->progress.what, sizeof(rounds->progress.what), "warming up, MTU %u", mtu);
                progress_draw(&rounds->progress);
                /* Only with this end sending does the report prove the size. */
                end = measure(rounds, seconds, false, 1, mtu, &ignored);
                if (end == RUN_DONE && report->is_reverse)
                        end = measure(rounds, seconds, true, 1, mtu, &ignored);
                if (end == RUN_DONE)
                        size++;
                else if (is_final(end) || (size == 0 && end != RUN_UNPROVEN)) {
                        /* If the smallest size fails, its size is not the cause. */
                        if (*rounds->fault)
                                log_error("%s", rounds->fault);
                        return false;
                } else {
                        log_warning("%u is left out: %s", mtu, rounds->fault);
                        report_leave_out(report, size);
                }
        }
        return rounds_has_sizes(rounds);
}

/* Measures each size once, in random order: changes over time affect all sizes alike. */
static bool measure_round(struct rounds *rounds, unsigned short seed[static 3]) {
        struct report *report = rounds->report;
        size_t order[CONCLUSION_SIZES_MAX];

        for (size_t i = 0; i < report->rates.n_sizes; i++)
                order[i] = i;
        statistics_shuffle(seed, order, report->rates.n_sizes);
        for (size_t place = 0; place < report->rates.n_sizes; place++) {
                uint32_t mtu = report->mtus[order[place]];
                double *rate = &report->rates.values[order[place]][report->rates.n_blocks];
                enum run_end end;

                snprintf(rounds->progress.what, sizeof(rounds->progress.what), "round %zu of %zu, MTU %u",
                         report->rates.n_blocks + 1, report->runs, mtu);
                progress_draw(&rounds->progress);
                end = measure(rounds, report->seconds, report->is_reverse, TRIES, mtu, rate);
                if (end != RUN_DONE && *rounds->fault)
                        log_error("MTU %u: %s%s", mtu, rounds->fault, is_final(end) ? "" : "; given up");
                if (end != RUN_DONE)
                        return false;
                rounds->progress.n_done++;
        }
        report->rates.n_blocks++;
        return true;
}

bool rounds_measure(struct rounds *rounds) {
        struct report *report = rounds->report;
        unsigned short seed[3] = { 0 };

        progress_open(&rounds->progress);
        rounds->progress.n_all = report->rates.n_sizes * report->runs;
        if (!warm_up(rounds))
                return false;
        /* A failure leaves the same order for each bench, which is as good. */
        (void)!getrandom(seed, sizeof(seed), GRND_NONBLOCK);
        progress_open(&rounds->progress);
        rounds->progress.n_all = report->rates.n_sizes * report->runs;
        while (report->rates.n_blocks < report->runs)
                if (!measure_round(rounds, seed))
                        return false;
        progress_clear(&rounds->progress);
        return true;
}
