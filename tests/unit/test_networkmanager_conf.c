/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The file for NetworkManager, written and read back. What NetworkManager itself reads in it, the boot test
 * tells. */

#include "rows.h"
#include "scratch_root.h"

#include "backends/backend.h"
#include "backends/backend_networkmanager.h"

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
        { "another backend", "eth0=9000\neth1=9000 backend=link", "", "", 0 },
        { "one", "eth0=9000 backend=networkmanager", "eth0=9000 ", "eth0 ", 0 },
        { "two, in the order of the configuration", "SETMTU_BACKEND=networkmanager\nb=9000\na=1500",
          "b=9000 a=1500 ", "b a ", 0 },
        { "no max", "eth0=max backend=networkmanager", "", "", 1 },
        { "the loopback has a key of its own", "lo=9000 backend=networkmanager", "lo=9000 ", "lo ", 0 },
        { "what parts a list", "a;b,c=1500 backend=networkmanager", "a;b,c=1500 ", "a\\;b\\,c ", 0 },
        { "backslashes", "a\\\\b\\\\=1500 backend=networkmanager", "a\\\\b\\\\=1500 ", "a\\\\\\\\b\\\\\\\\ ",
          0 },
        { "brackets", "[a]=1500 backend=networkmanager", "", "", 1 },
        { "a pattern", "SETMTU_BACKEND=networkmanager\na*=1500\nb=1500\na,b=68 backend=unit\na?=2000",
          "a*=1500 b=1500 a?=2000 ", "a*,except:interface-name:a?,except:interface-name:=a\\,b b a? ", 1 },
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
        static const char match[] = "match-device=interface-name:";
        const struct row *row = *state;
        char seen[512] = "", matches[512] = "", interface[INTERFACE_NAME_SIZE], *line, *lines;
        unsigned n_diagnostics = 0;
        const struct diagnostic_sink sink = { .report = count, .userdata = &n_diagnostics };
        struct generated_files files = { 0 };
        struct plan plan;
        const char *rest;
        size_t n_read = 0;
        uint32_t mtu;

        assert_int_equal(make_root(NULL), 0);
        plan = (struct plan){ 0 };
        assert_errno(config_parse_file(&plan.config, "a", row->text, strlen(row->text), &sink), 0);
        assert_errno(plan_build(&plan, &sink), 0);
        assert_errno(backend_networkmanager.render(&(struct rendering){ &plan, NULL, &sink, &files }), 0);

        /* Without a section there is no file. */
        assert_int_equal(files.n_items, *row->read ? 1 : 0);
        lines = files.n_items > 0 ? files.items[0].text : NULL;
        assert_true(!lines || generated_file_text_is_ours(lines));
        for (rest = lines ? lines : ""; networkmanager_conf_next(&rest, interface, &mtu); n_read++)
                sprintf(seen + strlen(seen), "%s=%u ", interface, mtu);
        assert_string_equal(seen, row->read);
        assert_int_equal(n_read, files.n_items > 0 ? files.items[0].n_lines : 0);
        while ((line = strsep(&lines, "\n")))
                if (strncmp(line, match, strlen(match)) == 0)
                        sprintf(matches + strlen(matches), "%s ",
                                line + strlen(match) + (line[strlen(match)] == '='));
        assert_string_equal(matches, row->matches);
        assert_int_equal(n_diagnostics, row->diagnostics);
        generated_files_free(&files);
        plan_free(&plan);
        assert_int_equal(remove_root(NULL), 0);
}

int main(void) {
        return RUN_ROWS("networkmanager_conf", test_row, rows);
}
