/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rows.h"

#include "config/config.h"

#define TEXT(literal) literal, sizeof(literal) - 1

/* A FILE named `a`, then perhaps one named `b`, then a command line. `seen`: the lines as NAME=MTU[ up][
 * BACKEND]@FILE:LINE, then `!` and each diagnostic as (E|W) FILE:LINE, all separated by blanks. */
static const struct row {
        const char *name;
        const char *a;
        size_t a_size;
        const char *b;
        const char *command_line;
        const char *seen;
} rows[] = {
        { "nothing", TEXT(""), NULL, NULL, "auto !" },
        { "one line", TEXT("eth0=4000\n"), NULL, NULL, "eth0=4000@a:1 auto !" },
        { "order of first naming", TEXT("b=100\na=100\n"), NULL, NULL,
          "b=100@a:1 a=100@a:2 auto ! Wa:1 Wa:2" },
        { "max", TEXT("usb0=max\n"), NULL, NULL, "usb0=max@a:1 auto !" },
        { "options", TEXT("br-lan=\"9000 up backend=link\"\n"), NULL, NULL,
          "br-lan=9000,up,link@a:1 auto !" },
        { "duplicate, last wins", TEXT("x=2000\ny=3000\nx=4000\n"), NULL, NULL,
          "x=4000@a:3 y=3000@a:2 auto ! Wa:3" },
        { "a bad second line leaves the first", TEXT("x=2000\nx=9k\n"), NULL, NULL,
          "x=2000@a:1 auto ! Ea:2" },
        { "below 1280", TEXT("x=1279\ny=1280\n"), NULL, NULL, "x=1279@a:1 y=1280@a:2 auto ! Wa:1" },
        { "a drop-in overrides without a word", TEXT("x=2000\ny=2000\n"), "x=3000\n", NULL,
          "x=3000@b:1 y=2000@a:2 auto !" },
        { "a bad line in a drop-in", TEXT("x=2000\n"), "\nx=9k\n", NULL, "x=2000@a:1 auto ! Eb:2" },
        { "global backend", TEXT("x=2000\nSETMTU_BACKEND=link\n"), NULL, NULL, "x=2000@a:1 link !" },
        { "the last global backend", TEXT("SETMTU_BACKEND=link\n"), "SETMTU_BACKEND=\"network\"\n", NULL,
          "network !" },
        { "unknown global backend", TEXT("SETMTU_BACKEND=foo\nx=2000\n"), NULL, NULL,
          "x=2000@a:2 auto ! Ea:1" },
        { "an option, kept", TEXT("x=\"2000 keep\"\n"), NULL, NULL, "x=2000,keep@a:1 auto !" },
        { "all are kept", TEXT("SETMTU_KEEP=yes\nx=2000\n"), NULL, NULL, "x=2000@a:2 auto keep !" },
        { "the last setting counts", TEXT("SETMTU_KEEP=yes\n"), "SETMTU_KEEP=no\nx=2000\n", NULL,
          "x=2000@b:2 auto !" },
        { "neither yes nor no", TEXT("SETMTU_KEEP=maybe\nx=2000\n"), NULL, NULL, "x=2000@a:2 auto ! Ea:1" },
        { "unknown setting", TEXT("SETMTU_X=1\nx=2000\n"), NULL, NULL, "x=2000@a:2 auto ! Ea:1" },
        { "only the prefix is ours", TEXT("SETMTU=2000\n"), NULL, NULL, "SETMTU=2000@a:1 auto !" },
        { "every mistake costs its own line",
          TEXT("a1=2000\nnope\na2=2000\n=5\na3=2000\na/b=2000\na4=2000\na5=0\na6=2000\na7=\"2000\na8=2000\n"
               "a9=2000\0\nb1=2000\n\xff=2000\nb2=2000\n"),
          NULL, NULL,
          "a1=2000@a:1 a2=2000@a:3 a3=2000@a:5 a4=2000@a:7 a6=2000@a:9 a8=2000@a:11 b1=2000@a:13 "
          "b2=2000@a:15 auto "
          "! Ea:2 Ea:4 Ea:6 Ea:8 Ea:10 Ea:12 Ea:14" },
        { "a quote closed by another line's", TEXT("x=\"2000\ny=\"3000\"\nz=2000\n"), NULL, NULL,
          "y=3000@a:2 z=2000@a:3 auto ! Ea:1" },
        { "a quote over two lines, meant so", TEXT("x=\"2000\nup\"\ny=2000\n"), NULL, NULL,
          "x=2000,up@a:1 y=2000@a:3 auto !" },
        { "a backslash that swallows a good line", TEXT("x=2000\\\ny=3000\nz=2000\n"), NULL, NULL,
          "y=3000@a:2 z=2000@a:3 auto ! Ea:1" },
        { "a backslash in a quote that swallows a good line", TEXT("x=\"2000\\\ny=\"3000\"\nz=2000\n"), NULL,
          NULL, "y=3000@a:2 z=2000@a:3 auto ! Ea:1" },
        { "an open quote and a bad name", TEXT("a/b=\"2000\ny=\"3000\"\n"), NULL, NULL,
          "y=3000@a:2 auto ! Ea:1" },
        { "an open quote and a setting", TEXT("SETMTU_BACKEND=\"link\ny=\"3000\"\n"), NULL, NULL,
          "y=3000@a:2 auto ! Ea:1" },
        { "command line", TEXT("x=2000\n"), NULL, "quiet setmtu=x:3000,y:4000 root=/dev/x\n",
          "x=3000@c:0 y=4000@c:0 auto !" },
        { "command line, quoted", TEXT(""), NULL, "setmtu=\"x:3000 up,y:max\" q",
          "x=3000,up@c:0 y=max@c:0 auto !" },
        { "command line, quoted whole", TEXT(""), NULL, "\"setmtu=x:3000 up\"", "x=3000,up@c:0 auto !" },
        { "command line, twice", TEXT(""), NULL, "setmtu=x:3000 setmtu=y:3000",
          "x=3000@c:0 y=3000@c:0 auto !" },
        { "command line, other words", TEXT(""), NULL,
          "xsetmtu=x:3000 setmtux=x:3000 rd.setmtu=x:3000 setmtu", "auto !" },
        { "command line, mistakes", TEXT(""), NULL, "setmtu=x,y:9k,z:3000,,a/b:3000,:3000,v:3000",
          "z=3000@c:0 v=3000@c:0 auto ! Ec:0 Ec:0 Ec:0 Ec:0" },
        { "command line, duplicate", TEXT(""), NULL, "setmtu=x:3000,x:4000", "x=4000@c:0 auto ! Wc:0" },
        { "command line, empty", TEXT(""), NULL, "setmtu= setmtu=\"\" setmtu=\"", "auto !" },
};

