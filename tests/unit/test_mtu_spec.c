/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rows.h"

#include "config/mtu_spec.h"

/* `fault`: a part of the message that belongs to this mistake alone; NULL: the value is good. */
static const struct row {
        const char *name;
        const char *text;
        struct mtu_spec spec;
        const char *fault;
} rows[] = {
        { "decimal", "9000", { .mtu = 9000 }, NULL },
        { "the smallest", "68", { .mtu = 68 }, NULL },
        { "the largest", "2147483647", { .mtu = 2147483647 }, NULL },
        { "max", "max", { .mtu = MTU_MAX }, NULL },
        { "up", "9000 up", { .mtu = 9000, .up = true }, NULL },
        { "max up", "max up", { .mtu = MTU_MAX, .up = true }, NULL },
        { "white space", " \t9000\n up \r", { .mtu = 9000, .up = true }, NULL },
        { "backend",
          "9000 backend=unit",
          { .mtu = 9000, .has_backend = true, .backend = BACKEND_UNIT },
          NULL },
        { "both options",
          "9000 backend=link up",
          { .mtu = 9000, .up = true, .has_backend = true, .backend = BACKEND_LINK },
          NULL },
        { "auto", "auto", { .is_auto = true }, NULL },
        { "auto less 20", "auto-20 up", { .is_auto = true, .less = 20, .up = true }, NULL },
        { "auto less nothing", "auto-", { 0 }, "neither auto nor auto-N" },
        { "auto less 0", "auto-0", { 0 }, "neither auto nor auto-N" },
        { "auto less too much", "auto-2147483648", { 0 }, "neither auto nor auto-N" },
        { "auto less far too much", "auto-99999999999", { 0 }, "neither auto nor auto-N" },
        { "auto less 020", "auto-020", { 0 }, "neither auto nor auto-N" },
        { "auto and more", "auto+20", { 0 }, "neither auto nor auto-N" },
        { "automatic", "automatic", { 0 }, "neither auto nor auto-N" },
        { "keep", "9000 keep", { .mtu = 9000, .keep = true }, NULL },
        { "keep twice", "9000 keep up keep", { .mtu = 9000, .up = true, .keep = true }, NULL },
        { "keep with a value", "9000 keep=yes", { 0 }, "\"keep=yes\" is not an option" },
        { "nothing", "", { 0 }, "no MTU after" },
        { "only white space", " \t ", { 0 }, "no MTU after" },
        { "a word", "jumbo", { 0 }, "\"jumbo\" is not a number" },
        { "a sign", "+9000", { 0 }, "is not a number" },
        { "MAX", "MAX", { 0 }, "is not a number" },
        { "9k", "9k", { 0 }, "9216" },
        { "9K", "9K", { 0 }, "9216" },
        { "negative", "-5", { 0 }, "is not a number of bytes" },
        { "a dash", "-", { 0 }, "is not a number" },
        { "zero", "0", { 0 }, "0 is no MTU" },
        { "67", "67", { 0 }, "below 68" },
        { "2^31", "2147483648", { 0 }, "above 2147483647" },
        { "2^32 + 9000", "4294976296", { 0 }, "above 2147483647" },
        { "2^64 + 9000", "18446744073709560616", { 0 }, "is above 2147483647" },
        { "a hundred digits",
          "10000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
          "00000000",
          { 0 },
          "is above 2147483647" },
        { "trailing junk", "9000x", { 0 }, "\"x\" after the number" },
        { "a comma", "9,000", { 0 }, "\",000\" after the number" },
        { "hexadecimal", "0x2328", { 0 }, "write it in decimal" },
        { "octal", "010", { 0 }, "write it in decimal" },
        { "unknown option", "9000 upp", { 0 }, "\"upp\" is not an option" },
        { "an option as in ip", "9000 dev", { 0 }, "\"dev\" is not an option" },
        { "a comment", "4000 # x", { 0 }, "comment needs a line of its own" },
        { "a comment with ;", "4000 ;x", { 0 }, "comment needs a line of its own" },
        { "unknown backend", "9000 backend=foo", { 0 }, "\"foo\" is not a backend" },
        { "no backend", "9000 backend=", { 0 }, "\"\" is not a backend" },
        { "part of a backend", "9000 backend=uni", { 0 }, "\"uni\" is not a backend" },
        { "not UTF-8", "\xff", { 0 }, "\"\xff\" is not a number" },
        { "an escape sequence", "9000 \x1b[2J", { 0 }, "\x1b[2J" },
};

