/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rows.h"

#include "config/interface_name.h"

/* `fault`: a part of the message that no other case has; NULL: the name is legal. */
static const struct row {
        const char *name;
        const char *text;
        const char *fault;
} rows[] = {
        { "plain", "eth0", NULL },
        { "VLAN", "enp2s0.5", NULL },
        { "dash", "br-lan", NULL },
        { "at", "veth@x", NULL },
        { "leading dash", "-x", NULL },
        { "leading dot", ".x", NULL },
        { "three dots", "...", NULL },
        { "percent", "a%b", NULL },
        { "backslash", "a\\b", NULL },
        { "glob", "e*[?]|", NULL },
        { "quotes", "a\"b'c", NULL },
        { "UTF-8", "\xc3\xa9t\xc3\xa9", NULL },
        { "UTF-8 next to the C1 controls", "\xc2\xa9", NULL },
        { "one byte", "x", NULL },
        { "fifteen bytes", "0123456789abcde", NULL },
        { "sixteen bytes", "0123456789abcdef", "longer than 15 bytes" },
        { "empty", "", "empty" },
        { "dot", ".", "directory" },
        { "two dots", "..", "directory" },
        { "slash", "a/b", "\"/\"" },
        { "a path", "../../etc/x", "\"/\"" },
        { "colon", "eth0:1", "\":\"" },
        { "space", "a b", "white space" },
        { "tab", "a\tb", "white space" },
        { "newline", "a\nb", "white space" },
        { "vertical tab", "a\vb", "white space" },
        { "escape", "a\x1b[0m", "control character" },
        { "delete", "a\x7f", "control character" },
        { "C1 control", "a\xc2\x9b", "control character" },
        { "byte 0xa0, white space to the kernel", "\xc3\xa0", "0xa0" },
        { "not UTF-8", "a\xff", "UTF-8" },
        { "Latin-1", "\xe9t\xe9", "UTF-8" },
};

static void test_row(void **state) {
        const struct row *row = *state;
        const char *fault = interface_name_fault(row->text);

        if (!row->fault) {
                if (fault)
                        fail_msg("refused: %s", fault);
                return;
        }
        if (!fault)
                fail_msg("taken, expected: %s", row->fault);
        if (!strstr(fault, row->fault))
                fail_msg("\"%s\" does not say \"%s\"", fault, row->fault);
}

int main(void) {
        return RUN_ROWS("interface name", test_row, rows);
}
