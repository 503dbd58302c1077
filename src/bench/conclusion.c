/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "bench/conclusion.h"

#include <math.h>
#include <stdbool.h>

#include "bench/statistics.h"

static size_t find_best(const struct measurements *measurements) {
        double best_mean = -INFINITY;
        size_t best = 0;

        for (size_t size = 0; size < measurements->n_sizes; size++) {
                double mean = statistics_mean(measurements->values[size], measurements->n_blocks);

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
        double gaps[CONCLUSION_RUNS_MAX];
        size_t n = measurements->n_blocks;

        for (size_t i = 0; i < n; i++)
                gaps[i] = log(values[i] / other_values[i]);
        return (struct gap){ statistics_mean(gaps, n), statistics_stddev(gaps, n) };
}

/* Of the gap of any two sizes: the root of the mean variance of all pairs, with (n_sizes - 1) * (n_blocks -
 * 1) degrees of freedom. */
static double common_stddev(const struct measurements *measurements, size_t n_pairs) {
        double variance = 0;

        for (size_t size = 1; size < measurements->n_sizes; size++)
                for (size_t other = 0; other < size; other++)
                        variance += pow(compare(measurements, size, other).stddev, 2);
        return sqrt(variance / (double)n_pairs);
}

struct conclusion conclusion_make(const struct measurements *measurements) {
        size_t n_sizes = measurements->n_sizes, n_blocks = measurements->n_blocks;
        size_t n_pairs = n_sizes * (n_sizes - 1) / 2;
        double t = statistics_student(CONCLUSION_ERROR / 2 / (double)n_pairs,
                                      (unsigned)((n_sizes - 1) * (n_blocks - 1)));
        double common = common_stddev(measurements, n_pairs), margin = log1p(-CONCLUSION_MARGIN);
        struct conclusion conclusion = { .best = find_best(measurements), .winner = n_sizes };
        bool has_worse = false, are_equal = true;

        for (size_t size = 0; size < n_sizes; size++) {
                struct gap gap = compare(measurements, size, conclusion.best);
                /* These two sizes may be noisier than the others. The best is what it is. */
                double half = size == conclusion.best
                                              ? 0
                                              : t * fmax(gap.stddev, common) / sqrt((double)n_blocks);

                are_equal &= gap.mean - half >= margin;
                if (gap.mean + half < margin)
                        has_worse = true;
                else if (conclusion.winner == n_sizes) {
                        conclusion.winner = size;
                        conclusion.shortage = fmax(0, -expm1(gap.mean - half));
                }
        }
        /* The smallest size is no winner if it is only known that it may be as good. */
        if (has_worse && (conclusion.winner > 0 || conclusion.shortage <= CONCLUSION_MARGIN))
                conclusion.kind = CONCLUSION_BEST;
        else
                conclusion.kind = are_equal ? CONCLUSION_NO_DIFFERENCE : CONCLUSION_INCONCLUSIVE;
        return conclusion;
}
