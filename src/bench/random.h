/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Pseudo-random numbers of which each user has its own: the same seed gives the same order and the same
 * intervals on every machine, so that a report can be made again. */

#include <stddef.h>
#include <stdint.h>

struct random {
        uint64_t state; /* the seed, any number */
};

/* SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014). */
uint64_t random_next(struct random *random);

/* 0 to `limit` - 1, each as likely as any other. `limit` is not 0. */
size_t random_below(struct random *random, size_t limit);

/* In [0, 1). */
double random_fraction(struct random *random);

/* Puts the numbers into an order of which each is as likely as any other (Fisher and Yates). */
void random_shuffle(struct random *random, size_t *items, size_t n);
