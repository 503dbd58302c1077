/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rows.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/types.h>

#include "config/config.h"
#include "config/config_edit.h"

#define TEXT(literal) literal, sizeof(literal) - 1
#define BOM "\xef\xbb\xbf"

/* The device is eth0 in all of them, and the request, where there is one, 9000. */
#define SET(name, before, after) \
        { name, "eth0", "9000", TEXT(before), 1, TEXT(after) }
#define IN_EFFECT(name, before) \
        { name, "eth0", "9000", TEXT(before), 0, TEXT(before) }
#define UNSET(name, before, lines, after) \
        { name, "eth0", NULL, TEXT(before), lines, TEXT(after) }
#define REFUSED(name, value, before, error) \
        { name, "eth0", value, TEXT(before), error, NULL, 0 }

static const struct row {
        const char *name;
        const char *device;
        const char *value; /* what is set; NULL: the device is unset */
        const char *before;
        size_t before_size;
        int result;
        const char *after;
        size_t after_size;
} rows[] = {
        /* A line that is there. */
        SET("plain", "# mine\neth0=1500\neth1=1500\n", "# mine\neth0=9000\neth1=1500\n"),
        SET("no newline at the end", "eth0=1500", "eth0=9000"),
        SET("no newline after another", "eth0=1500\neth1=1500", "eth0=9000\neth1=1500"),
        SET("CR LF", "#\r\neth0=1500\r\neth1=1500\r\n", "#\r\neth0=9000\r\neth1=1500\r\n"),
        SET("CR alone", "#\reth0=1500\reth1=1500\r", "#\reth0=9000\reth1=1500\r"),
        SET("mixed newlines", "a=68\r\neth0=1500\rb=68\n\n", "a=68\r\neth0=9000\rb=68\n\n"),
        SET("byte order mark", BOM "eth0=1500\n", BOM "eth0=9000\n"),
        SET("byte order mark and indentation", BOM "  eth0=1500\n", BOM "  eth0=9000\n"),
        SET("white space everywhere", " \t eth0 \t=\t 1500 \t \n", " \t eth0 \t=\t 9000 \t \n"),
        SET("blank lines", "\n\n \t\neth0=1500\n\n\n", "\n\n \t\neth0=9000\n\n\n"),
        SET("a bare form feed before it", "\f\neth0=1500\n", "\f\neth0=9000\n"),
        SET("double quotes", "eth0=\"1500\"\n", "eth0=9000\n"),
        SET("single quotes", "eth0='1500'  \n", "eth0=9000  \n"),
        SET("two pairs of quotes", "eth0=\"15\" '00'\n", "eth0=9000\n"),
        SET("text after a quote", "eth0=\"15\"00\n", "eth0=9000\n"),
        SET("options go", "eth0=\"1500 up backend=link\"\n", "eth0=9000\n"),
        SET("options without quotes go", "eth0=1500 up\n", "eth0=9000\n"),
        SET("escaped", "eth0=\\1500\n", "eth0=9000\n"),
        SET("escaped white space at the end", "eth0=1500\\ \neth1=1500\n", "eth0=9000 \neth1=1500\n"),
        SET("a newline in quotes", "eth0=\"1500\nup\" \neth1=1500\n", "eth0=9000 \neth1=1500\n"),
        SET("continued", "eth0=15\\\n00\neth1=1500\n", "eth0=9000\neth1=1500\n"),
        SET("continued with CR LF", "eth0=1500\\\r\neth1=1500\r\n", "eth0=9000\r\neth1=1500\r\n"),
        SET("continued with CR", "eth0=15\\\r00\reth1=1500\r", "eth0=9000\reth1=1500\r"),
        SET("continued by an empty line", "eth0=1500\\\n\neth1=1500\n", "eth0=9000\n\neth1=1500\n"),
        SET("continued in quotes", "eth0=\"15\\\n00\"\n", "eth0=9000\n"),
        SET("continued at the end", "eth0=1500\\", "eth0=9000"),
        SET("a backslash and a newline at the end", "eth0=1500\\\n", "eth0=9000\n"),
        SET("the last of several", "eth0=1\neth0=1500\nx=68\neth0=1400\n#\n",
            "eth0=1\neth0=1500\nx=68\neth0=9000\n#\n"),
        SET("the same value in an earlier line", "eth0=9000\neth0=1500\n", "eth0=9000\neth0=9000\n"),
        SET("a comment that looks like it", "#eth0=1500\neth0=1400\n;eth0=1\n",
            "#eth0=1500\neth0=9000\n;eth0=1\n"),
        SET("settings around", "SETMTU_BACKEND=link\neth0=1500\nSETMTU_BACKEND=auto\nSETMTU_X=1\n",
            "SETMTU_BACKEND=link\neth0=9000\nSETMTU_BACKEND=auto\nSETMTU_X=1\n"),
        SET("names that begin alike", "eth=1\neth0=1500\neth00=68\neth0.5=68\n",
            "eth=1\neth0=9000\neth00=68\neth0.5=68\n"),
        SET("a name in another case", "ETH0=1500\neth0=1500\n", "ETH0=1500\neth0=9000\n"),
        SET("nothing that was ever text", "\xff\0\x01\neth0=1500\n\0=\n", "\xff\0\x01\neth0=9000\n\0=\n"),

        /* A line in error. */
        SET("no value", "eth0=\neth1=1500\n", "eth0=9000\neth1=1500\n"),
        SET("no value but white space", "eth0= \t \r\n", "eth0= \t 9000\r\n"),
        SET("no value at the end", "eth0=", "eth0=9000"),
        SET("a bad value", "eth0=9k\n", "eth0=9000\n"),
        SET("a comment behind", "eth0=9000 # jumbo\n", "eth0=9000\n"),
        SET("in error after a good one", "eth0=1500\neth0=abc \n", "eth0=1500\neth0=9000 \n"),
        SET("in error before a good one", "eth0=abc\neth0=1500\n", "eth0=abc\neth0=9000\n"),
        SET("in error and continued", "eth0=abc\\\neth1=1500\n", "eth0=9000\neth1=1500\n"),
        SET("in error over a quoted newline", "eth0=\"abc\neth1=1500\neth2=\"\n",
            "eth0=9000\neth1=1500\neth2=\"\n"),
        SET("an open quote", "eth0=\"1500 \neth1=1500\n", "eth0=9000 \neth1=1500\n"),
        SET("an open quote at the end", "eth1=1500\neth0='", "eth1=1500\neth0=9000"),
        SET("an open quote of another", "eth1=\"1500\neth0=1500\n", "eth1=\"1500\neth0=9000\n"),
        SET("NUL in the value", "eth0=1500\0 \neth1=68\n", "eth0=9000 \neth1=68\n"),
        SET("NUL for a value", "eth0=\0\n", "eth0=9000\n"),

        /* No line. */
        SET("empty", "", "eth0=9000\n"),
        SET("a byte order mark alone", BOM, BOM "\neth0=9000\n"),
        SET("blank lines alone", "\n\n", "\n\neth0=9000\n"),
        SET("white space without a newline", "  ", "  \neth0=9000\n"),
        SET("comments alone", "# a\n; b\n", "# a\n; b\neth0=9000\n"),
        SET("a comment without a newline", "# a", "# a\neth0=9000\n"),
        SET("a comment that ends in a backslash", "# a\\\n", "# a\\\neth0=9000\n"),
        SET("added", "eth1=1500\n", "eth1=1500\neth0=9000\n"),
        SET("added after no newline", "eth1=1500", "eth1=1500\neth0=9000\n"),
        SET("added after CR LF", "eth1=1500\r\n", "eth1=1500\r\neth0=9000\r\n"),
        SET("added after CR LF and no newline", "#\r\neth1=1500", "#\r\neth1=1500\r\neth0=9000\r\n"),
        SET("added after CR", "#\reth1=1500", "#\reth1=1500\reth0=9000\r"),
        SET("added as the last lines end", "#\r\n#\r\neth1=1500\n", "#\r\n#\r\neth1=1500\neth0=9000\n"),
        SET("added after a backslash", "eth1=1500\\", "eth1=1500\\\n\neth0=9000\n"),
        SET("added after a backslash and a newline", "eth1=1500\\\n", "eth1=1500\\\n\neth0=9000\n"),
        SET("added after a backslash and CR LF", "eth1=1500\\\r\n", "eth1=1500\\\r\neth0=9000\r\n"),
        SET("added after a backslash and CR", "eth1=1500\\\r", "eth1=1500\\\r\reth0=9000\r"),
        SET("added after an open quote", "eth1='1500\n", "eth1='1500\neth0=9000\n"),
        SET("added after a setting", "SETMTU_BACKEND=link", "SETMTU_BACKEND=link\neth0=9000\n"),
        SET("added after a backslash in a setting", "SETMTU_BACKEND=link\\",
            "SETMTU_BACKEND=link\\\n\neth0=9000\n"),
        SET("export", "export eth0=1500\n", "export eth0=1500\neth0=9000\n"),
        SET("no equals sign", "eth0\neth0 1500\n", "eth0\neth0 1500\neth0=9000\n"),
        SET("NUL in the name", "eth0\0=1500\n", "eth0\0=1500\neth0=9000\n"),
        SET("NUL in the last line", "eth1=1500\n\0", "eth1=1500\n\0\neth0=9000\n"),
        SET("a byte order mark in the middle", "\n" BOM "eth0=1500\n", "\n" BOM "eth0=1500\neth0=9000\n"),
        SET("the name in a value", "eth1=\"1500\neth0=1\"\neth2=\"68\n\nup\"\n",
            "eth1=\"1500\neth0=9000\neth2=\"68\n\nup\"\n"),
        SET("the name in a good value of several lines", "eth2='68\n\nup'\n",
            "eth2='68\n\nup'\neth0=9000\n"),

        /* In effect already. */
        IN_EFFECT("nothing to do", "eth0=9000\n"),
        IN_EFFECT("nothing to do, written otherwise", " eth0 = '90'\"00\"\\\n\n#\n"),
        IN_EFFECT("nothing to do, no newline", "eth0=9000"),
        IN_EFFECT("a line in error after it", "eth0=9000\neth0=abc\n"),

        /* Requests and names. */
        { "up", "eth0", "9000 up", TEXT("eth0=1500\n"), 1, TEXT("eth0=\"9000 up\"\n") },
        { "up and a backend", "eth0", "9000 backend=networkmanager up", TEXT("eth0='1500 up' \n"), 1,
          TEXT("eth0=\"9000 up backend=networkmanager\" \n") },
        { "max", "eth0", "max", TEXT(""), 1, TEXT("eth0=max\n") },
        { "the longest", "interface012345", "2147483647 up backend=networkmanager", TEXT("x=68\\\r"), 1,
          TEXT("x=68\\\r\rinterface012345=\"2147483647 up backend=networkmanager\"\r") },
        { "only up differs", "eth0", "9000 up", TEXT("eth0=9000\n"), 1, TEXT("eth0=\"9000 up\"\n") },
        { "only the backend differs", "eth0", "9000 backend=link", TEXT("eth0=9000 backend=unit\n"), 1,
          TEXT("eth0=\"9000 backend=link\"\n") },
        { "a backend where there was none", "eth0", "9000 backend=unit", TEXT("eth0=9000\n"), 1,
          TEXT("eth0=\"9000 backend=unit\"\n") },
        { "options in effect", "eth0", "9000 up backend=link", TEXT("eth0=9000 backend=link up up\n"), 0,
          TEXT("eth0=9000 backend=link up up\n") },
        { "odd bytes in a name", "a\\\"'$&%\xc3\xa9", "9000", TEXT("a\\\"'$&%\xc3\xa9 =1500\na\\=68\n"), 1,
          TEXT("a\\\"'$&%\xc3\xa9 =9000\na\\=68\n") },
        { "a pattern, among devices that it matches", "v*", "9000", TEXT("v1=1500\nv*=1500\nv?=1500\n"), 1,
          TEXT("v1=1500\nv*=9000\nv?=1500\n") },
        { "a device beside its pattern", "v1", "1500", TEXT("v*=1500\n"), 1, TEXT("v*=1500\nv1=1500\n") },
        { "a name of odd bytes is added", "\"\\", "9000", TEXT("\"=68"), 1, TEXT("\"=68\n\"\\=9000\n") },
        { "a name with a byte order mark", BOM "x", "9000", TEXT(""), 1, TEXT("\n" BOM "x=9000\n") },
        { "a quote does not close another's", "eth0", "9000 up", TEXT("eth1=\"1500\neth0=68\n"), 1,
          TEXT("eth1=\"1500\neth0=\"9000 up\"\n") },

        /* Removed. */
        UNSET("removed", "#\neth0=1500\neth1=1500\n", 1, "#\neth1=1500\n"),
        UNSET("removed from the end", "eth1=1500\neth0=1500", 1, "eth1=1500\n"),
        UNSET("removed from the beginning", "eth0=1500\neth1=1500", 1, "eth1=1500"),
        UNSET("removed alone", "eth0=1500", 1, ""),
        UNSET("removed after a byte order mark", BOM " eth0=1500\r\n#\r\n", 1, BOM "#\r\n"),
        UNSET("removed with CR LF", "#\r\neth0=1500\r\n\r\n", 1, "#\r\n\r\n"),
        UNSET("removed with CR", "#\reth0=1500\r\r", 1, "#\r\r"),
        UNSET("removed with its white space", "#\n \t eth0 = 1500 \t\n\n", 1, "#\n\n"),
        UNSET("removed with its continuation", "eth0=15\\\n00\n#\n", 1, "#\n"),
        UNSET("removed with an empty continuation", "eth0=1500\\\n\n#\n", 1, "#\n"),
        UNSET("removed with a backslash and CR LF", "eth0=1500\\\r\n#\r\n", 1, "#\r\n"),
        UNSET("removed with a backslash at the end", "#\neth0=1500\\", 1, "#\n"),
        UNSET("removed with its quoted newline", "eth0='1500\nup'\n#\n", 1, "#\n"),
        UNSET("all of them", "eth0=1\n#\neth0=1500\nx=68\neth0=abc\neth0=\"\n", 4, "#\nx=68\n"),
        UNSET("in error, its first line alone", "eth0=abc\\\neth1=1500\n", 1, "eth1=1500\n"),
        UNSET("an open quote, its first line alone", "eth0='1500\neth1=1500\n", 1, "eth1=1500\n"),
        UNSET("in error by a NUL", "x=68\neth0=\0\n\0", 1, "x=68\n\0"),
        UNSET("others stay", "eth=1\neth00=68\nexport eth0=1\neth0\n#eth0=1\n", 0,
              "eth=1\neth00=68\nexport eth0=1\neth0\n#eth0=1\n"),
        UNSET("settings stay", "SETMTU_BACKEND=link\neth0=1500\n", 1, "SETMTU_BACKEND=link\n"),
        UNSET("nothing to remove", "eth1=1500", 0, "eth1=1500"),
        UNSET("nothing at all", "", 0, ""),
        UNSET("after an open quote", "eth1=\"1500\neth0=\"68\nup\"\n", 1, "eth1=\"1500\n"),
        { "a setting is no device", "SETMTU_BACKEND", NULL, TEXT("SETMTU_BACKEND=unit\n"), 0,
          TEXT("SETMTU_BACKEND=unit\n") },
        { "a comment is no device", "#x", NULL, TEXT("#x=1500\n"), 0, TEXT("#x=1500\n") },

        /* Refused: a line that is in error would be good. */
        REFUSED("a backslash before would take the next line", NULL, "eth1=1500\\\neth0=1500\n", -EBADMSG),
        REFUSED("a backslash before would take it, and its device has a line", NULL,
                "eth1=1500\neth1=68\\\neth0=1500\n", -EBADMSG),
        REFUSED("a quote before would be closed", NULL, "eth1=\"1500\neth0=68\nup\"\n", -EBADMSG),
        REFUSED("a setting before would be good", NULL, "SETMTU_BACKEND=link\\\neth0=1500\n", -EBADMSG),
        REFUSED("another setting before would be good", NULL, "SETMTU_KEEP=yes\\\neth0=1500\n", -EBADMSG),
        REFUSED("a byte order mark would be first", NULL, "eth0=1500\n" BOM "x=68\n", -EBADMSG),
        { "a setting", "SETMTU_X", "9000", TEXT(""), -EINVAL, NULL, 0 },
        { "a setting that is there", "SETMTU_BACKEND", "9000", TEXT("SETMTU_BACKEND=unit\n"), -EINVAL, NULL,
          0 },
        { "a name with =", "a=68\nb", "9000", TEXT(""), -EINVAL, NULL, 0 },
        { "a name with # first", "#x", "9000", TEXT(""), -EINVAL, NULL, 0 },
        { "a name with ; first", ";x", "9000", TEXT(""), -EINVAL, NULL, 0 },
        { "a name with white space", "a b", "9000", TEXT(""), -EINVAL, NULL, 0 },
        { "a name that is too long", "interface0123456", "9000", TEXT(""), -EINVAL, NULL, 0 },
        { "a name that is much too long",
          "interface0123456interface0123456interface0123456interface0123456interface0123456interface0123456"
          "7",
          "9000", TEXT(""), -EINVAL, NULL, 0 },
        { "no name", "", "9000", TEXT("=68\n"), -EINVAL, NULL, 0 },
};

