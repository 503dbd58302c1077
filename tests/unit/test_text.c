/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rows.h"

#include <limits.h>

#include "base/text.h"

struct row {
        const char *name;
        const char *text;
        size_t size;
        bool is_utf8;
        const char *escaped;
};

#define TEXT(literal) literal, sizeof(literal) - 1

static const struct row rows[] = {
        { "empty", TEXT(""), true, "" },
        { "plain", TEXT("eth0"), true, "eth0" },
        { "two bytes", TEXT("\xc3\xa9"), true, "\xc3\xa9" },
        { "three bytes", TEXT("\xe2\x82\xac"), true, "\xe2\x82\xac" },
        { "four bytes", TEXT("\xf0\x9f\x98\x80"), true, "\xf0\x9f\x98\x80" },
        { "the largest code", TEXT("\xf4\x8f\xbf\xbf"), true, "\xf4\x8f\xbf\xbf" },
        { "above it", TEXT("\xf4\x90\x80\x80"), false, "\\xf4\\x90\\x80\\x80" },
        { "a lone continuation", TEXT("a\x80z"), false, "a\\x80z" },
        { "truncated", TEXT("\xe2\x82"), false, "\\xe2\\x82" },
        { "overlong", TEXT("\xc0\xaf"), false, "\\xc0\\xaf" },
        { "overlong in three", TEXT("\xe0\x80\xaf"), false, "\\xe0\\x80\\xaf" },
        { "a surrogate", TEXT("\xed\xa0\x80"), false, "\\xed\\xa0\\x80" },
        { "never a first byte", TEXT("\xff"), false, "\\xff" },
        { "control characters", TEXT("\x1b[31m\n\t\x7f"), true, "\\x1b[31m\\x0a\\x09\\x7f" },
        { "C1 control", TEXT("\xc2\x9b"), true, "\\xc2\\x9b" },
        { "quote and backslash", TEXT("a\"b\\c"), true, "a\"b\\c" },
        { "cut", TEXT("0123456789012345678901234567890123456789012345678901234567890123456789abcdef"), true,
          "0123456789012345678901234567890123456789012345678901234567890123456789a..." },
};

static void test_row(void **state) {
        const struct row *row = *state;
        char buffer[75];

        assert_int_equal(text_is_utf8(row->text, row->size), row->is_utf8);
        assert_string_equal(text_for_terminal(buffer, sizeof(buffer), row->text), row->escaped);
}

#define NOT_MEANT UINT_MAX

struct typo_row {
        const char *name;
        const char *word;
        const char *meant;
        unsigned typos;
};

static const struct typo_row typo_rows[] = {
        { "none", "eth0", "eth0", 0 },
        { "swapped", "eht0", "eth0", 1 },
        { "swapped at the end", "lan", "lna", 1 },
        { "left out", "stats", "status", 1 },
        { "added", "sttatus", "status", 1 },
        { "replaced", "statas", "status", 1 },
        { "two", "stat", "status", 2 },
        { "more than a third", "sta", "status", NOT_MEANT },
        { "another word", "plan", "probe", NOT_MEANT },
        { "another number", "eth1", "eth0", NOT_MEANT },
        { "one more digit", "eth10", "eth1", NOT_MEANT },
        { "one digit less", "enp2s0", "enp2s01", NOT_MEANT },
        { "digits swapped", "enp2s0", "enp0s2", NOT_MEANT },
        { "letters swapped between digits", "epn2s0", "enp2s0", 1 },
        { "no number at all", "eth", "eth0", 1 },
        { "too short", "a", "b", NOT_MEANT },
        { "nothing", "", "eth0", NOT_MEANT },
        { "too long", "a-name-that-no-device-can-ever-have", "a-name-that-no-device-can-ever-have",
          NOT_MEANT },
};

static void test_typos(void **state) {
        const struct typo_row *row = *state;

        assert_int_equal(text_typos(row->word, row->meant), row->typos);
        assert_int_equal(text_typos(row->meant, row->word), row->typos);
}

struct word_row {
        const char *name;
        const char *text;
        const char *word;
};

static const struct word_row word_rows[] = {
        { "plain", "eth0.5", "eth0.5" },
        { "a path", "/etc/conf.d/setmtu", "/etc/conf.d/setmtu" },
        { "nothing", "", "''" },
        { "a space", "my lan", "'my lan'" },
        { "two commands", "a;b", "'a;b'" },
        { "a variable", "$HOME", "'$HOME'" },
        { "a home", "~root", "'~root'" },
        { "a quote", "it's", "'it'\\''s'" },
        { "a pattern", "eth*", "'eth*'" },
};

static void test_word(void **state) {
        const struct word_row *row = *state;
        char buffer[TEXT_SHELL_WORD_SIZE];

        assert_string_equal(text_shell_word(buffer, row->text), row->word);
}

/* What does not fit names nothing, and is no half of it. */
static void test_long_word(void **state) {
        char text[TEXT_SHELL_WORD_SIZE + 1], buffer[TEXT_SHELL_WORD_SIZE];

        (void)state;
        memset(text, 'a', sizeof(text) - 1);
        text[sizeof(text) - 1] = '\0';
        assert_string_equal(text_shell_word(buffer, text), "''");
        text[0] = '\'';
        assert_string_equal(text_shell_word(buffer, text), "''");
        text[TEXT_SHELL_WORD_SIZE - 1] = '\0';
        text[0] = 'a';
        assert_string_equal(text_shell_word(buffer, text), text);
}

int main(void) {
        const struct CMUnitTest tests[] = { cmocka_unit_test(test_long_word) };

        return RUN_ROWS("text", test_row, rows) + RUN_ROWS("typos", test_typos, typo_rows) +
               RUN_ROWS("shell words", test_word, word_rows) +
               cmocka_run_group_tests_name("long shell words", tests, NULL, NULL);
}