static void test_row(void **state) {
        const struct row *row = *state;
        struct mtu_spec spec = { .mtu = 4711 };
        char fault[MTU_SPEC_FAULT_SIZE] = "";
        bool good = mtu_spec_parse(row->text, &spec, fault);

        if (good != !row->fault)
                fail_msg("%s", good ? "taken" : fault);
        if (row->fault) {
                assert_int_equal(spec.mtu, 4711);
                if (!strstr(fault, row->fault))
                        fail_msg("\"%s\" does not say \"%s\"", fault, row->fault);
                return;
        }
        assert_int_equal(spec.mtu, row->spec.mtu);
        assert_int_equal(spec.is_auto, row->spec.is_auto);
        assert_int_equal(spec.less, row->spec.less);
        assert_int_equal(spec.up, row->spec.up);
        assert_int_equal(spec.keep, row->spec.keep);
        assert_int_equal(spec.has_backend, row->spec.has_backend);
        assert_int_equal(spec.backend, row->spec.backend);
}

static const struct backend_row {
        const char *name;
        enum backend backend;
} backend_rows[] = {
        { "unit", BACKEND_UNIT },
        { "link", BACKEND_LINK },
        { "network", BACKEND_NETWORK },
        { "networkd", BACKEND_NETWORKD },
        { "networkmanager", BACKEND_NETWORKMANAGER },
        { "auto", BACKEND_AUTO },
};

static void test_backend(void **state) {
        const struct backend_row *row = *state;
        enum backend backend;

        assert_true(backend_from_name(row->name, &backend));
        assert_int_equal(backend, row->backend);
        assert_string_equal(backend_name(row->backend), row->name);
        /* The list that messages show is the list there is. */
        assert_non_null(strstr(BACKEND_NAMES, row->name));
        assert_int_equal(sizeof(backend_rows) / sizeof(backend_rows[0]), BACKEND_COUNT);
}

static const struct format_row {
        const char *name; /* the text, too */
        struct mtu_spec spec;
} format_rows[] = {
        { "9000", { .mtu = 9000 } },
        { "max", { .mtu = MTU_MAX } },
        { "auto", { .is_auto = true } },
        { "auto-1 keep", { .is_auto = true, .less = 1, .keep = true } },
        { "auto-2147483647 up keep backend=networkmanager",
          { .is_auto = true,
            .less = MTU_LARGEST,
            .up = true,
            .keep = true,
            .has_backend = true,
            .backend = BACKEND_NETWORKMANAGER } },
        { "68 up", { .mtu = 68, .up = true } },
        { "max backend=unit", { .mtu = MTU_MAX, .has_backend = true, .backend = BACKEND_UNIT } },
        { "1500", { .mtu = 1500, .backend = BACKEND_LINK } },
        { "9000 keep", { .mtu = 9000, .keep = true } },
        { "2147483647 up keep backend=networkmanager",
          { .mtu = MTU_LARGEST,
            .up = true,
            .keep = true,
            .has_backend = true,
            .backend = BACKEND_NETWORKMANAGER } },
};

static void test_format(void **state) {
        const struct format_row *row = *state;
        char text[MTU_SPEC_TEXT_SIZE], fault[MTU_SPEC_FAULT_SIZE];
        struct mtu_spec back, other = row->spec;

        assert_ptr_equal(mtu_spec_format(text, &row->spec), text);
        assert_string_equal(text, row->name);
        assert_true(mtu_spec_parse(text, &back, fault));
        assert_true(mtu_spec_equals(&back, &row->spec));

        other.mtu++;
        assert_false(mtu_spec_equals(&other, &row->spec));
        other = row->spec;
        other.is_auto = !other.is_auto;
        assert_false(mtu_spec_equals(&other, &row->spec));
        other = row->spec;
        other.less++;
        assert_false(mtu_spec_equals(&other, &row->spec));
        other = row->spec;
        other.up = !other.up;
        assert_false(mtu_spec_equals(&other, &row->spec));
        other = row->spec;
        other.keep = !other.keep;
        assert_false(mtu_spec_equals(&other, &row->spec));
        other = row->spec;
        other.has_backend = !other.has_backend;
        assert_false(mtu_spec_equals(&other, &row->spec));
        /* Which backend matters where there is one. */
        other = row->spec;
        other.backend = row->spec.backend == BACKEND_LINK ? BACKEND_UNIT : BACKEND_LINK;
        assert_int_equal(mtu_spec_equals(&other, &row->spec), !row->spec.has_backend);
}

int main(void) {
        return RUN_ROWS("request", test_row, rows) + RUN_ROWS("backend", test_backend, backend_rows) +
               RUN_ROWS("format", test_format, format_rows);
}