static void note(void *userdata, const struct diagnostic *diagnostic) {
        fprintf(userdata, " %c%s:%u", diagnostic->severity == DIAGNOSTIC_ERROR ? 'E' : 'W', diagnostic->file,
                diagnostic->line);
        assert_true(strlen(diagnostic->text) > 20);
}

static void test_row(void **state) {
        const struct row *row = *state;
        char seen[1024] = "", diagnostics[512] = "";
        FILE *diagnostics_stream = fmemopen(diagnostics, sizeof(diagnostics), "w");
        const struct diagnostic_sink sink = { .report = note, .userdata = diagnostics_stream };
        struct config config;
        size_t used = 0;

        config = (struct config){ 0 };
        assert_errno(config_parse_file(&config, "a", row->a, row->a_size, &sink), 0);
        if (row->b)
                assert_errno(config_parse_file(&config, "b", row->b, strlen(row->b), &sink), 0);
        if (row->command_line)
                assert_errno(config_parse_command_line(&config, "c", row->command_line,
                                                       strlen(row->command_line), &sink),
                             0);
        fclose(diagnostics_stream);
        for (size_t i = 0; i < config.n_lines; i++) {
                const struct config_line *line = &config.lines[i];
                char mtu[16] = "max";

                if (line->spec.mtu != MTU_MAX)
                        snprintf(mtu, sizeof(mtu), "%u", line->spec.mtu);
                used += (size_t)snprintf(seen + used, sizeof(seen) - used, "%s=%s%s%s%s%s@%s:%u ",
                                         line->name, mtu, line->spec.up ? ",up" : "",
                                         line->spec.keep ? ",keep" : "", line->spec.has_backend ? "," : "",
                                         line->spec.has_backend ? backend_name(line->spec.backend) : "",
                                         line->file, line->line);
                assert_ptr_equal(config_find(&config, line->name), line);
        }
        snprintf(seen + used, sizeof(seen) - used, "%s%s !%s", backend_name(config.backend),
                 config.keep ? " keep" : "", diagnostics);
        assert_string_equal(seen, row->seen);
        assert_null(config_find(&config, "absent"));
        config_free(&config);
}

