/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rows.h"

#include "base/unit_name.h"
#include "config/interface_name.h"

/* What `systemd-escape` prints for the name, except for a leading dot: see unit_name_escape(). */
static const struct escape_row {
        const char *name;
        const char *plain;
        const char *escaped;
} escape_rows[] = {
        { "plain", "eth0", "eth0" },
        { "VLAN", "enp2s0.5", "enp2s0.5" },
        { "dash", "br-lan", "br\\x2dlan" },
        { "leading dash", "-x", "\\x2dx" },
        { "percent", "a%b", "a\\x25b" },
        { "dollar", "a$b", "a\\x24b" },
        { "backslash", "a\\b", "a\\x5cb" },
        { "at", "veth@x", "veth\\x40x" },
        { "leading dot", ".x", ".x" },
        { "underscore and colon", "a_b:c", "a_b:c" },
        { "UTF-8", "\xc3\xa9", "\\xc3\\xa9" },
        { "quotes", "a\"b'c", "a\\x22b\\x27c" },
        { "slash", "a/b", "a-b" },
        { "fifteen of the widest", "---------------",
          "\\x2d\\x2d\\x2d\\x2d\\x2d\\x2d\\x2d\\x2d\\x2d\\x2d\\x2d\\x2d\\x2d\\x2d\\x2d" },
};

static void test_escape(void **state) {
        const struct escape_row *row = *state;
        char escaped[UNIT_NAME_ESCAPED_SIZE(INTERFACE_NAME_SIZE - 1)], plain[INTERFACE_NAME_SIZE];

        unit_name_escape(row->plain, escaped);
        assert_string_equal(escaped, row->escaped);
        assert_true(unit_name_unescape(row->escaped, plain, sizeof(plain)));
        assert_string_equal(plain, row->plain);
}

static const struct fault_row {
        const char *name;
        const char *escaped;
} fault_rows[] = {
        { "backslash at the end", "a\\" },  { "no x", "a\\y2d" },
        { "one digit", "a\\x2" },           { "no digits", "a\\x" },
        { "not hexadecimal", "a\\x2g" },    { "NUL", "a\\x00b" },
        { "too long", "0123456789abcdef" },
};

static void test_fault(void **state) {
        const struct fault_row *row = *state;
        char plain[INTERFACE_NAME_SIZE];

        assert_false(unit_name_unescape(row->escaped, plain, sizeof(plain)));
}

static const struct fault_row spelling_rows[] = { { "capital digits", "a\\x2Db" } };

static void test_spelling(void **state) {
        const struct fault_row *row = *state;
        char plain[INTERFACE_NAME_SIZE];

        assert_true(unit_name_unescape(row->escaped, plain, sizeof(plain)));
        assert_string_equal(plain, "a-b");
}

int main(void) {
        return RUN_ROWS("escape", test_escape, escape_rows) +
               RUN_ROWS("unescape refuses", test_fault, fault_rows) +
               RUN_ROWS("unescape takes", test_spelling, spelling_rows);
}
