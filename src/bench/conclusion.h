/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Which size is best, if that is certain. No I/O.
 *
 * A block is one measurement of each size, in random order: a randomized complete block design (Montgomery,
 * Design and Analysis of Experiments, ch. 4). Each size is compared with the best one within blocks, by
 * Student's t of the logarithms of the ratios, with the noise of all pairs or of these two, if that is
 * larger. Claims are wrong in at most one of a hundred benches: the error is divided among all pairs of
 * sizes, because the best one is known only afterwards (Bonferroni). */

#include <stddef.h>

#define CONCLUSION_SIZES_MAX 12
#define CONCLUSION_RUNS_MIN 5
#define CONCLUSION_RUNS_MAX 200

/* Of all claims of one bench together. */
#define CONCLUSION_ERROR 0.01
/* A smaller difference than this, as a part of the best, counts as none. */
#define CONCLUSION_MARGIN 0.02

struct measurements {
        size_t n_sizes; /* ascending */
        size_t n_blocks;
        double values[CONCLUSION_SIZES_MAX][CONCLUSION_RUNS_MAX]; /* of each size, by block; all above 0 */
};

enum conclusion_kind {
        CONCLUSION_BEST,          /* `winner`: smaller ones are worse for sure, larger ones not better */
        CONCLUSION_NO_DIFFERENCE, /* none is more than CONCLUSION_MARGIN from any other */
        CONCLUSION_INCONCLUSIVE,  /* the differences, if there are any, are smaller than the noise */
};

struct conclusion {
        enum conclusion_kind kind;
        size_t best;     /* with the best mean, which may mean nothing */
        size_t winner;   /* of CONCLUSION_BEST: the smallest that is not shown to be worse than the best */
        double shortage; /* what `winner` may lack of the best at the most, as a part of it; up to
                            CONCLUSION_MARGIN, more blocks would change nothing */
};

/* Of at least 2 sizes and 2 blocks. */
struct conclusion conclusion_make(const struct measurements *measurements);