/* Each mistake has a sentence of its own. */
static const struct message_row {
        const char *name;
        const char *text;
        size_t size;
        const char *message;
} message_rows[] = {
        { "no equals sign", TEXT("nope"),
          "\"nope\" has no \"=\"; a line is NAME=MTU, for example eth0=9000" },
        { "empty key", TEXT("=9000"),
          "the line has no interface name before the \"=\"; a line is NAME=MTU, for example eth0=9000" },
        { "export", TEXT("export eth0=9000"),
          "\"export eth0\" contains white space, which an interface name cannot; leave out the word "
          "export" },
        { "export and a tab", TEXT("export\teth0=9000"),
          "\"export\teth0\" contains white space, which an interface name cannot; leave out the word "
          "export" },
        { "a word that begins with export", TEXT("exports eth0=9000"),
          "\"exports eth0\" contains white space, which an interface name cannot" },
        { "open quote", TEXT("eth0=\"9000"),
          "\"eth0\" has a quote after the \"=\" that is not closed; end it on this line" },
        { "open quote, closed later", TEXT("eth0=\"9000\neth1=\"9000\""),
          "eth0: the quote is not closed; end it on this line" },
        { "NUL", TEXT("eth0=\0"), "the line contains a NUL byte; the file may be binary, or UTF-16" },
        { "duplicate", TEXT("x=2000\nx=2000"), "x is here a second time; this line wins over line 1" },
        { "IPv6", TEXT("x=1000"), "x: 1000 is below 1280: the kernel will disable IPv6 on this interface" },
        { "value", TEXT("x=9k"),
          "x: \"9k\" has a unit; write the bytes in full, for example 9000 (systemd-networkd reads 9K as "
          "9216, people "
          "mostly mean 9000)" },
        { "pattern", TEXT("a|*=9000"),
          "a|* is a pattern with a character that is special in other programs, or not in ASCII; write ? in "
          "its place" },
        { "bracket", TEXT("a[]=9000"),
          "a[] is a pattern with a [ that is not closed; write, for example, [0-9], or ? for any one "
          "character" },
        { "setting", TEXT("SETMTU_BACKENDS=unit"),
          "\"SETMTU_BACKENDS\" is not a setting; the settings are SETMTU_BACKEND and SETMTU_KEEP" },
};

static void keep_text(void *userdata, const struct diagnostic *diagnostic) {
        snprintf(userdata, 512, "%s", diagnostic->text);
}

static void test_message(void **state) {
        const struct message_row *row = *state;
        char text[512] = "";
        const struct diagnostic_sink sink = { .report = keep_text, .userdata = text };
        struct config config;

        config = (struct config){ 0 };
        assert_errno(config_parse_file(&config, "a", row->text, row->size, &sink), 0);
        assert_string_equal(text, row->message);
        config_free(&config);
}

