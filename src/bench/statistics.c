/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "bench/statistics.h"

#include <math.h>
#include <stdlib.h>

double statistics_mean(const double *values, size_t n) {
        double sum = 0;

        for (size_t i = 0; i < n; i++)
                sum += values[i];
        return sum / (double)n;
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

double statistics_half(const double *values, size_t n) {
        return statistics_student(0.025, (unsigned)n - 1) * statistics_stddev(values, n) / sqrt((double)n);
}

void statistics_shuffle(unsigned short seed[static 3], size_t *items, size_t n) {
        for (size_t i = n; i > 1; i--) {
                size_t j = (size_t)(erand48(seed) * (double)i), item = items[j];

                items[j] = items[i - 1];
                items[i - 1] = item;
        }
}
