/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "bench/random.h"

uint64_t random_next(struct random *random) {
        uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);

        z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
        return z ^ (z >> 31);
}

size_t random_below(struct random *random, size_t limit) {
        /* What is left of the numbers after the last whole multiple would favour the small ones. */
        uint64_t beyond = UINT64_MAX - UINT64_MAX % limit, number;

        do
                number = random_next(random);
        while (number >= beyond);
        return (size_t)(number % limit);
}

double random_fraction(struct random *random) {
        return (double)(random_next(random) >> 11) / 9007199254740992.0; /* 2^53: all that a double holds */
}

void random_shuffle(struct random *random, size_t *items, size_t n) {
        for (size_t i = n; i > 1; i--) {
                size_t j = random_below(random, i), item = items[j];

                items[j] = items[i - 1];
                items[i - 1] = item;
        }
}
