/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "bench/bench_rounds.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/interrupt.h"
#include "base/log.h"

/* A measurement that fails is made again; one that fails as often as that in turn will not go well any more.
 */
#define TRIES 3
#define BUSY_S 60
/* Ratios are to what everybody has. */
#define MTU_REFERENCE 1500

bool bench_has_enough_sizes(const struct report *report) {
        if (report->n_sizes >= 2)
                return true;
        log_error("there are not two sizes left that could be compared");
        return false;
}

static void tick(void *userdata) {
        struct bench_rounds *rounds = userdata;

        progress_draw(&rounds->progress);
}

/* Whatever is said goes above the line of progress. */
__attribute__((format(printf, 3, 4))) static void say(struct bench_rounds *rounds,
                                                      enum log_priority priority, const char *format, ...) {
        char text[IPERF3_FAULT_SIZE + 160];
        va_list arguments;

        va_start(arguments, format);
        vsnprintf(text, sizeof(text), format, arguments);
        va_end(arguments);
        progress_clear(&rounds->progress);
        log_message(priority, "%s", text);
}

static void pause_a_second(void) {
        if (!interrupt_seen())
                (void)clock_sleep_ms(1000);
}

/* Waits for a server that is busy. For a moment it is that with our own last run, whose end it has not seen
 * yet: that is not worth a word. */
static enum bench_end measure_when_free(struct bench_rounds *rounds, uint32_t mtu, struct report_run *ret,
                                        char fault[static IPERF3_FAULT_SIZE]) {
        enum bench_end end;

        for (unsigned n_busy = 1;; n_busy++) {
                end = bench_measure(rounds->method, mtu, ret, fault);
                if (end != BENCH_BUSY || n_busy == BUSY_S)
                        return end;
                if (n_busy == 2)
                        say(rounds, LOG_PRIORITY_INFO, "%s; waiting for it", fault);
                pause_a_second();
        }
}

/* One measurement that counts, made again where it is discarded. False where it could not be had: that is
 * said. */
static bool measure(struct bench_rounds *rounds, size_t size, struct report_run *ret) {
        char fault[IPERF3_FAULT_SIZE];
        uint32_t mtu = rounds->report->mtus[size];

        for (unsigned n_tries = 0;;) {
                snprintf(rounds->what, sizeof(rounds->what), "MTU %u", mtu);
                progress_draw(&rounds->progress);
                switch (measure_when_free(rounds, mtu, ret, fault)) {
                case BENCH_DONE:
                        return true;
                case BENCH_STOPPED:
                        return false;
                case BENCH_HOPELESS:
                        if (*fault)
                                say(rounds, LOG_PRIORITY_ERROR, "MTU %u: %s", mtu, fault);
                        return false;
                case BENCH_BUSY:
                        break;
                case BENCH_DISCARDED:
                case BENCH_UNPROVEN:
                        if (++n_tries < TRIES) {
                                say(rounds, LOG_PRIORITY_WARNING,
                                    "MTU %u: %s; this run is discarded and made again", mtu, fault);
                                pause_a_second();
                                continue;
                        }
                        break;
                }
                say(rounds, LOG_PRIORITY_ERROR, "MTU %u: %s; given up", mtu, fault);
                return false;
        }
}

/* The first of each size does not count: it warms up both ends, and shows whether that size gets through at
 * all. */
static bool warm_up(struct bench_rounds *rounds) {
        const struct bench_method former = *rounds->method;
        struct report *report = rounds->report;
        bool is_good = true;

        if (!report->command && rounds->method->seconds > 2)
                rounds->method->seconds = 2;
        for (size_t size = 0; is_good && size < report->n_sizes;) {
                char fault[IPERF3_FAULT_SIZE];
                struct report_run run;
                enum bench_end end;

                snprintf(rounds->what, sizeof(rounds->what), "warming up, MTU %u", report->mtus[size]);
                progress_draw(&rounds->progress);
                /* Only this end's report proves what size was sent. */
                rounds->method->is_reverse = false;
                end = measure_when_free(rounds, report->mtus[size], &run, fault);
                if (end == BENCH_DONE && former.is_reverse) {
                        rounds->method->is_reverse = true;
                        end = measure_when_free(rounds, report->mtus[size], &run, fault);
                }
                if (end == BENCH_DONE)
                        size++;
                else if (end == BENCH_STOPPED || end == BENCH_HOPELESS) {
                        if (end == BENCH_HOPELESS && *fault)
                                say(rounds, LOG_PRIORITY_ERROR, "%s", fault);
                        is_good = false;
                } else if (size == 0 && end != BENCH_UNPROVEN) {
                        /* Where the smallest does not get through, it is not for its size. */
                        say(rounds, LOG_PRIORITY_ERROR, "%s", fault);
                        is_good = false;
                } else {
                        say(rounds, LOG_PRIORITY_WARNING, "%u is left out: %s", report->mtus[size], fault);
                        report_leave_out(report, size);
                }
        }
        *rounds->method = former;
        if (is_good && !bench_has_enough_sizes(report))
                is_good = false;
        return is_good;
}

/* One of each size, in random order: what changes with time meets them all alike. */
static bool measure_block(struct bench_rounds *rounds) {
        struct report *report = rounds->report;
        size_t order[FINDING_SIZES_MAX];

        for (size_t i = 0; i < report->n_sizes; i++)
                order[i] = i;
        random_shuffle(rounds->random, order, report->n_sizes);
        for (size_t place = 0; place < report->n_sizes; place++) {
                struct report_run *run = &report->runs[order[place]][report->n_blocks];

                if (!measure(rounds, order[place], run))
                        return false;
                run->place = place;
                rounds->progress.n_done++;
        }
        report->n_blocks++;
        return true;
}

/* Goes on until the finding is settled, or as long as it may. */
static bool measure_all(struct bench_rounds *rounds) {
        CLEANUP(cleanup_free) struct measurements *measurements = malloc(sizeof(*measurements));
        struct report *report = rounds->report;
        size_t look;

        report->runs = calloc(FINDING_SIZES_MAX, sizeof(*report->runs));
        if (!measurements || !report->runs) {
                log_out_of_memory();
                return false;
        }
        progress_open(&rounds->progress);
        rounds->progress.what = rounds->what;
        rounds->progress.n_all = report->n_sizes * rounds->n_runs;
        if (!warm_up(rounds))
                return false;
        progress_open(&rounds->progress);
        rounds->progress.what = rounds->what;
        for (size_t i = 0; i < report->n_sizes; i++)
                if (report->mtus[i] == MTU_REFERENCE)
                        report->reference = i;
        while ((look = finding_next_look(rounds->n_runs, report->n_blocks)) > 0) {
                size_t planned = look > rounds->n_runs ? look : rounds->n_runs;

                rounds->progress.n_all = planned * report->n_sizes;
                while (report->n_blocks < look)
                        if (!measure_block(rounds))
                                return false;
                report_measurements(report, measurements);
                report->finding = finding_make(measurements, rounds->n_runs);
                if (report->finding.is_settled)
                        break;
        }
        return true;
}

bool bench_rounds_measure(struct bench_rounds *rounds) {
        bool is_good;

        rounds->method->tick = tick;
        rounds->method->userdata = rounds;
        is_good = measure_all(rounds);
        progress_clear(&rounds->progress);
        return is_good;
}
