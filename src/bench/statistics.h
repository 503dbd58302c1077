/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What is made of repeated measurements. Pure. */

#include <stddef.h>
#include <stdint.h>

#define STATISTICS_VALUES_MAX 512

/* Of 1 to STATISTICS_VALUES_MAX values. */
double statistics_mean(const double *values, size_t n);
double statistics_median(const double *values, size_t n);
/* Of a sample: n - 1 in the denominator; 0 for a single value. */
double statistics_stddev(const double *values, size_t n);

/* The `t` that Student's distribution with so many degrees of freedom exceeds with the probability `tail`,
 * which is above 0 and at most 0.5. */
double statistics_student(double tail, unsigned degrees);

/* Pseudo-random numbers of which each user has its own: the same seed gives the same order and the same
 * intervals on every machine, so that a report can be made again. */
struct random {
        uint64_t state; /* the seed, any number */
};

/* SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014). */
uint64_t random_next(struct random *random);

/* Puts the numbers into an order of which each is as likely as any other (Fisher and Yates). */
void random_shuffle(struct random *random, size_t *items, size_t n);

struct interval {
        double low;
        double high;
};

/* The 95 % confidence interval of mean(values) / mean(reference), by bootstrap over the pairs of one block:
 * values[i] and reference[i] were measured one after the other, so what slows both goes out of the ratio.
 * Percentiles are widened as for Student's t, without which few pairs give too narrow an interval
 * (Hesterberg, What teachers should know about the bootstrap, 2015: expanded percentiles). n is 2 or more.
 */
struct interval statistics_ratio(const double *values, const double *reference, size_t n,
                                 struct random *random);
