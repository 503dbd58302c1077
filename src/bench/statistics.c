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

static int compare(const void *a, const void *b) {
        double left = *(const double *)a, right = *(const double *)b;

        return left < right ? -1 : left > right;
}

double statistics_median(const double *values, size_t n) {
        double sorted[STATISTICS_VALUES_MAX];

        memcpy(sorted, values, n * sizeof(*values));
        qsort(sorted, n, sizeof(*sorted), compare);
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

/* The continued fraction of the incomplete beta function (Abramowitz and Stegun, 26.5.8), from its front by
 * Lentz's method. It converges fast for x below (a + 1) / (a + b + 2). */
static double beta_fraction(double x, double a, double b) {
        const double tiny = 1e-300;
        double c = 1, d = 1 - (a + b) * x / (a + 1), fraction;

        d = 1 / (fabs(d) < tiny ? tiny : d);
        fraction = d;
        for (int i = 1; i < 1000; i++) {
                double m = i, even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
                double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));

                for (int half = 0; half < 2; half++) {
                        double term = half == 0 ? even : odd;

                        d = 1 + term * d;
                        c = 1 + term / c;
                        d = 1 / (fabs(d) < tiny ? tiny : d);
                        c = fabs(c) < tiny ? tiny : c;
                        fraction *= c * d;
                }
                if (fabs(c * d - 1) < 1e-14)
                        break;
        }
        return fraction;
}

/* I_x(a, b), the regularised incomplete beta function. */
static double beta(double x, double a, double b) {
        double front;

        if (x <= 0 || x >= 1)
                return x <= 0 ? 0 : 1;
        front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
        return x < (a + 1) / (a + b + 2) ? front * beta_fraction(x, a, b) / a
                                         : 1 - front * beta_fraction(1 - x, b, a) / b;
}

double statistics_student(double tail, unsigned degrees) {
        double low = 0, high = 1, n = degrees;

        /* P(T > t) is half of I_x(n/2, 1/2) at x = n / (n + t^2). */
        while (beta(n / (n + high * high), n / 2, 0.5) / 2 > tail)
                high *= 2;
        for (int i = 0; i < 80; i++) {
                double middle = (low + high) / 2;

                if (beta(n / (n + middle * middle), n / 2, 0.5) / 2 > tail)
                        low = middle;
                else
                        high = middle;
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
        qsort(ratios, RESAMPLES, sizeof(*ratios), compare);
        return (struct interval){ .low = ratios[rank], .high = ratios[RESAMPLES - 1 - rank] };
}
