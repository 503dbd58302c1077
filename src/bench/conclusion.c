/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "bench/conclusion.h"

#include <math.h>

#include "bench/statistics.h"

size_t conclusion_next_look(size_t runs, size_t n_done) {
        for (size_t halves = 1; halves <= 4; halves++) {
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

/* By how much `size` is better than `other`, over the blocks; as a logarithm. */
struct gap {
        double mean, stddev;
};
static struct gap compare(const struct measurements *measurements, size_t size, size_t other) {
        const double *values = measurements->values[size], *other_values = measurements->values[other];
        double sign = measurements->less_is_better ? -1 : 1, gaps[CONCLUSION_BLOCKS_MAX];
        size_t n = measurements->n_blocks;

        for (size_t i = 0; i < n; i++)
                gaps[i] = sign * log(values[i] / other_values[i]);
        return (struct gap){ statistics_mean(gaps, n), statistics_stddev(gaps, n) };
}

/* Of the gap of any two sizes: the root of the mean variance of all pairs, with (n_sizes - 1) * (n_blocks -
 * 1) degrees of freedom. */
static double common_stddev(const struct measurements *measurements) {
        size_t n_sizes = measurements->n_sizes;
        double variance = 0;

        for (size_t size = 1; size < n_sizes; size++)
                for (size_t other = 0; other < size; other++)
                        variance += pow(compare(measurements, size, other).stddev, 2);
        return sqrt(2 * variance / (double)(n_sizes * (n_sizes - 1)));
}

struct conclusion conclusion_make(const struct measurements *measurements, size_t n_blocks, size_t runs) {
        size_t n_sizes = measurements->n_sizes, n_tests = count_looks(runs) * (n_sizes * (n_sizes - 1) / 2);
        double t = statistics_student(CONCLUSION_ERROR / 2 / (double)n_tests,
                                      (unsigned)((n_sizes - 1) * (n_blocks - 1)));
        double common = common_stddev(measurements), margin = log1p(-CONCLUSION_MARGIN);
        struct conclusion conclusion = { .best = find_best(measurements), .winner = n_sizes };
        bool has_worse = false, is_winner_equal = false, are_all_equal = true;

        for (size_t size = 0; size < n_sizes; size++) {
                struct gap gap = compare(measurements, size, conclusion.best);
                /* These two sizes may be noisier than the others. */
                double half = t * fmax(gap.stddev, common) / sqrt((double)n_blocks);
                bool is_best = size == conclusion.best, is_equal = is_best || gap.mean - half >= margin;

                are_all_equal &= is_equal;
                if (gap.mean + half < margin)
                        has_worse = true;
                else if (conclusion.winner == n_sizes) {
                        conclusion.winner = size;
                        conclusion.shortage = is_best ? 0 : fmax(0, -expm1(gap.mean - half));
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

size_t conclusion_estimate_runs(const struct measurements *measurements, size_t runs) {
        for (runs++; runs <= CONCLUSION_RUNS_MAX; runs++)
                if (conclusion_make(measurements, runs, runs).kind != CONCLUSION_INCONCLUSIVE)
                        return runs;
        return 0;
}