/* Sets, or unsets where there is no value, in a copy of exactly the text's size, so that AddressSanitizer
 * sees a step beyond it. */
static int edit(const char *text, size_t size, const char *device, const char *value, char **ret_text,
                size_t *ret_size) {
        char fault[MTU_SPEC_FAULT_SIZE], *exact = malloc(size > 0 ? size : 1);
        struct mtu_spec spec;
        int r;

        assert_non_null(exact);
        memcpy(exact, text, size);
        if (value) {
                assert_true(mtu_spec_parse(value, &spec, fault));
                r = config_edit_set(exact, size, device, &spec, ret_text, ret_size);
        } else
                r = config_edit_unset(exact, size, device, ret_text, ret_size);
        free(exact);
        return r;
}

static void print_text(const char *title, const char *text, size_t size) {
        print_error("%s: ", title);
        for (size_t i = 0; i < size; i++)
                if (text[i] >= 0x20 && text[i] < 0x7f && text[i] != '\\')
                        print_error("%c", text[i]);
                else
                        print_error("\\x%02x", (unsigned char)text[i]);
        print_error("\n");
}

static void assert_text(const char *got, size_t got_size, const char *expected, size_t expected_size) {
        if (got_size != expected_size || memcmp(got, expected, got_size) != 0) {
                print_text("got     ", got, got_size);
                print_text("expected", expected, expected_size);
                fail();
        }
        assert_int_equal(got[got_size], '\0');
}

