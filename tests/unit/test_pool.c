/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Memory that is freed as a whole, and arrays that grow. */

#include "rows.h"

#include <stdint.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/pool.h"

static void test_array(void **state) {
        int *items = NULL;
        size_t n = 0;

        (void)state;
        for (int i = 0; i < 1000; i++) {
                int *item = array_add(&items, &n, sizeof(*item));

                assert_non_null(item);
                *item = i;
        }
        assert_int_equal(n, 1000);
        for (int i = 0; i < 1000; i++)
                assert_int_equal(items[i], i);
        free(items);
}

static void test_pieces(void **state) {
        CLEANUP(pool_free) struct pool pool = { 0 };
        const unsigned char *zeros;
        int *items = NULL;
        size_t n = 0;

        (void)state;
        zeros = pool_take(&pool, 100);
        for (size_t i = 0; i < 100; i++)
                assert_int_equal(zeros[i], 0);
        for (int i = 0; i < 100; i++)
                *(int *)pool_add(&pool, &items, &n, sizeof(*items)) = i;
        assert_int_equal(n, 100);
        assert_int_equal(items[64], 64);
        assert_string_equal(pool_copy(&pool, "eth0"), "eth0");
        assert_string_equal(pool_copy_part(&pool, "eth0=9000", 4), "eth0");
        assert_string_equal(pool_print(&pool, "%s=%d", "eth0", 9000), "eth0=9000");
        assert_false(pool.failed);
}

static unsigned n_compared;

int __wrap_strcmp(const char *a, const char *b);
int __real_strcmp(const char *a, const char *b);

int __wrap_strcmp(const char *a, const char *b) {
        n_compared++;
        return __real_strcmp(a, b);
}

/* Adds `n` texts, each twice; returns how many comparisons that takes. */
static unsigned compare_texts(unsigned n) {
        CLEANUP(pool_free) struct pool pool = { 0 };
        struct pool_list list = { 0 };
        char text[20];

        n_compared = 0;
        for (unsigned i = 0; i < 2 * n; i++) {
                snprintf(text, sizeof(text), "10.%u.%u.%u", i % n >> 16, i % n >> 8 & 255, i % n & 255);
                pool_list_add(&pool, &list, text);
                assert_int_equal(list.n_items, i < n ? i + 1 : n);
        }
        assert_int_equal(list.n_items, n);
        assert_string_equal(list.items[n - 1], text);
        return n_compared;
}

/* The work grows with the number of texts, not with its square. */
static void test_list(void **state) {
        (void)state;
        for (unsigned n = 10; n <= 80000; n *= 20) {
                unsigned compared = compare_texts(n);

                assert_true(compared >= n && compared <= 20 * n);
        }
}

/* No machine has that much; what was taken before stays. */
static void test_failure(void **state) {
        CLEANUP(pool_free) struct pool pool = { 0 };
        const char *kept = pool_copy(&pool, "kept");

        (void)state;
        assert_null(pool_take(&pool, PTRDIFF_MAX));
        assert_true(pool.failed);
        assert_string_equal(kept, "kept");
        assert_string_equal(pool_copy(&pool, "again"), "again");
        assert_true(pool.failed);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(test_array),
                cmocka_unit_test(test_pieces),
                cmocka_unit_test(test_list),
                cmocka_unit_test(test_failure),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
