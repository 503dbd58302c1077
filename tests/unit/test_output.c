/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What commands print: all of it or, where memory is out, none, and a message; and nothing that a terminal
 * obeys. */

#include "rows.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <unistd.h>

#include "base/log.h"
#include "output/json.h"
#include "output/table.h"

/* What one of the two descriptors has been sent. */
struct capture {
        int fd, former, file;
};

static struct capture capture_begin(int fd) {
        char path[] = "/tmp/setmtu-test-XXXXXX";
        struct capture capture = { .fd = fd, .former = dup(fd), .file = mkostemp(path, O_CLOEXEC) };

        assert_true(capture.former >= 0 && capture.file >= 0);
        assert_int_equal(unlink(path), 0);
        assert_int_equal(fflush(stdout), 0);
        assert_true(dup2(capture.file, fd) >= 0);
        return capture;
}

static void capture_end(struct capture *capture, char *text, size_t size) {
        ssize_t n;

        assert_int_equal(fflush(stdout), 0);
        assert_true(dup2(capture->former, capture->fd) >= 0);
        n = pread(capture->file, text, size - 1, 0);
        assert_true(n >= 0);
        text[n] = '\0';
        close(capture->former);
        close(capture->file);
}

static void test_broken_table(void **state) {
        struct table table = { .n_columns = 1, .is_broken = true };
        char out[256], messages[256];
        struct capture stdout_capture, stderr_capture;
        bool is_printed;

        (void)state;
        table_add(&table, TABLE_PLAIN, "NAME");
        table_add(&table, TABLE_PLAIN, "eth0");
        stdout_capture = capture_begin(STDOUT_FILENO);
        stderr_capture = capture_begin(STDERR_FILENO);
        is_printed = table_print(&table);
        capture_end(&stderr_capture, messages, sizeof(messages));
        capture_end(&stdout_capture, out, sizeof(out));
        assert_false(is_printed);
        assert_string_equal(out, "");
        assert_string_equal(messages, "setmtu: out of memory\n");
}

static void test_harmless_table(void **state) {
        struct table table = { .n_columns = 2 };
        struct capture capture;
        char out[256];

        (void)state;
        table_add(&table, TABLE_PLAIN, "a\x1b[31m");
        table_add(&table, TABLE_PLAIN, "\xc2\x9b\xff");
        capture = capture_begin(STDOUT_FILENO);
        assert_true(table_print(&table));
        capture_end(&capture, out, sizeof(out));
        assert_string_equal(out, "a\\x1b[31m  \\xc2\\x9b\\xff\n");
}

static void test_harmless_message(void **state) {
        struct capture capture;
        char messages[256];

        (void)state;
        capture = capture_begin(STDERR_FILENO);
        log_error("%s: lost", "e\x1b]0;x\x07");
        capture_end(&capture, messages, sizeof(messages));
        assert_string_equal(messages, "setmtu: e\\x1b]0;x\\x07: lost\n");
}

/* A command's own arguments are a line without a file. */
static void test_place(void **state) {
        const struct config_line line = { .name = "eth0" };
        char place[CONFIG_LINE_PLACE_SIZE];

        (void)state;
        assert_string_equal(config_line_place(place, &line), "this value");
}

static unsigned n_left;

static void *take_some(size_t size) {
        if (n_left == 0) {
                errno = ENOMEM;
                return NULL;
        }
        n_left--;
        return malloc(size);
}

static bool print_array(void) {
        json_t *array = json_append(json_array(), json_text("eth0"));

        array = json_append(array, json_null());
        return json_print(json_append(array, json_set(json_object(), "mtu", json_count(9000))));
}

/* At each of its allocations memory is out. */
static void test_broken_json(void **state) {
        bool is_printed = false;

        (void)state;
        for (unsigned n = 0; !is_printed; n++) {
                struct capture stdout_capture, stderr_capture;
                char out[256], messages[256];

                n_left = n;
                json_set_alloc_funcs(take_some, free);
                stdout_capture = capture_begin(STDOUT_FILENO);
                stderr_capture = capture_begin(STDERR_FILENO);
                is_printed = print_array();
                capture_end(&stderr_capture, messages, sizeof(messages));
                capture_end(&stdout_capture, out, sizeof(out));
                assert_string_equal(out,
                                    is_printed ? "[\n  \"eth0\",\n  null,\n  {\n    \"mtu\": 9000\n  }\n]\n"
                                               : "");
                assert_string_equal(messages, is_printed ? "" : "setmtu: out of memory\n");
                assert_true(n < 100);
        }
        json_set_alloc_funcs(malloc, free);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(test_broken_table),
                cmocka_unit_test(test_harmless_table),
                cmocka_unit_test(test_harmless_message),
                cmocka_unit_test(test_broken_json),
                cmocka_unit_test(test_place),
        };

        return cmocka_run_group_tests_name("output", tests, NULL, NULL);
}
