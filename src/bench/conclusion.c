/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "bench/conclusion.h"

#include <math.h>

#include "bench/statistics.h"

size_t conclusion_next_look(size_t runs, size_t n_done) {
        for (size_t halves = 1; halves <= CONCLUSION_LOOKS_MAX; halves++) {
                size_t look = (halves * runs + 1) / 2;

                if (look >= CONCLUSION_RUNS_MIN && look > n_done)
                        return look;
        }
        return 0;
}

static size_t count_looks(size_t runs) {
        size_t n = 0;

        for (size_t look = 0; (look = conclusion_next_look(runs, look)) > 0;)
                n++;
        return n;
}

static double logarithm(const struct measurements *measurements, size_t size, size_t block) {
        return (measurements->less_is_better ? -1 : 1) * log(measurements->values[size][block]);
}

/* The variance of the difference of two sizes in one block, from the residuals of all measurements after
 * subtracting the means of their size and block: (n_sizes - 1) * (n_blocks - 1) degrees of freedom. */
static double common_variance(const struct measurements *measurements) {
        size_t n_sizes = measurements->n_sizes, n = measurements->n_blocks;
        double means[CONCLUSION_SIZES_MAX] = { 0 }, sum = 0, mean = 0;

        for (size_t size = 0; size < n_sizes; size++) {
                for (size_t block = 0; block < n; block++)
                        means[size] += logarithm(measurements, size, block) / (double)n;
                mean += means[size] / (double)n_sizes;
        }
        for (size_t block = 0; block < n; block++) {
                double block_mean = 0;

                for (size_t size = 0; size < n_sizes; size++)
                        block_mean += logarithm(measurements, size, block) / (double)n_sizes;
                for (size_t size = 0; size < n_sizes; size++) {
                        double rest = logarithm(measurements, size, block) - means[size] - block_mean + mean;

                        sum += rest * rest;
                }
        }
        return 2 * sum / (double)((n_sizes - 1) * (n - 1));
}

static size_t find_best(const struct measurements *measurements) {
        double sign = measurements->less_is_better ? -1 : 1, best_mean = -INFINITY;
        size_t best = 0;

        for (size_t size = 0; size < measurements->n_sizes; size++) {
                double mean = sign * statistics_mean(measurements->values[size], measurements->n_blocks);

                if (mean > best_mean) {
                        best = size;
                        best_mean = mean;
                }
        }
        return best;
}

struct comparison {
        size_t n_sizes, best;
        struct gap {
                double mean, stddev;
        } gaps[CONCLUSION_SIZES_MAX]; /* of each size to the best one, as a logarithm, over the blocks */
};

static void compare_sizes(const struct measurements *measurements, struct comparison *ret) {
        size_t n_sizes = measurements->n_sizes, best = find_best(measurements);
        double variance = common_variance(measurements), differences[CONCLUSION_BLOCKS_MAX];
        size_t n = measurements->n_blocks;

        *ret = (struct comparison){ .n_sizes = n_sizes, .best = best };
        for (size_t size = 0; size < n_sizes; size++) {
                if (size == best)
                        continue;
                for (size_t i = 0; i < n; i++)
                        differences[i] = logarithm(measurements, size, i) - logarithm(measurements, best, i);
                ret->gaps[size].mean = statistics_mean(differences, n);
                /* These two sizes may be noisier than the others. */
                ret->gaps[size].stddev = fmax(statistics_stddev(differences, n), sqrt(variance));
        }
}

/* The conclusion from the gaps over `n_blocks` blocks of a bench with `runs` runs. */
static struct conclusion decide(const struct comparison *comparison, size_t n_blocks, size_t runs) {
        size_t n_sizes = comparison->n_sizes, n_tests = count_looks(runs) * (n_sizes * (n_sizes - 1) / 2);
        double tail = CONCLUSION_ERROR / 2 / (double)n_tests, margin = log1p(-CONCLUSION_MARGIN);
        double t = statistics_student(tail, (unsigned)((n_sizes - 1) * (n_blocks - 1)));
        struct conclusion conclusion = { .best = comparison->best, .winner = n_sizes };
        bool has_worse = false, is_winner_equal = false, are_all_equal = true;

        for (size_t size = 0; size < n_sizes; size++) {
                const struct gap *gap = &comparison->gaps[size];
                double half = t * gap->stddev / sqrt((double)n_blocks);
                bool is_equal = gap->mean - half >= margin;

                are_all_equal &= is_equal;
                if (gap->mean + half < margin)
                        has_worse = true;
                else if (conclusion.winner == n_sizes) {
                        conclusion.winner = size;
                        conclusion.shortage = gap->mean - half < 0 ? -expm1(gap->mean - half) : 0;
                        is_winner_equal = is_equal;
                }
        }
        conclusion.is_settled = has_worse ? is_winner_equal : are_all_equal;
        /* The smallest size is no winner if it is only known that it may be as good. */
        if (has_worse && (is_winner_equal || conclusion.winner > 0))
                conclusion.kind = CONCLUSION_BEST;
        else
                conclusion.kind = are_all_equal ? CONCLUSION_NO_DIFFERENCE : CONCLUSION_INCONCLUSIVE;
        return conclusion;
}

struct conclusion conclusion_make(const struct measurements *measurements, size_t runs) {
        struct comparison comparison;

        compare_sizes(measurements, &comparison);
        return decide(&comparison, measurements->n_blocks, runs);
}

size_t conclusion_estimate_runs(const struct measurements *measurements, size_t runs) {
        struct comparison comparison;

        compare_sizes(measurements, &comparison);
        for (runs++; runs <= CONCLUSION_RUNS_MAX; runs++)
                if (decide(&comparison, runs, runs).kind != CONCLUSION_INCONCLUSIVE)
                        return runs;
        return 0;
}
