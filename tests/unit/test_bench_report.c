/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What is said of a bench. */

#include "rows.h"

#include "bench/report.h"

/* Three rounds of two sizes, the second one of which is twice as fast. */
static struct report report = {
        .mtus = { 1500, 9000 },
        .rates = { .n_sizes = 2,
                   .n_blocks = 3,
                   .values = { { 1e9, 1.001e9, 1.002e9 }, { 2e9, 2.002e9, 2.004e9 } } },
};

static const struct row {
        const char *name;
        struct conclusion conclusion;
        const char *verdict;
} rows[] = {
        { "the larger",
          { .kind = CONCLUSION_BEST, .best = 1, .winner = 1 },
          "Best: 9000, +100.0 % against 1500." },
        { "the smaller", { .kind = CONCLUSION_BEST }, "Best: 1500." },
        { "perhaps not enough",
          { .kind = CONCLUSION_BEST, .best = 1, .shortage = 0.5 },
          "Best: 1500. 9000 may be better still, by 100 % at most." },
        { "none",
          { .kind = CONCLUSION_NO_DIFFERENCE },
          "No difference: no MTU is more than 2 % from another. The smallest will do." },
        { "not known",
          { .kind = CONCLUSION_INCONCLUSIVE },
          "Inconclusive: 3 rounds do not tell the differences from the noise. More --runs, a longer --time "
          "or a "
          "quieter network may." },
};

static void test_verdict(void **state) {
        const struct row *row = *state;
        char verdict[REPORT_TEXT_SIZE];

        report_verdict(&report, &row->conclusion, verdict);
        assert_string_equal(verdict, row->verdict);
}

int main(void) {
        return RUN_ROWS("verdicts", test_verdict, rows);
}
