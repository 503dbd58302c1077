/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The rule that stops and the conclusion, on simulated benches: what they claim where there is nothing to be
 * found, and what they find where there is. */

#include "rows.h"

#include <math.h>

#include "bench/conclusion.h"
#include "bench/statistics.h"

static double normal(unsigned short seed[3]) {
        double u = 1 - erand48(seed), v = erand48(seed);

        return sqrt(-2 * log(u)) * cos(2 * M_PI * v);
}

/* How a machine is noisy. The parts are of the rate's logarithm. */
struct world {
        const char *name;
        size_t n_sizes;
        double means[CONCLUSION_SIZES_MAX]; /* Mbit/s, or seconds */
        double noise;                       /* of each measurement */
        double uneven;                      /* so many times that for the last size; 0: not so */
        double drift;                       /* a random walk's step, from one measurement to the next */
        double outliers;                    /* the probability of a measurement at half the rate */
        double step;                        /* what the clock or the line rounds to; 0: nothing */
        bool less_is_better;
        size_t runs;
        enum conclusion_kind kind; /* where there is something to be found: */
        size_t winner;
};

/* A bench as the command does it: blocks in random order, with a look now and then. Returns how many blocks
 * it took. */
static double values[CONCLUSION_SIZES_MAX][CONCLUSION_BLOCKS_MAX];
static struct measurements measurements;

static size_t simulate(const struct world *world, unsigned short seed[3], struct conclusion *ret) {
        double level = 0;
        size_t look;

        measurements.n_sizes = world->n_sizes;
        measurements.less_is_better = world->less_is_better;
        measurements.n_blocks = 0;
        for (size_t i = 0; i < world->n_sizes; i++)
                measurements.values[i] = values[i];
        while ((look = conclusion_next_look(world->runs, measurements.n_blocks)) > 0) {
                for (; measurements.n_blocks < look; measurements.n_blocks++) {
                        size_t order[CONCLUSION_SIZES_MAX];

                        for (size_t i = 0; i < world->n_sizes; i++)
                                order[i] = i;
                        statistics_shuffle(seed, order, world->n_sizes);
                        for (size_t i = 0; i < world->n_sizes; i++) {
                                double value = world->means[order[i]];

                                level += world->drift * normal(seed);
                                value *= exp(level +
                                             world->noise * normal(seed) *
                                                             (world->uneven > 0 && order[i] + 1 == world->n_sizes
                                                                              ? world->uneven
                                                                              : 1));
                                if (erand48(seed) < world->outliers)
                                        value *= world->less_is_better ? 2 : 0.5;
                                if (world->step > 0)
                                        value = fmax(1, round(value / world->step)) * world->step;
                                values[order[i]][measurements.n_blocks] = value;
                        }
                }
                *ret = conclusion_make(&measurements, measurements.n_blocks, world->runs);
                if (ret->is_settled)
                        break;
        }
        return measurements.n_blocks;
}

/* The same size against itself, whatever the noise is like: at most 1 % of a thousand benches claim
 * anything. */
static const struct world nothing[] = {
        { "quiet", .n_sizes = 2, .means = { 940, 940 }, .noise = 0.002, .runs = 10 },
        { "noisy", .n_sizes = 2, .means = { 5000, 5000 }, .noise = 0.1, .runs = 10 },
        { "very noisy", .n_sizes = 2, .means = { 5000, 5000 }, .noise = 0.5, .runs = 10 },
        { "three sizes", .n_sizes = 3, .means = { 5000, 5000, 5000 }, .noise = 0.1, .runs = 10 },
        { "eight sizes", .n_sizes = 8, .means = { 1, 1, 1, 1, 1, 1, 1, 1 }, .noise = 0.1, .runs = 10 },
        { "uneven", .n_sizes = 3, .means = { 1, 1, 1 }, .noise = 0.02, .uneven = 10, .runs = 10 },
        { "uneven, few runs", .n_sizes = 4, .means = { 1, 1, 1, 1 }, .noise = 0.02, .uneven = 10,
          .runs = 3 },
        { "few runs", .n_sizes = 3, .means = { 5000, 5000, 5000 }, .noise = 0.1, .runs = 3 },
        { "many runs", .n_sizes = 3, .means = { 5000, 5000, 5000 }, .noise = 0.1, .runs = 100 },
        { "drift", .n_sizes = 3, .means = { 5000, 5000, 5000 }, .noise = 0.02, .drift = 0.1, .runs = 10 },
        { "outliers", .n_sizes = 3, .means = { 5000, 5000, 5000 }, .noise = 0.02, .outliers = 0.1,
          .runs = 10 },
        { "seconds", .n_sizes = 3, .means = { 48, 48, 48 }, .noise = 0.05, .step = 1, .less_is_better = true,
          .runs = 5 },
        /* A difference, but one that nobody would notice. */
        { "below the margin", .n_sizes = 2, .means = { 941, 949 }, .noise = 0.001, .runs = 10 },
};

static void test_nothing(void **state) {
        const struct world *world = *state;
        unsigned short seed[3] = { 8 };
        unsigned n_claims = 0;

        for (int i = 0; i < 1000; i++) {
                struct conclusion conclusion;

                (void)simulate(world, seed, &conclusion);
                n_claims += conclusion.kind == CONCLUSION_BEST;
        }
        print_message("%s: %u claims in 1000 benches\n", world->name, n_claims);
        if (n_claims > 10)
                fail_msg("%u claims in 1000 benches", n_claims);
}

