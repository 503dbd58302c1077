/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "command/bench_rounds.h"

#include <string.h>
#include <sys/random.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "bench/iperf3.h"
#include "bench/statistics.h"
#include "command/change_log.h"
#include "command/trial_log.h"
#include "output/progress.h"

/* Some NICs need seconds for a link after a reset; a switch with spanning tree needs half a minute. */
#define CARRIER_S 45
/* The revert timer waits this much longer than a measurement may take. */
#define GUARD_SLACK_S 30
/* Of warming up. */
#define WARM_UP_S 2
/* A failed measurement is repeated; after this many failures in a row another try is useless. */
#define TRIES 3
#define BUSY_S 60

struct rounds {
        struct report *report;
        const struct link *link; /* the device as it was found */
        struct snapshot *snapshot;
        bool is_on_trial; /* the device; of that trial: */
        uint32_t trial_id, tried;
        struct progress progress;
        char fault[RUN_FAULT_SIZE]; /* of the last measurement; empty: none, or it is logged already */
        bool has_run;               /* so a server was there */
};

/* A measurement to be made. */
struct run {
        uint32_t mtu;
        unsigned seconds;
        bool is_reverse;
        unsigned n_tries;
};

/* The device ------------------------------------------------------------------------------------------- */

static bool wait_for_carrier(const struct rounds *rounds) {
        double begin = clock_boottime_s();
        struct link now;

        while (rounds->link->has_carrier &&
               link_get_by_ifindex(rounds->snapshot->socket, rounds->link->ifindex, &now) == 0 &&
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

/* False if the device does not have the MTU from before now. The next call tries a failed revert again. */
static bool restore_mtu(struct rounds *rounds) {
        struct netlink_socket *socket = rounds->snapshot->socket;
        const struct link *link = rounds->link;
        struct link now;
        int r;

        if (rounds->is_on_trial &&
            trial_revert_and_log(socket, rounds->trial_id, true) == TRIAL_REVERT_FAILED)
                return false;
        rounds->is_on_trial = false;
        r = link_get_by_ifindex(socket, link->ifindex, &now);
        if (r < 0)
                change_log_unreadable(socket, link->name, r);
        else if (now.mtu != link->mtu)
                log_error("%s: another program has changed its MTU, which was %u at the beginning",
                          link->name, link->mtu);
        return r == 0 && now.mtu == link->mtu;
}

/* Gives the device the MTU of the run, and waits for its carrier. */
static bool set_mtu(struct rounds *rounds, const struct run *run) {
        struct config_line line = { .spec = { .mtu = run->mtu } };
        const struct trial_target target = { .ifindex = rounds->link->ifindex, .line = &line };
        const struct trial trial = { .targets = &target,
                                     .n_targets = 1,
                                     .timeout_s = run->seconds + GUARD_SLACK_S + CARRIER_S };
        CLEANUP(trial_begin_free) struct trial_begin begin = { .name = NULL };

        if (!restore_mtu(rounds))
                return false;
        if (run->mtu == rounds->link->mtu)
                return wait_for_carrier(rounds);
        strcpy(line.name, rounds->link->name);
        /* The progress shows which MTU it is. */
        rounds->is_on_trial = trial_begin_and_log(rounds->snapshot, &trial, true, &begin);
        rounds->trial_id = begin.records.id;
        rounds->tried = run->mtu;
        return rounds->is_on_trial && wait_for_carrier(rounds);
}

/* Measurements ---------------------------------------------------------------------------------------- */

/* Other than RUN_DONE leaves `ret` undefined. RUN_HOPELESS without a fault is logged already, or an
 * interruption. */
static enum run_end measure_once(struct rounds *rounds, const struct run *run, struct iperf3_result *ret) {
        const struct report *report = rounds->report;
        const struct link *link = rounds->link;
        unsigned mss = run->mtu - report->headers;
        enum run_end end;

        *rounds->fault = '\0';
        if (run->mtu < link->mtu_min || (link->mtu_max > 0 && run->mtu > link->mtu_max))
                return run_fail(rounds->fault, RUN_UNPROVEN, "%s takes %u to %u", link->name, link->mtu_min,
                                link->mtu_max);
        if (!set_mtu(rounds, run))
                return RUN_HOPELESS;
        end = iperf3_run(report, run->seconds, run->is_reverse, ret, rounds->fault);
        if (end != RUN_DONE)
                return end;
        /* Nothing shows what the other host sent. The warm-up has proven the size with this one sending. */
        if (run->is_reverse || iperf3_has_sent(ret, mss))
                return RUN_DONE;
        return run_fail(rounds->fault, RUN_UNPROVEN,
                        "not proven: what was sent was not in segments of %u bytes; the other host's MTU "
                        "may be smaller",
                        mss);
}

/* Whether another attempt makes no sense. */
static bool is_final(enum run_end end) {
        return end == RUN_DONE || end == RUN_HOPELESS;
}

/* Makes one measurement, and repeats it if it is discarded. Waits for a busy server. It is busy for a moment
 * with our own last run, whose end it has not seen yet, or does not listen yet after that: this is not
 * logged. */
static enum run_end measure(struct rounds *rounds, const struct run *run, struct iperf3_result *ret) {
        struct progress *progress = &rounds->progress;

        /* The warm-up is a round, too. */
        progress->n_all = rounds->report->rates.n_sizes * (rounds->report->runs + 1);
        snprintf(progress->what, sizeof(progress->what), "MTU %u", run->mtu);
        for (unsigned n_busy = 0, n_failed = 0;;) {
                enum run_end end;
                bool is_busy;

                progress_draw(progress);
                end = measure_once(rounds, run, ret);
                is_busy = end == RUN_BUSY || (end == RUN_REFUSED && rounds->has_run && n_busy == 0);
                rounds->has_run |= end == RUN_DONE;
                progress_clear(progress);
                if (is_final(end) || (is_busy ? ++n_busy == BUSY_S : ++n_failed == run->n_tries))
                        return end;
                if (!is_busy)
                        log_warning("MTU %u: %s; this run is repeated", run->mtu, rounds->fault);
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

        for (size_t size = 0; size < report->rates.n_sizes;) {
                struct run run = { .mtu = report->mtus[size],
                                   .seconds = report->seconds < WARM_UP_S ? report->seconds : WARM_UP_S,
                                   .n_tries = 1 };
                struct iperf3_result ignored;
                /* Only with this end sending does the report prove the size. */
                enum run_end end = measure(rounds, &run, &ignored);

                run.is_reverse = report->is_reverse;
                if (end == RUN_DONE && run.is_reverse)
                        end = measure(rounds, &run, &ignored);
                if (end == RUN_DONE) {
                        rounds->progress.n_done++;
                        size++;
                } else if (is_final(end) || (size == 0 && end != RUN_UNPROVEN)) {
                        /* If the smallest size fails, its size is not the cause. */
                        if (*rounds->fault)
                                log_error("%s", rounds->fault);
                        return false;
                } else {
                        log_warning("%u is left out: %s", run.mtu, rounds->fault);
                        report_leave_out(report, size);
                }
        }
        return report->rates.n_sizes >= 2 || log_fail(false, "fewer than two sizes are left to compare");
}

/* Measures each size once, in random order: changes over time affect all sizes alike. */
static bool measure_round(struct rounds *rounds, unsigned short seed[static 3]) {
        struct report *report = rounds->report;
        size_t order[CONCLUSION_SIZES_MAX];

        for (size_t i = 0; i < report->rates.n_sizes; i++)
                order[i] = i;
        statistics_shuffle(seed, order, report->rates.n_sizes);
        for (size_t i = 0; i < report->rates.n_sizes; i++) {
                const struct run run = { .mtu = report->mtus[order[i]],
                                         .seconds = report->seconds,
                                         .is_reverse = report->is_reverse,
                                         .n_tries = TRIES };
                struct usage *usage = &report->usage[order[i]];
                struct iperf3_result result = { .rate = 0 };
                enum run_end end = measure(rounds, &run, &result);

                if (end != RUN_DONE && *rounds->fault)
                        log_error("MTU %u: %s%s", run.mtu, rounds->fault, is_final(end) ? "" : "; given up");
                if (end != RUN_DONE)
                        return false;
                report->rates.values[order[i]][report->rates.n_blocks] = result.rate;
                usage->retransmits += result.usage.retransmits;
                usage->cpu_here += result.usage.cpu_here;
                usage->cpu_there += result.usage.cpu_there;
                rounds->progress.n_done++;
        }
        report->rates.n_blocks++;
        return true;
}

bool bench_measure(struct report *report, const struct link *link, struct snapshot *snapshot) {
        struct rounds rounds = { .report = report, .link = link, .snapshot = snapshot };
        unsigned short seed[3] = { 0 };
        bool is_good, is_restored;

        /* A failure leaves the same order for each bench, which is as good. */
        (void)!getrandom(seed, sizeof(seed), GRND_NONBLOCK);
        progress_open(&rounds.progress);
        is_good = warm_up(&rounds);
        while (is_good && report->rates.n_blocks < report->runs)
                is_good = measure_round(&rounds, seed);
        is_restored = restore_mtu(&rounds);
        if (rounds.is_on_trial)
                log_error("%s: the trial of %u goes on until its deadline; setmtu revert ends it",
                          link->name, rounds.tried);
        if (interrupt_seen())
                log_error("interrupted%s", is_restored ? "; the MTU is restored" : "");
        return is_good && is_restored && !interrupt_seen();
}
