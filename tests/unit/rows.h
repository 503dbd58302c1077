/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* cmocka with tables: a row is a case and shows by its name. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Runs `test` once for each row, as `*state`. The first member of a row is `const char *name`. Returns the
 * number of failures. */
static inline int run_rows(const char *group, void (*test)(void **state), const void *rows, size_t n_rows,
                           size_t row_size) {
        struct CMUnitTest *tests = calloc(n_rows, sizeof(*tests));
        int failures;

        if (!tests)
                abort();
        for (size_t i = 0; i < n_rows; i++) {
                const char *row = (const char *)rows + i * row_size;

                memcpy(&tests[i].name, row, sizeof(tests[i].name));
                tests[i].test_func = test;
                tests[i].initial_state = (void *)(uintptr_t)row;
        }
        failures = _cmocka_run_group_tests(group, tests, n_rows, NULL, NULL);
        free(tests);
        return failures;
}

#define RUN_ROWS(group, test, rows) \
        run_rows(group, test, rows, sizeof(rows) / sizeof((rows)[0]), sizeof((rows)[0]))

/* Shows errno by its name instead of a hexadecimal number. */
#define assert_errno(got, expected)                                                                     \
        do {                                                                                            \
                int got_ = (got), expected_ = (expected);                                               \
                if (got_ != expected_)                                                                  \
                        fail_msg("got %d (%s), expected %d (%s)", got_, strerror(abs(got_)), expected_, \
                                 strerror(abs(expected_)));                                             \
        } while (0)