/* What there is is found, 20 times out of 20, and the smallest of equals is preferred. */
static const struct world effects[] = {
        { "a software path: more is better", .n_sizes = 3, .means = { 5300, 9900, 16800 }, .noise = 0.1,
          .runs = 10, .kind = CONCLUSION_BEST, .winner = 2 },
        { "the same in three runs", .n_sizes = 3, .means = { 5300, 9900, 16800 }, .noise = 0.05, .runs = 3,
          .kind = CONCLUSION_BEST, .winner = 2 },
        { "the one in the middle, by seconds", .n_sizes = 3, .means = { 94, 46, 49 }, .noise = 0.01,
          .runs = 10, .less_is_better = true, .kind = CONCLUSION_BEST, .winner = 1 },
        { "a gigabit line at its limit", .n_sizes = 3, .means = { 941, 978, 990 }, .noise = 0.002,
          .runs = 10, .kind = CONCLUSION_BEST, .winner = 1 },
        { "375 against 847", .n_sizes = 2, .means = { 375, 847 }, .noise = 0.15, .drift = 0.05, .runs = 10,
          .kind = CONCLUSION_BEST, .winner = 1 },
        { "larger is worse", .n_sizes = 2, .means = { 900, 700 }, .noise = 0.03, .runs = 10,
          .kind = CONCLUSION_BEST, .winner = 0 },
        { "all the same, and quiet", .n_sizes = 3, .means = { 2350, 2350, 2350 }, .noise = 0.003, .runs = 10,
          .kind = CONCLUSION_NO_DIFFERENCE },
        { "all the same, and noisy", .n_sizes = 3, .means = { 2350, 2350, 2350 }, .noise = 0.2, .runs = 10,
          .kind = CONCLUSION_INCONCLUSIVE },
        { "a busy machine", .n_sizes = 3, .means = { 4000, 6900, 9000 }, .noise = 0.12, .runs = 10,
          .kind = CONCLUSION_BEST, .winner = 2 },
};

static void test_effect(void **state) {
        const struct world *world = *state;
        unsigned short seed[3] = { 21 };

        for (int i = 0; i < 20; i++) {
                struct conclusion conclusion;

                (void)simulate(world, seed, &conclusion);
                assert_int_equal(conclusion.kind, world->kind);
                if (world->kind == CONCLUSION_BEST)
                        assert_int_equal(conclusion.winner, world->winner);
        }
}

/* It ends early where it can, goes on where it must, and not for ever. */
static void test_length(void **state) {
        unsigned short seed[3] = { 5 };
        struct conclusion conclusion;

        (void)state;
        assert_int_equal(simulate(&effects[0], seed, &conclusion), 5);
        assert_true(conclusion.is_settled);
        assert_int_equal(simulate(&effects[7], seed, &conclusion), 20);
        assert_false(conclusion.is_settled);
}

/* Of the benches that are inconclusive with a few runs, most conclude something with as many as are advised,
 * and those are not many more than it takes. */
static const struct world unclear[] = {
        { "half as much again", .n_sizes = 2, .means = { 5300, 8000 }, .noise = 0.2, .runs = 3 },
        { "a third", .n_sizes = 3, .means = { 5000, 6000, 6700 }, .noise = 0.15, .runs = 3 },
        { "a tenth", .n_sizes = 2, .means = { 5000, 5500 }, .noise = 0.08, .runs = 5 },
        { "no difference", .n_sizes = 2, .means = { 940, 940 }, .noise = 0.015, .runs = 3 },
        { "seconds", .n_sizes = 3, .means = { 94, 60, 49 }, .noise = 0.3, .less_is_better = true,
          .runs = 3 },
};

static void test_estimate(void **state) {
        const struct world *world = *state;
        unsigned short seed[3] = { 4 };
        unsigned n_advised = 0, n_concluded = 0;
        size_t n_used = 0, n_allowed = 0;

        for (int i = 0; i < 1000 && n_advised < 100; i++) {
                struct world again = *world;
                struct conclusion conclusion;

                (void)simulate(world, seed, &conclusion);
                again.runs = conclusion.kind == CONCLUSION_INCONCLUSIVE
                                             ? conclusion_estimate_runs(&measurements, world->runs)
                                             : 0;
                if (again.runs == 0)
                        continue;
                assert_true(again.runs > world->runs);
                n_used += simulate(&again, seed, &conclusion);
                n_advised++;
                n_allowed += again.runs;
                n_concluded += conclusion.kind != CONCLUSION_INCONCLUSIVE;
        }
        print_message("%s: %u of %u conclude something; %.1f runs advised, %.1f rounds used\n", world->name,
                      n_concluded, n_advised, (double)n_allowed / n_advised, (double)n_used / n_advised);
        assert_true(n_advised >= 10);
        assert_true(n_concluded * 10 >= n_advised * 7);
}

static void test_looks(void **state) {
        static const struct {
                size_t runs, looks[5];
        } rows[] = {
                { 3, { 3, 5, 6, 0 } },
                { 4, { 4, 6, 8, 0 } },
                { 5, { 3, 5, 8, 10, 0 } },
                { 10, { 5, 10, 15, 20, 0 } },
                { CONCLUSION_RUNS_MAX, { 100, 200, 300, 400, 0 } },
        };

        (void)state;
        for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
                for (size_t j = 0, done = 0; done > 0 || j == 0; j++) {
                        done = conclusion_next_look(rows[i].runs, done);
                        assert_int_equal(done, rows[i].looks[j]);
                }
}

int main(void) {
        const struct CMUnitTest tests[] = { cmocka_unit_test(test_length), cmocka_unit_test(test_looks) };

        return RUN_ROWS("nothing to be found", test_nothing, nothing) +
               RUN_ROWS("something to be found", test_effect, effects) +
               RUN_ROWS("how many runs it takes", test_estimate, unclear) +
               cmocka_run_group_tests_name("looks", tests, NULL, NULL);
}