/* Whether the row's line is put at the end. */
static bool is_addition(const struct row *row) {
        return row->value && row->after_size > row->before_size &&
               memcmp(row->before, row->after, row->before_size) == 0 &&
               memmem(row->after + row->before_size, row->after_size - row->before_size, row->device,
                      strlen(row->device));
}

/* A line at the end goes and leaves what was there before, but for the newline that the end lacked. */
static void check_removal(const struct row *row, const char *text, size_t size) {
        char *back;
        size_t back_size;

        assert_errno(edit(text, size, row->device, NULL, &back, &back_size), 1);
        assert_true(back_size >= row->before_size);
        assert_memory_equal(back, row->before, row->before_size);
        for (size_t i = row->before_size; i < back_size; i++)
                assert_true(back[i] == '\n' || back[i] == '\r');
        free(back);
}

static void test_row(void **state) {
        const struct row *row = *state;
        char untouched, *text = &untouched, *again;
        size_t size = 4711, again_size;

        assert_errno(edit(row->before, row->before_size, row->device, row->value, &text, &size),
                     row->result);
        if (row->result < 0) {
                assert_ptr_equal(text, &untouched);
                assert_int_equal(size, 4711);
                return;
        }
        assert_text(text, size, row->after, row->after_size);

        /* Once more, it is done already. */
        assert_errno(edit(text, size, row->device, row->value, &again, &again_size), 0);
        assert_text(again, again_size, text, size);
        if (is_addition(row))
                check_removal(row, text, size);
        free(again);
        free(text);
}

