/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The conclusion, on simulated benches: what they claim where there is nothing to be
 * found, and what they find where there is. */

#include "rows.h"

#include <math.h>
#include <stdbool.h>

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
        double means[CONCLUSION_SIZES_MAX]; /* Mbit/s */
        double noise;                       /* of each measurement */
        double uneven;                      /* so many times that for the last size; 0: not so */
        double drift;                       /* a random walk's step, from one measurement to the next */
        double outliers;                    /* the probability of a measurement at half the rate */
        double step;                        /* what the clock or the line rounds to; 0: nothing */
        size_t runs;
        enum conclusion_kind kind; /* where there is something to be found: */
        size_t winner;
};

/* A bench as the command does it: blocks in random order. */
static struct conclusion simulate(const struct world *world, unsigned short seed[3]) {
        struct measurements measurements = { .n_sizes = world->n_sizes };
        double level = 0;

        for (; measurements.n_blocks < world->runs; measurements.n_blocks++) {
                size_t order[CONCLUSION_SIZES_MAX];

                for (size_t i = 0; i < world->n_sizes; i++)
                        order[i] = i;
                statistics_shuffle(seed, order, world->n_sizes);
                for (size_t i = 0; i < world->n_sizes; i++) {
                        bool is_uneven = world->uneven > 0 && order[i] + 1 == world->n_sizes;
                        double value = world->means[order[i]];

                        level += world->drift * normal(seed);
                        value *= exp(level + world->noise * normal(seed) * (is_uneven ? world->uneven : 1));
                        if (erand48(seed) < world->outliers)
                                value *= 0.5;
                        if (world->step > 0)
                                value = fmax(1, round(value / world->step)) * world->step;
                        measurements.values[order[i]][measurements.n_blocks] = value;
                }
        }
        return conclusion_make(&measurements);
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
          .runs = 5 },
        { "few runs", .n_sizes = 3, .means = { 5000, 5000, 5000 }, .noise = 0.1, .runs = 5 },
        { "many runs", .n_sizes = 3, .means = { 5000, 5000, 5000 }, .noise = 0.1, .runs = 100 },
        { "drift", .n_sizes = 3, .means = { 5000, 5000, 5000 }, .noise = 0.02, .drift = 0.1, .runs = 10 },
        { "outliers", .n_sizes = 3, .means = { 5000, 5000, 5000 }, .noise = 0.02, .outliers = 0.1,
          .runs = 10 },
        { "rounded", .n_sizes = 3, .means = { 48, 48, 48 }, .noise = 0.05, .step = 1, .runs = 5 },
        /* A difference, but one that nobody would notice. */
        { "below the margin", .n_sizes = 2, .means = { 941, 949 }, .noise = 0.001, .runs = 10 },
};

static void test_nothing(void **state) {
        const struct world *world = *state;
        unsigned short seed[3] = { 8 };
        unsigned n_claims = 0;

        for (int i = 0; i < 1000; i++) {
                n_claims += simulate(world, seed).kind == CONCLUSION_BEST;
        }
        print_message("%s: %u claims in 1000 benches\n", world->name, n_claims);
        if (n_claims > 10)
                fail_msg("%u claims in 1000 benches", n_claims);
}

/* What there is is found, 20 times out of 20, and the smallest of equals is preferred. */
static const struct world effects[] = {
        { "a software path: more is better", .n_sizes = 3, .means = { 5300, 9900, 16800 }, .noise = 0.1,
          .runs = 10, .kind = CONCLUSION_BEST, .winner = 2 },
        { "the same in five runs", .n_sizes = 3, .means = { 5300, 9900, 16800 }, .noise = 0.05, .runs = 5,
          .kind = CONCLUSION_BEST, .winner = 2 },
        { "the one in the middle", .n_sizes = 3, .means = { 46, 94, 90 }, .noise = 0.01, .runs = 10,
          .kind = CONCLUSION_BEST, .winner = 1 },
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
        { "a busy machine", .n_sizes = 3, .means = { 4000, 6900, 9000 }, .noise = 0.12, .runs = 20,
          .kind = CONCLUSION_BEST, .winner = 2 },
};

static void test_effect(void **state) {
        const struct world *world = *state;
        unsigned short seed[3] = { 21 };

        for (int i = 0; i < 20; i++) {
                struct conclusion conclusion = simulate(world, seed);

                assert_int_equal(conclusion.kind, world->kind);
                if (world->kind == CONCLUSION_BEST)
                        assert_int_equal(conclusion.winner, world->winner);
        }
}

int main(void) {
        return RUN_ROWS("nothing to be found", test_nothing, nothing) +
               RUN_ROWS("something to be found", test_effect, effects);
}
