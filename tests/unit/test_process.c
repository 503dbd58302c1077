/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What comes of a program that prints. */

#include "rows.h"

#include <errno.h>

#include "base/cleanup.h"
#include "base/process.h"

static const struct row {
        const char *name;
        const char *script;
        int result;
        const char *output; /* NULL: untouched */
        unsigned limit_s;
} rows[] = {
        { "both of its streams", "echo one; echo two >&2; exit 3", 3, "one\ntwo\n", 60 },
        { "it reads nothing", "cat", 0, "", 60 },
        { "it is killed", "echo one; kill -KILL $$", 137, "one\n", 60 },
        { "it takes too long", "sleep 1000", -ETIME, NULL, 0 },
};

static void test_read(void **state) {
        const struct row *row = *state;
        const char *const words[] = { "sh", "-c", row->script, NULL };
        CLEANUP(cleanup_free) char *output = NULL;
        size_t size = 7;

        assert_int_equal(process_read(words, row->limit_s, &output, &size), row->result);
        assert_int_equal(size, row->output ? strlen(row->output) : 7);
        if (row->output)
                assert_string_equal(output, row->output);
        else
                assert_null(output);
}

static void test_absent(void **state) {
        static const char *const words[] = { "/nowhere/program", NULL };
        CLEANUP(cleanup_free) char *output = NULL;
        size_t size;

        (void)state;
        assert_int_equal(process_read(words, 60, &output, &size), PROCESS_ABSENT);
}

int main(void) {
        const struct CMUnitTest tests[] = { cmocka_unit_test(test_absent) };

        return RUN_ROWS("process", test_read, rows) +
               cmocka_run_group_tests_name("absent", tests, NULL, NULL);
}