/* Around the largest file and the longest line: `before` is `head`, then `fill` up to `size` bytes, then
 * `tail`. */
static const struct length_row {
        const char *name;
        const char *head;
        size_t size;
        char fill;
        const char *tail;
        const char *value;
        int result;
        ssize_t grown; /* by how much `after` is longer */
} length_rows[] = {
        { "the largest file", "eth0=1500\n", CONFIG_FILE_MAX, '\n', "", "9000", 1, 0 },
        { "the largest file, unset", "eth0=1500\n", CONFIG_FILE_MAX, '\n', "", NULL, 1, -10 },
        { "the largest file in effect", "eth0=9000\n", CONFIG_FILE_MAX, '\n', "", "9000", 0, 0 },
        { "larger by a byte", "eth0=1500\n", CONFIG_FILE_MAX, '\n', "", "10000", -EFBIG, 0 },
        { "just as large", "#", CONFIG_FILE_MAX - 11, 'x', "\n", "9000", 1, 10 },
        { "a line too many", "#", CONFIG_FILE_MAX - 10, 'x', "\n", "9000", -EFBIG, 0 },
        { "a long line", "eth0=1500", 4092, ' ', "\n#\n", "9000", 1, 0 },
        { "a line that becomes too long", "eth0=1500", 4096, ' ', "\n#\n", "10000", -EBADMSG, 0 },
        { "a line that becomes too long after a good one", "eth0=68\neth0=1500", 4104, ' ', "\n", "10000",
          -EBADMSG, 0 },
        { "a line that belongs to one that is too long", "x=\\\neth0=68\\\n", 4200, ' ', "eth0=1500\n", NULL,
          0, 0 },
        { "a line that is too long", "eth0=", 5000, '9', "\n#\n", "9000", 1, 9 - 5000 },
        { "a name that is too long", "eth0", 5000, ' ', "=1500\n", "9000", 1, 10 },
};

