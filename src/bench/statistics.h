/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Statistics of repeated measurements. Pure. */

#include <stddef.h>

/* Of 1 or more values. */
double statistics_mean(const double *values, size_t n);
/* Of a sample: n - 1 in the denominator; 0 for a single value. */
double statistics_stddev(const double *values, size_t n);

/* The `t` that Student's distribution with so many degrees of freedom exceeds with the probability `tail`,
 * which is above 0 and at most 0.5. */
double statistics_student(double tail, unsigned degrees);

/* Half the width of the 95 % confidence interval of the mean of n values, which is 2 or more. */
double statistics_half(const double *values, size_t n);

/* Shuffles the items: each order is equally likely (Fisher and Yates). `seed` is the state of erand48(3):
 * the same one gives the same orders on every machine. */
void statistics_shuffle(unsigned short seed[static 3], size_t *items, size_t n);
