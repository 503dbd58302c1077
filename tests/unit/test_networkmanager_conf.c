/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The file for NetworkManager, written and read back. What NetworkManager itself reads in it, the boot test
 * tells. */

#include "rows.h"
#include "scratch_root.h"

#include "backends/networkmanager_conf.h"

/* `read`: NAME=MTU for each section that is read back; `matches`: the lines that NetworkManager matches by.
 */
static const struct row {
        const char *name;
        const char *text;
        const char *read;
        const char *matches;
        unsigned diagnostics;
} rows[] = {
        { "nothing", "", "", "", 0 },
        { "another backend", "eth0=9000\neth1=9000 backend=link\neth2=9000 backend=netctl", "", "", 0 },
        { "one", "eth0=9000 backend=networkmanager", "eth0=9000 ", "eth0 ", 0 },
        { "two, in the order of the configuration", "SETMTU_BACKEND=networkmanager\nb=9000\na=1500",
          "b=9000 a=1500 ", "b a ", 0 },
        { "no max", "eth0=max backend=networkmanager", "", "", 1 },
        { "the loopback has a key of its own", "lo=9000 backend=networkmanager", "lo=9000 ", "lo ", 0 },
        { "what parts a list", "a;b,c=1500 backend=networkmanager", "a;b,c=1500 ", "a\\;b\\,c ", 0 },
        { "backslashes", "a\\\\b\\\\=1500 backend=networkmanager", "a\\\\b\\\\=1500 ", "a\\\\\\\\b\\\\\\\\ ",
          0 },
        { "brackets", "[a]=1500 backend=networkmanager", "[a]=1500 ", "[a] ", 0 },
        { "an equals sign behind", "é#'\"=1500 backend=networkmanager", "é#'\"=1500 ", "é#'\" ", 0 },
        { "the longest", "interface\\,1234=1500 backend=networkmanager", "interface\\,1234=1500 ",
          "interface\\\\\\,1234 ", 0 },
        { "auto without NetworkManager", "eth0=9000 backend=auto", "", "", 0 },
};

static void count(void *userdata, const struct diagnostic *diagnostic) {
        (void)diagnostic;
        ++*(unsigned *)userdata;
}

static void test_row(void **state) {
        static const char match[] = "match-device=interface-name:=";
        const struct row *row = *state;
        char seen[512] = "", matches[512] = "", interface[INTERFACE_NAME_SIZE], *text = NULL, *line, *lines;
        unsigned n_diagnostics = 0;
        const struct diagnostic_sink sink = { .report = count, .userdata = &n_diagnostics };
        const char *rest;
        size_t size, n, n_read = 0;
        struct plan plan;
        uint32_t mtu;
        FILE *stream;

        assert_int_equal(make_root(NULL), 0);
        plan_init(&plan);
        assert_errno(config_parse_file(&plan.config, "a", row->text, strlen(row->text), &sink), 0);
        assert_errno(plan_build(&plan, &sink), 0);
        stream = open_memstream(&text, &size);
        n = networkmanager_conf_write(&plan, NULL, &sink, stream);
        assert_int_equal(fclose(stream), 0);

        assert_true(networkmanager_conf_is_ours(text));
        for (rest = text; networkmanager_conf_next(&rest, interface, &mtu); n_read++)
                sprintf(seen + strlen(seen), "%s=%u ", interface, mtu);
        assert_string_equal(seen, row->read);
        assert_int_equal(n_read, n);
        for (lines = text; (line = strsep(&lines, "\n"));)
                if (strncmp(line, match, strlen(match)) == 0)
                        sprintf(matches + strlen(matches), "%s ", line + strlen(match));
        assert_string_equal(matches, row->matches);
        assert_int_equal(n_diagnostics, row->diagnostics);
        free(text);
        plan_free(&plan);
        assert_int_equal(remove_root(NULL), 0);
}

int main(void) {
        return RUN_ROWS("networkmanager_conf", test_row, rows);
}
