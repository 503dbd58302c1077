/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Which size is best, if that can be said, and when to stop measuring. Pure.
 *
 * A block is one measurement of each size, in random order. Sizes are compared block by block, by the
 * logarithm of the ratio, with Student's t. What is claimed anywhere is wrong at most once in a hundred
 * benches: the error is shared out among all pairs of sizes, because the best one is known only afterwards,
 * and among all looks, because who looks often enough finds something (Bonferroni, for both). */

#include <stdbool.h>
#include <stddef.h>

#define FINDING_SIZES_MAX 12
#define FINDING_RUNS_MIN 3
#define FINDING_RUNS_MAX 200
/* It goes on to twice the runs where it has to. */
#define FINDING_BLOCKS_MAX (2 * FINDING_RUNS_MAX)
#define FINDING_LOOKS_MAX 4

/* Of all claims of one bench together. */
#define FINDING_ERROR 0.01
/* A smaller difference than this, as a part of the best, counts as none. */
#define FINDING_MARGIN 0.02

struct measurements {
        size_t n_sizes; /* ascending */
        size_t n_blocks;
        bool less_is_better;                                  /* seconds rather than bits per second */
        double values[FINDING_SIZES_MAX][FINDING_BLOCKS_MAX]; /* all above 0 */
};

enum finding_kind {
        FINDING_BEST,          /* `winner`: smaller ones are worse for sure, larger ones not better */
        FINDING_NO_DIFFERENCE, /* none is more than FINDING_MARGIN from any other */
        FINDING_INCONCLUSIVE,  /* the differences, if there are any, are smaller than the noise */
};

struct finding {
        enum finding_kind kind;
        size_t best;     /* with the best mean, which may mean nothing */
        size_t winner;   /* of FINDING_BEST: the smallest that is not shown to be worse than the best */
        double shortage; /* what `winner` may lack of the best at the most, as a part of it */
        bool is_settled; /* more blocks would change nothing */
};

/* The number of blocks after which the next look is taken, `n_done` being done; 0 where that was the last.
 * Looks come after half of the runs, all, one and a half times and twice as many, and never before
 * FINDING_RUNS_MIN. */
size_t finding_next_look(size_t runs, size_t n_done);

/* `runs` is what finding_next_look() was given. At least 2 sizes and 2 blocks. */
struct finding finding_make(const struct measurements *measurements, size_t runs);
