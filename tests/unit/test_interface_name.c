/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rows.h"

#include "config/interface_name.h"

#define TEXT(literal) literal, sizeof(literal) - 1

/* `fault`: a part of the message that no other case has; NULL: the name is legal. */
static const struct row {
        const char *name;
        const char *text;
        size_t size;
        const char *fault;
} rows[] = {
        { "plain", TEXT("eth0"), NULL },
        { "VLAN", TEXT("enp2s0.5"), NULL },
        { "dash", TEXT("br-lan"), NULL },
        { "at", TEXT("veth@x"), NULL },
        { "leading dash", TEXT("-x"), NULL },
        { "leading dot", TEXT(".x"), NULL },
        { "three dots", TEXT("..."), NULL },
        { "percent", TEXT("a%b"), NULL },
        { "backslash", TEXT("a\\b"), NULL },
        { "glob", TEXT("e*[?]|"), NULL },
        { "quotes", TEXT("a\"b'c"), NULL },
        { "UTF-8", TEXT("\xc3\xa9t\xc3\xa9"), NULL },
        { "UTF-8 next to the C1 controls", TEXT("\xc2\xa9"), NULL },
        { "one byte", TEXT("x"), NULL },
        { "fifteen bytes", TEXT("0123456789abcde"), NULL },
        { "sixteen bytes", TEXT("0123456789abcdef"), "longer than 15 bytes" },
        { "empty", TEXT(""), "empty" },
        { "dot", TEXT("."), "directory" },
        { "two dots", TEXT(".."), "directory" },
        { "slash", TEXT("a/b"), "\"/\"" },
        { "a path", TEXT("../../etc/x"), "\"/\"" },
        { "colon", TEXT("eth0:1"), "\":\"" },
        { "space", TEXT("a b"), "white space" },
        { "tab", TEXT("a\tb"), "white space" },
        { "newline", TEXT("a\nb"), "white space" },
        { "vertical tab", TEXT("a\vb"), "white space" },
        { "escape", TEXT("a\x1b[0m"), "control character" },
        { "delete", TEXT("a\x7f"), "control character" },
        { "NUL", TEXT("a\0b"), "control character" },
        { "C1 control", TEXT("a\xc2\x9b"), "control character" },
        { "byte 0xa0, white space to the kernel", TEXT("\xc3\xa0"), "0xa0" },
        { "not UTF-8", TEXT("a\xff"), "UTF-8" },
        { "Latin-1", TEXT("\xe9t\xe9"), "UTF-8" },
};

static void test_row(void **state) {
        const struct row *row = *state;
        const char *fault = interface_name_fault(row->text, row->size);

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
