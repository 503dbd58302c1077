/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rows.h"

#include <math.h>

#include "bench/statistics.h"

#define assert_near(got, expected, tolerance)                                           \
        do {                                                                            \
                double got_ = (got), expected_ = (expected);                            \
                if (!(fabs(got_ - expected_) <= (tolerance)))                           \
                        fail_msg("%s: got %.9g, expected %.9g", #got, got_, expected_); \
        } while (0)

struct sample {
        const char *name;
        double values[6];
        size_t n;
        double mean, stddev;
};

static const struct sample samples[] = {
        { "one", { 7 }, 1, 7, 0 },
        { "two", { 1, 3 }, 2, 2, 1.41421356 },
        { "odd, out of order", { 9, 1, 5 }, 3, 5, 4 },
        { "even, out of order", { 4, 1, 3, 2 }, 4, 2.5, 1.29099445 },
        { "an outlier", { 1, 1, 1, 1, 1, 7 }, 6, 2, 2.44948974 },
};

static void test_sample(void **state) {
        const struct sample *sample = *state;

        assert_near(statistics_mean(sample->values, sample->n), sample->mean, 1e-9);
        assert_near(statistics_stddev(sample->values, sample->n), sample->stddev, 1e-8);
}

/* From the table of Student's distribution in the NIST handbook (1.3.6.7.2), and the closed forms for one
 * and two degrees of freedom. */
struct quantile {
        const char *name;
        double tail;
        unsigned degrees;
        double t;
        double tolerance;
};

static const struct quantile quantiles[] = {
        { "one degree", 0.025, 1, 12.7062047, 1e-5 },
        { "one degree, far out", 1e-6, 1, 318309.886, 1 },
        { "two degrees", 0.025, 2, 4.30265273, 1e-6 },
        { "two degrees, far out", 0.0005, 2, 31.5990546, 1e-4 },
        { "five degrees", 0.001, 5, 5.893, 1e-3 },
        { "nine degrees", 0.005, 9, 3.250, 1e-3 },
        { "thirty degrees", 0.05, 30, 1.697, 1e-3 },
        { "a hundred degrees", 0.001, 100, 3.174, 1e-3 },
        { "the middle", 0.5, 4, 0, 1e-6 },
};

static void test_quantile(void **state) {
        const struct quantile *quantile = *state;

        assert_near(statistics_student(quantile->tail, quantile->degrees), quantile->t, quantile->tolerance);
}

/* Each of the 24 orders of four, as often as any other; and the same ones again by the same seed. */
static void test_shuffle(void **state) {
        unsigned short seed[3] = { 3 }, again[3] = { 3 };
        unsigned counts[256] = { 0 }, n_orders = 0;

        (void)state;
        for (int i = 0; i < 24000; i++) {
                size_t items[] = { 0, 1, 2, 3 }, same[] = { 0, 1, 2, 3 };

                statistics_shuffle(seed, items, 4);
                statistics_shuffle(again, same, 4);
                assert_memory_equal(items, same, sizeof(items));
                counts[items[0] << 6 | items[1] << 4 | items[2] << 2 | items[3]]++;
        }
        for (size_t i = 0; i < 256; i++)
                if (counts[i] > 0) {
                        n_orders++;
                        assert_near(counts[i], 1000, 150);
                }
        assert_int_equal(n_orders, 24);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(test_shuffle),
        };

        return RUN_ROWS("samples", test_sample, samples) + RUN_ROWS("quantiles", test_quantile, quantiles) +
               cmocka_run_group_tests_name("shuffle", tests, NULL, NULL);
}
