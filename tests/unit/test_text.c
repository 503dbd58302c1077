/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rows.h"

#include "base/text.h"

struct row {
        const char *name;
        const char *text;
        size_t size;
        bool is_utf8;
        const char *quoted;
};

#define TEXT(literal) literal, sizeof(literal) - 1

static const struct row rows[] = {
        { "empty", TEXT(""), true, "\"\"" },
        { "plain", TEXT("eth0"), true, "\"eth0\"" },
        { "two bytes", TEXT("\xc3\xa9"), true, "\"\xc3\xa9\"" },
        { "three bytes", TEXT("\xe2\x82\xac"), true, "\"\xe2\x82\xac\"" },
        { "four bytes", TEXT("\xf0\x9f\x98\x80"), true, "\"\xf0\x9f\x98\x80\"" },
        { "the largest code", TEXT("\xf4\x8f\xbf\xbf"), true, "\"\xf4\x8f\xbf\xbf\"" },
        { "above it", TEXT("\xf4\x90\x80\x80"), false, "\"\\xf4\\x90\\x80\\x80\"" },
        { "a lone continuation", TEXT("a\x80z"), false, "\"a\\x80z\"" },
        { "truncated", TEXT("\xe2\x82"), false, "\"\\xe2\\x82\"" },
        { "overlong", TEXT("\xc0\xaf"), false, "\"\\xc0\\xaf\"" },
        { "overlong in three", TEXT("\xe0\x80\xaf"), false, "\"\\xe0\\x80\\xaf\"" },
        { "a surrogate", TEXT("\xed\xa0\x80"), false, "\"\\xed\\xa0\\x80\"" },
        { "never a first byte", TEXT("\xff"), false, "\"\\xff\"" },
        { "control characters", TEXT("\x1b[31m\n\t\x7f"), true, "\"\\x1b[31m\\x0a\\x09\\x7f\"" },
        { "C1 control", TEXT("\xc2\x9b"), true, "\"\\xc2\\x9b\"" },
        { "NUL", TEXT("a\0b"), true, "\"a\\x00b\"" },
        { "quote and backslash", TEXT("a\"b\\c"), true, "\"a\\x22b\\x5cc\"" },
        { "cut", TEXT("0123456789012345678901234567890123456789012345678901234567890123456789abcdef"), true,
          "\"012345678901234567890123456789012345678901234567890123456789012345...\"" },
};

static void test_row(void **state) {
        const struct row *row = *state;
        char buffer[TEXT_QUOTE_SIZE];

        assert_int_equal(text_is_utf8(row->text, row->size), row->is_utf8);
        assert_string_equal(text_quote(buffer, row->text, row->size), row->quoted);
}

int main(void) {
        return RUN_ROWS("text", test_row, rows);
}
