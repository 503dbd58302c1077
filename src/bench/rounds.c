/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "bench/rounds.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "base/text.h"

/* The revert timer waits this much longer than a measurement may take. */
#define GUARD_SLACK_S 30
/* A failed measurement is repeated; after this many failures in a row another try is useless. */
#define TRIES 3
#define BUSY_S 60
/* Ratios are to the default MTU of Ethernet. */
#define MTU_REFERENCE 1500

/* One measurement ------------------------------------------------------------------------------------- */

/* RUN_DONE if iperf3's report shows that segments of `mtu` were sent. */
static enum run_end prove_size(struct rounds *rounds, const struct iperf3_result *result, uint32_t mtu) {
        unsigned mss = mtu - rounds->headers;

        if (result->run.pmtu > 0 && result->run.pmtu < mtu)
                return run_fail(rounds->fault, RUN_UNPROVEN, "not proven: the path's MTU was %u",
                                result->run.pmtu);
        if (result->mss > 0 && result->mss != mss && result->mss != mss - IPERF3_TIME_STAMPS)
                return run_fail(rounds->fault, RUN_UNPROVEN,
                                "not proven: both ends agreed upon segments of %u bytes, not %u; the other "
                                "host's MTU may be smaller",
                                result->mss, mss);
        /* Says nothing of what the other host sent; the warm-up has proven the size with this end
         * sending. */
        if (result->run.values[REPORT_OUT] > 0 && !iperf3_has_sent(result, mss))
                return run_fail(rounds->fault, RUN_UNPROVEN,
                                "not proven: what was sent was not in segments of %u bytes; the other "
                                "host's MTU may be smaller",
                                mss);
        return RUN_DONE;
}

static enum run_end measure_iperf3(struct rounds *rounds, struct iperf3_call call, uint32_t mtu,
                                   struct report_run *ret) {
        struct iperf3_result result;
        enum run_end end;

        call.host = rounds->report->address;
        call.mss = rounds->device ? 0 : mtu - rounds->headers;
        end = iperf3_run(&call, &rounds->progress, &result, rounds->fault);
        if (end == RUN_DONE)
                end = prove_size(rounds, &result, mtu);
        if (end != RUN_DONE)
                return end;
        *ret = result.run;
        ret->mss = ret->values[REPORT_OUT] > 0 ? mtu - rounds->headers : 0;
        return end;
}

static enum run_end measure_command(struct rounds *rounds, unsigned seconds, struct report_run *ret) {
        const char *const arguments[] = { "sh", "-c", rounds->report->command, NULL };
        const struct measured_process_call call = {
                .arguments = arguments,
                .name = "the command",
                .limit_s = seconds,
                .limit_note = " (--time)",
                .progress = &rounds->progress,
        };
        CLEANUP(measured_process_cleanup) struct measured_process result = { .output = NULL };
        enum run_end end = measured_process_run(&call, &result, rounds->fault);

        if (end != RUN_DONE)
                return end;
        if (result.status != 0)
                return measured_process_fail(&result, "the command", rounds->fault);
        *ret = (struct report_run){ .retransmits = -1 };
        ret->values[REPORT_BOTH] =
                        rounds->bytes > 0 ? (double)rounds->bytes / result.seconds : result.seconds;
        return end;
}

/* Other than RUN_DONE leaves `ret` untouched. RUN_HOPELESS without a fault is logged already. */
static enum run_end measure_once(struct rounds *rounds, const struct iperf3_call *call, uint32_t mtu,
                                 struct report_run *ret) {
        enum run_end end;

        *rounds->fault = '\0';
        if (rounds->device && !bench_device_set(rounds->device, mtu, call->seconds + GUARD_SLACK_S))
                return interrupt_seen() ? RUN_STOPPED : RUN_HOPELESS;
        end = rounds->report->command ? measure_command(rounds, call->seconds, ret)
                                      : measure_iperf3(rounds, *call, mtu, ret);
        if (end == RUN_DONE && rounds->device && !bench_device_has(rounds->device, mtu))
                return run_fail(rounds->fault, RUN_UNPROVEN,
                                "not proven: another program has changed the MTU meanwhile");
        return end;
}

/* All measurements ------------------------------------------------------------------------------------ */

bool rounds_has_sizes(const struct rounds *rounds) {
        if (rounds->report->n_sizes >= 2)
                return true;
        return log_fail(false, "fewer than two sizes are left to compare");
}

/* Logs above the progress line. */
__attribute__((format(printf, 3, 4))) static void rounds_log(struct rounds *rounds,
                                                             enum log_priority priority, const char *format,
                                                             ...) {
        char text[RUN_FAULT_SIZE + 160];

        TEXT_FORMAT(text, sizeof(text), format);
        progress_clear(&rounds->progress);
        log_message(priority, "%s", text);
}

static void pause_a_second(void) {
        if (!interrupt_seen())
                (void)clock_sleep_ms(1000);
}

/* Waits for a busy server. It is busy for a moment with our own last run, whose end it has not seen yet, or
 * does not listen yet after that: this is not logged. */
static enum run_end measure_when_free(struct rounds *rounds, const struct iperf3_call *call, uint32_t mtu,
                                      struct report_run *ret) {
        for (unsigned n_busy = 1;; n_busy++) {
                enum run_end end = measure_once(rounds, call, mtu, ret);
                bool is_about_to_listen = end == RUN_REFUSED && rounds->has_run && n_busy == 1;

                rounds->has_run |= end == RUN_DONE;
                if ((end != RUN_BUSY && !is_about_to_listen) || n_busy == BUSY_S)
                        return end;
                if (n_busy == 2)
                        rounds_log(rounds, LOG_PRIORITY_INFO, "%s; waiting for it", rounds->fault);
                pause_a_second();
        }
}

