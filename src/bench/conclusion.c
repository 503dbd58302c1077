/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "bench/conclusion.h"

#include <math.h>

#include "bench/statistics.h"

static size_t list_looks(size_t runs, size_t looks[static CONCLUSION_LOOKS_MAX]) {
        const size_t wanted[CONCLUSION_LOOKS_MAX] = { (runs + 1) / 2, runs, runs + (runs + 1) / 2,
                                                      2 * runs };
        size_t n = 0;

        for (size_t i = 0; i < CONCLUSION_LOOKS_MAX; i++)
                if (wanted[i] >= CONCLUSION_RUNS_MIN && (n == 0 || wanted[i] > looks[n - 1]))
                        looks[n++] = wanted[i];
        return n;
}

size_t conclusion_next_look(size_t runs, size_t n_done) {
        size_t looks[CONCLUSION_LOOKS_MAX], n = list_looks(runs, looks);

        for (size_t i = 0; i < n; i++)
                if (looks[i] > n_done)
                        return looks[i];
        return 0;
}

static double logarithm(const struct measurements *measurements, size_t size, size_t block) {
        return (measurements->less_is_better ? -1 : 1) * log(measurements->values[size][block]);
}

/* The variance of the difference of two sizes in one block, by what is left of all measurements once their
 * size's mean and their block's mean are taken off: (n_sizes - 1) * (n_blocks - 1) degrees of freedom. */
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

/* How much better a size is than another, as a logarithm: what it surely is not below and not above. */
static struct interval compare(const struct measurements *measurements, size_t size, size_t other,
                               double variance, double t) {
        size_t n = measurements->n_blocks;
        double differences[CONCLUSION_BLOCKS_MAX], mean, stddev, half;

        for (size_t i = 0; i < n; i++)
                differences[i] = logarithm(measurements, size, i) - logarithm(measurements, other, i);
        mean = statistics_mean(differences, n);
        /* These two may be noisier than the others are. */
        stddev = fmax(statistics_stddev(differences, n), sqrt(variance));
        half = t * stddev / sqrt((double)n);
        return (struct interval){ .low = mean - half, .high = mean + half };
}

static size_t find_best(const struct measurements *measurements) {
        size_t best = 0;
        double best_mean = -INFINITY;

        for (size_t size = 0; size < measurements->n_sizes; size++) {
                double mean = statistics_mean(measurements->values[size], measurements->n_blocks);

                if (measurements->less_is_better)
                        mean = -mean;
                if (mean > best_mean) {
                        best = size;
                        best_mean = mean;
                }
        }
        return best;
}

struct conclusion conclusion_make(const struct measurements *measurements, size_t runs) {
        size_t looks[CONCLUSION_LOOKS_MAX], n_sizes = measurements->n_sizes;
        size_t n_tests = list_looks(runs, looks) * (n_sizes * (n_sizes - 1) / 2);
        double tail = CONCLUSION_ERROR / 2 / (double)(n_tests > 0 ? n_tests : 1),
               margin = log1p(-CONCLUSION_MARGIN);
        struct conclusion conclusion = { .best = find_best(measurements), .winner = n_sizes };
        double variance = common_variance(measurements);
        double t = statistics_student(tail, (unsigned)((n_sizes - 1) * (measurements->n_blocks - 1)));
        bool has_worse = false, is_winner_equal = false, are_all_equal = true;

        for (size_t size = 0; size < n_sizes; size++) {
                struct interval interval = { .low = 0, .high = 0 };
                bool is_equal;

                if (size != conclusion.best)
                        interval = compare(measurements, size, conclusion.best, variance, t);
                is_equal = interval.low >= margin;
                are_all_equal &= is_equal;
                if (interval.high < margin)
                        has_worse = true;
                else if (conclusion.winner == n_sizes) {
                        conclusion.winner = size;
                        conclusion.shortage = interval.low < 0 ? -expm1(interval.low) : 0;
                        is_winner_equal = is_equal;
                }
        }
        conclusion.is_settled = has_worse ? is_winner_equal : are_all_equal;
        /* The smallest of all is no find where all that is known is that it may be as good. */
        if (has_worse && (is_winner_equal || conclusion.winner > 0))
                conclusion.kind = CONCLUSION_BEST;
        else
                conclusion.kind = are_all_equal ? CONCLUSION_NO_DIFFERENCE : CONCLUSION_INCONCLUSIVE;
        return conclusion;
}