static void test_length(void **state) {
        const struct length_row *row = *state;
        size_t head = strlen(row->head), tail = strlen(row->tail), size = row->size + tail, after_size = 0;
        char *text = malloc(size), *after = NULL;

        assert_non_null(text);
        memcpy(text, row->head, head);
        memset(text + head, row->fill, row->size - head);
        memcpy(text + row->size, row->tail, tail);
        assert_errno(edit(text, size, "eth0", row->value, &after, &after_size), row->result);
        if (row->result >= 0)
                assert_int_equal((ssize_t)after_size - (ssize_t)size, row->grown);
        free(after);
        free(text);
}

/* Many lines: found one by one, each in error or not. */
static void test_many(void **state) {
        static const char pair[] = "eth0=1500\neth0=abc\\\n";
        const size_t n = 50000;
        char *text = malloc(n * strlen(pair)), *after;
        size_t size = n * strlen(pair), after_size;

        (void)state;
        assert_non_null(text);
        for (size_t i = 0; i < n; i++)
                memcpy(text + i * strlen(pair), pair, strlen(pair));
        assert_errno(edit(text, size, "eth0", "9000", &after, &after_size), 1);
        assert_int_equal(after_size, size);
        assert_memory_equal(after, text, size - strlen("abc\\\n"));
        assert_string_equal(after + size - strlen("abc\\\n"), "9000\n");
        free(after);
        assert_errno(edit(text, size, "eth0", NULL, &after, &after_size), (int)(2 * n));
        assert_int_equal(after_size, 0);
        free(after);
        free(text);
}

int main(void) {
        const struct CMUnitTest tests[] = { cmocka_unit_test(test_many) };

        return RUN_ROWS("configuration edits", test_row, rows) +
               RUN_ROWS("length", test_length, length_rows) +
               cmocka_run_group_tests_name("many lines", tests, NULL, NULL);
}