static void show_size(struct rounds *rounds, const char *what, uint32_t mtu) {
        snprintf(rounds->progress.what, sizeof(rounds->progress.what), "%sMTU %u", what, mtu);
        progress_draw(&rounds->progress);
}

/* Makes one measurement, and repeats it if it is discarded. False if that fails, which is logged, or if
 * interrupted. */
static bool measure_size(struct rounds *rounds, uint32_t mtu, struct report_run *ret) {
        for (unsigned n_tries = 1;; n_tries++) {
                enum run_end end;
                bool is_over;

                show_size(rounds, "", mtu);
                end = measure_when_free(rounds, &rounds->call, mtu, ret);
                if (end == RUN_DONE)
                        return true;
                is_over = end == RUN_STOPPED || end == RUN_HOPELESS;
                if (is_over || end == RUN_BUSY || n_tries == TRIES) {
                        if (*rounds->fault)
                                rounds_log(rounds, LOG_PRIORITY_ERROR, "MTU %u: %s%s", mtu, rounds->fault,
                                           is_over ? "" : "; given up");
                        return false;
                }
                rounds_log(rounds, LOG_PRIORITY_WARNING, "MTU %u: %s; this run is discarded and made again",
                           mtu, rounds->fault);
                pause_a_second();
        }
}

/* The first measurement of each size does not count: it warms up both ends and shows whether that size gets
 * through. */
static bool warm_up(struct rounds *rounds) {
        struct report *report = rounds->report;

        for (size_t size = 0; size < report->n_sizes;) {
                struct iperf3_call call = rounds->call;
                uint32_t mtu = report->mtus[size];
                struct report_run ignored;
                enum run_end end;

                if (!report->command && call.seconds > 2)
                        call.seconds = 2;
                show_size(rounds, "warming up, ", mtu);
                /* Only with this end sending does the report prove the size. */
                call.is_reverse = false;
                end = measure_when_free(rounds, &call, mtu, &ignored);
                call.is_reverse = rounds->call.is_reverse;
                if (end == RUN_DONE && call.is_reverse)
                        end = measure_when_free(rounds, &call, mtu, &ignored);
                if (end == RUN_DONE)
                        size++;
                else if (end == RUN_STOPPED || end == RUN_HOPELESS || (size == 0 && end != RUN_UNPROVEN)) {
                        /* If the smallest size fails, its size is not the cause. */
                        if (*rounds->fault)
                                rounds_log(rounds, LOG_PRIORITY_ERROR, "%s", rounds->fault);
                        return false;
                } else {
                        rounds_log(rounds, LOG_PRIORITY_WARNING, "%u is left out: %s", mtu, rounds->fault);
                        report_leave_out(report, size);
                }
        }
        return rounds_has_sizes(rounds);
}

/* Measures each size once, in random order: changes over time affect all sizes alike. */
static bool measure_block(struct rounds *rounds) {
        struct report *report = rounds->report;
        size_t order[CONCLUSION_SIZES_MAX];

        for (size_t i = 0; i < report->n_sizes; i++)
                order[i] = i;
        random_shuffle(&rounds->random, order, report->n_sizes);
        for (size_t place = 0; place < report->n_sizes; place++) {
                struct report_run *run = &report->runs[order[place]][report->n_blocks];

                if (!measure_size(rounds, report->mtus[order[place]], run))
                        return false;
                run->place = place;
                rounds->progress.n_done++;
        }
        report->n_blocks++;
        return true;
}

/* Measures until the conclusion is settled or the last look is over. */
static bool measure_all(struct rounds *rounds) {
        CLEANUP(cleanup_free) struct measurements *measurements = malloc(sizeof(*measurements));
        struct report *report = rounds->report;
        size_t look;

        report->runs = calloc(CONCLUSION_SIZES_MAX, sizeof(*report->runs));
        if (!measurements || !report->runs)
                return log_fail(false, LOG_OUT_OF_MEMORY);
        progress_open(&rounds->progress);
        rounds->progress.n_all = report->n_sizes * rounds->n_runs;
        if (!warm_up(rounds))
                return false;
        progress_open(&rounds->progress);
        for (size_t i = 0; i < report->n_sizes; i++)
                if (report->mtus[i] == MTU_REFERENCE)
                        report->reference = i;
        while ((look = conclusion_next_look(rounds->n_runs, report->n_blocks)) > 0) {
                size_t planned = look > rounds->n_runs ? look : rounds->n_runs;

                rounds->progress.n_all = planned * report->n_sizes;
                while (report->n_blocks < look)
                        if (!measure_block(rounds))
                                return false;
                report_measurements(report, report->judged, measurements);
                report->conclusion = conclusion_make(measurements, rounds->n_runs);
                if (report->conclusion.is_settled)
                        break;
        }
        if (report->conclusion.kind == CONCLUSION_INCONCLUSIVE)
                report->runs_advised = conclusion_estimate_runs(measurements, rounds->n_runs);
        return true;
}

bool rounds_measure(struct rounds *rounds) {
        bool is_good = measure_all(rounds);

        progress_clear(&rounds->progress);
        return is_good;
}
