/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "bench/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RESAMPLES 4000

double statistics_mean(const double *values, size_t n) {
        double sum = 0;

        for (size_t i = 0; i < n; i++)
                sum += values[i];
        return sum / (double)n;
}

static int compare_values(const void *a, const void *b) {
        double left = *(const double *)a, right = *(const double *)b;

        return left < right ? -1 : left > right;
}

double statistics_median(const double *values, size_t n) {
        double sorted[STATISTICS_VALUES_MAX];

        memcpy(sorted, values, n * sizeof(*values));
        qsort(sorted, n, sizeof(*sorted), compare_values);
        return n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

double statistics_stddev(const double *values, size_t n) {
        double mean = statistics_mean(values, n), sum = 0;

        if (n < 2)
                return 0;
        for (size_t i = 0; i < n; i++)
                sum += (values[i] - mean) * (values[i] - mean);
        return sqrt(sum / (double)(n - 1));
}

/* How likely `t` is exceeded: Abramowitz and Stegun, 26.7.3 for odd degrees, 26.7.4 for even ones. */
static double exceed(double t, unsigned degrees) {
        double angle = atan2(t, sqrt(degrees)), cosine = cos(angle), sum = 0;
        double term = degrees % 2 == 1 ? cosine : 1;

        for (unsigned i = degrees % 2; i + 2 <= degrees; i += 2) {
                sum += term;
                term *= cosine * cosine * (i + 1) / (i + 2);
        }
        sum *= sin(angle);
        return (1 - (degrees % 2 == 1 ? (angle + sum) * M_2_PI : sum)) / 2;
}

double statistics_student(double tail, unsigned degrees) {
        double low = 0, high = 1;

        while (exceed(high, degrees) > tail)
                high *= 2;
        for (int i = 0; i < 80; i++) {
                double middle = (low + high) / 2;

                *(exceed(middle, degrees) > tail ? &low : &high) = middle;
        }
        return high;
}

uint64_t random_next(struct random *random) {
        uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);

        z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
        return z ^ (z >> 31);
}

/* 0 to `limit` - 1, all equally likely. `limit` is not 0. */
static size_t random_below(struct random *random, size_t limit) {
        /* Numbers beyond the last whole multiple of `limit` would favour small results. */
        uint64_t beyond = UINT64_MAX - UINT64_MAX % limit, number;

        do
                number = random_next(random);
        while (number >= beyond);
        return (size_t)(number % limit);
}

void random_shuffle(struct random *random, size_t *items, size_t n) {
        for (size_t i = n; i > 1; i--) {
                size_t j = random_below(random, i), item = items[j];

                items[j] = items[i - 1];
                items[i - 1] = item;
        }
}

static double ratio_of_resample(const double *values, const double *reference, size_t n,
                                struct random *random) {
        double sum = 0, reference_sum = 0;

        for (size_t i = 0; i < n; i++) {
                size_t pair = random_below(random, n);

                sum += values[pair];
                reference_sum += reference[pair];
        }
        return sum / reference_sum;
}

struct interval statistics_ratio(const double *values, const double *reference, size_t n,
                                 struct random *random) {
        double ratios[RESAMPLES];
        double widened = sqrt((double)n / (double)(n - 1)) * statistics_student(0.025, (unsigned)n - 1);
        double tail = erfc(widened / sqrt(2)) / 2;
        size_t rank = (size_t)(tail * RESAMPLES);

        for (size_t i = 0; i < RESAMPLES; i++)
                ratios[i] = ratio_of_resample(values, reference, n, random);
        qsort(ratios, RESAMPLES, sizeof(*ratios), compare_values);
        return (struct interval){ .low = ratios[rank], .high = ratios[RESAMPLES - 1 - rank] };
}