/* `line`: the line for a device of this name, and those that override it if it is a pattern's. */
static const struct match_row {
        const char *name;
        const char *text;
        const char *device;
        const char *line;
} match_rows[] = {
        { "none", "v*=9000", "w0", NULL },
        { "a star", "v*=9000", "vnet7", "v*" },
        { "a star for nothing", "vnet7*=9000", "vnet7", "vnet7*" },
        { "a question mark", "v?=9000", "v1", "v?" },
        { "a question mark for one", "v?=9000", "v12", NULL },
        { "a range", "v[0-9]=9000", "v7", "v[0-9]" },
        { "not in a range", "v[!0-9]=9000", "v7", NULL },
        { "a closing bracket in brackets", "v[]]=9000", "v]", "v[]]" },
        { "a dot", "*=9000", ".v", "*" },
        { "its own line, before", "v7=9000\nv*=1500", "v7", "v7" },
        { "its own line, after", "v*=9000\nv7=1500", "v7", "v7" },
        { "another one's line", "v*=9000\nv7=1500", "v8", "v* < v7" },
        { "the last pattern", "v*=9000\nv?=1500", "v7", "v?" },
        { "the last pattern, of a line before", "v*=9000\nv?=1500\nv*=1500", "v7", "v*" },
        { "the only one that matches", "v*=9000\nw*=1500\nv7=1500\nw7=1500", "v8", "v* < v7" },
        { "those that may match the same", "v*=9000\n*x=1500\nv?=1500\nvnet=1500\nw?=1500", "v88",
          "v* < v? *x vnet" },
        { "the loopback", "*=9000", "lo", NULL },
        { "the loopback by name", "*=9000\nlo=1500", "lo", "lo" },
        { "the pattern itself", "v*=9000\n*=1500", "v*", "v* < *" },
        { "a name like a pattern", "v*=9000", "v**", NULL },
};

static void test_match(void **state) {
        const struct match_row *row = *state;
        const struct config_line *line, *other;
        struct config config = { 0 };
        char seen[64] = "";
        size_t index = 0;

        assert_errno(config_parse_file(&config, "a", row->text, strlen(row->text), &diagnostic_silent), 0);
        line = config_match(&config, row->device);
        if (line)
                strcpy(seen, line->name);
        while (line && line->is_pattern && (other = config_next_override(&config, line, &index)))
                sprintf(seen + strlen(seen), "%s%s", strchr(seen, '<') ? " " : " < ", other->name);
        assert_string_equal(seen, row->line ? row->line : "");
        config_free(&config);
}

/* The order of patterns counts. */
static void test_equals(void **state) {
        static const char *const texts[] = { "a*=68\n*=68\n", "*=68\na*=68\n", "a*=68\n*=68\na*=68\n" };
        struct config configs[3] = { { 0 } };

        (void)state;
        for (size_t i = 0; i < 3; i++)
                assert_errno(config_parse_file(&configs[i], "a", texts[i], strlen(texts[i]),
                                               &diagnostic_silent),
                             0);
        assert_false(config_equals(&configs[0], &configs[1]));
        assert_true(config_equals(&configs[1], &configs[2]));
        for (size_t i = 0; i < 3; i++)
                config_free(&configs[i]);
}

/* The hash table grows and still finds every one. */
static void test_many(void **state) {
        const struct diagnostic_sink sink = { .report = keep_text, .userdata = &(char[512]){ 0 } };
        const unsigned n = 20000;
        char *text = malloc(n * 32);
        struct config config;
        size_t used = 0;

        (void)state;
        assert_non_null(text);
        for (unsigned i = 0; i < n; i++)
                used += (size_t)sprintf(text + used, "if%u=%u\n", i, 2000 + i);
        config = (struct config){ 0 };
        assert_errno(config_parse_file(&config, "a", text, used, &sink), 0);
        assert_int_equal(config.n_lines, n);
        for (unsigned i = 0; i < n; i++) {
                char name[INTERFACE_NAME_SIZE];
                const struct config_line *line;

                snprintf(name, sizeof(name), "if%u", i);
                line = config_find(&config, name);
                assert_non_null(line);
                assert_int_equal(line->spec.mtu, 2000 + i);
                assert_int_equal(line->line, i + 1);
        }
        config_free(&config);
        free(text);
}

int main(void) {
        const struct CMUnitTest tests[] = { cmocka_unit_test(test_many), cmocka_unit_test(test_equals) };

        return RUN_ROWS("config", test_row, rows) + RUN_ROWS("messages", test_message, message_rows) +
               RUN_ROWS("match", test_match, match_rows) +
               cmocka_run_group_tests_name("size", tests, NULL, NULL);
}
