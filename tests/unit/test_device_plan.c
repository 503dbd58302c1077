/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rows.h"

#include "backends/backend_unit.h"
#include "plan/device_plan.h"

/* The device lines that the rules have for a configuration, and how many diagnostics the plan had. */
/* The lines about names in the part for patterns. */
#define PATTERN_HEAD "ENV{.SETMTU_NAME}==\"lo\", GOTO=\"setmtu_end\"\n"
#define PATTERN(name)                                                 \
        "ENV{.SETMTU_NAME}==\"" name "\", ENV{SETMTU_MTU}=\"9000\", " \
        "ENV{.SETMTU_UNIT}=\"setmtu@$name.service\"\n"

static const struct row {
        const char *name;
        const char *text;
        const char *instances; /* of all planned devices */
        const char *rules;     /* NULL: none are to be written */
        unsigned diagnostics;
} rows[] = {
        { "nothing", "", "", NULL, 0 },
        { "plain", "eth0=9000", "eth0 ",
          "ENV{.SETMTU_NAME}==\"eth0\", ENV{SETMTU_MTU}=\"9000\", "
          "ENV{.SETMTU_UNIT}=\"setmtu@eth0.service\"\n",
          0 },
        { "escaped once", "br-lan=9000", "br\\x2dlan ",
          "ENV{.SETMTU_NAME}==\"br-lan\", ENV{SETMTU_MTU}=\"9000\", "
          "ENV{.SETMTU_UNIT}=\"setmtu@br\\x2dlan.service\"\n",
          0 },
        { "max has no number", "usb0=max", "usb0 ",
          "ENV{.SETMTU_NAME}==\"usb0\", ENV{.SETMTU_UNIT}=\"setmtu@usb0.service\"\n", 0 },
        { "percent and dollar", "a%b$c=9000", "a\\x25b\\x24c ",
          "ENV{.SETMTU_NAME}==\"a%b$c\", ENV{SETMTU_MTU}=\"9000\", "
          "ENV{.SETMTU_UNIT}=\"setmtu@a\\x25b\\x24c.service\"\n",
          0 },
        { "star", "a*=9000", "a\\x2a ", PATTERN_HEAD PATTERN("a*"), 0 },
        { "question mark", "a?=9000", "a\\x3f ", PATTERN_HEAD PATTERN("a?"), 0 },
        { "brackets", "a[!0]=9000", "a\\x5b\\x210\\x5d ", PATTERN_HEAD PATTERN("a[!0]"), 0 },
        { "the last pattern wins", "a*=9000\nab*=9000 backend=link\na*=9000\nac=9000 backend=link",
          "a\\x2a ab\\x2a ac ",
          PATTERN_HEAD "ENV{.SETMTU_NAME}==\"ac\", GOTO=\"setmtu_end\"\n"
                       "ENV{.SETMTU_NAME}==\"ab*\", ENV{.SETMTU_UNIT}=\"\"\n" PATTERN("a*"),
          1 },
        { "a bracket", "a]=9000", "a\\x5d ", NULL, 0 },
        { "alternatives", "a|b=9000", "a\\x7cb ", NULL, 0 },
        { "double quote", "a\"b=9000", "a\\x22b ", NULL, 0 },
        { "exclamation mark", "a!b=9000", "a\\x21b ", NULL, 0 },
        { "backslash", "a\\b=9000", "a\\x5cb ", NULL, 0 },
        { "a glob beside a plain one", "a*=9000\neth0=9000", "a\\x2a eth0 ",
          "ENV{.SETMTU_NAME}==\"eth0\", ENV{SETMTU_MTU}=\"9000\", "
          "ENV{.SETMTU_UNIT}=\"setmtu@eth0.service\"\n" PATTERN_HEAD PATTERN("a*"),
          0 },
        { "systemd's own backend", "eth0=9000 backend=link\neth1=9000", "eth0 eth1 ",
          "ENV{.SETMTU_NAME}==\"eth1\", ENV{SETMTU_MTU}=\"9000\", "
          "ENV{.SETMTU_UNIT}=\"setmtu@eth1.service\"\n",
          0 },
        { "no max with systemd's own", "SETMTU_BACKEND=networkd\neth0=max", "", NULL, 1 },
        { "nor do the others suffer", "eth0=max backend=link\neth1=max\neth2=9000\neth3=max backend=network",
          "eth1 eth2 ",
          "ENV{.SETMTU_NAME}==\"eth1\", ENV{.SETMTU_UNIT}=\"setmtu@eth1.service\"\n"
          "ENV{.SETMTU_NAME}==\"eth2\", ENV{SETMTU_MTU}=\"9000\", "
          "ENV{.SETMTU_UNIT}=\"setmtu@eth2.service\"\n",
          2 },
        { "no up with systemd's own", "eth0=9000 up backend=network", "eth0 ", NULL, 1 },
        { "no keep with systemd's own", "SETMTU_KEEP=yes\neth0=9000 keep backend=link", "eth0 ", NULL, 1 },
        { "a network manager", "eth1=9000 backend=networkmanager", "eth1 ", NULL, 0 },
        { "no max with a network manager", "SETMTU_BACKEND=networkmanager\neth0=max", "", NULL, 1 },
        { "no up with a network manager", "eth0=9000 up backend=networkmanager", "eth0 ", NULL, 1 },
        { "auto is unit as well", "SETMTU_BACKEND=auto\neth0=max up\neth1=9000 backend=link", "eth0 eth1 ",
          "ENV{.SETMTU_NAME}==\"eth0\", ENV{.SETMTU_UNIT}=\"setmtu@eth0.service\"\n", 0 },
};

static void count(void *userdata, const struct diagnostic *diagnostic) {
        assert_true(strstr(diagnostic->text, "does not support max") ||
                    strstr(diagnostic->text, "up has no effect") ||
                    strstr(diagnostic->text, "has no patterns") ||
                    strstr(diagnostic->text, "a second time") ||
                    strstr(diagnostic->text, "keep has no effect"));
        ++*(unsigned *)userdata;
}

static void test_row(void **state) {
        const struct row *row = *state;
        char instances[256] = "", rules[1024] = "";
        unsigned n_diagnostics = 0, n_units = 0;
        const struct diagnostic_sink sink = { .report = count, .userdata = &n_diagnostics };
        struct generated_files files = { 0 };
        struct plan plan;

        plan = (struct plan){ 0 };
        assert_errno(config_parse_file(&plan.config, "a", row->text, strlen(row->text), &sink), 0);
        assert_errno(plan_build(&plan, &sink), 0);
        for (size_t i = 0; i < plan.n_devices; i++) {
                strcat(instances, plan.devices[i].instance);
                strcat(instances, " ");
                n_units += backend_has_unit(plan.devices[i].backend);
                assert_ptr_equal(plan_find_instance(&plan, plan.devices[i].instance), &plan.devices[i]);
                assert_ptr_equal(plan_find_instance(&plan, plan.devices[i].line->name), &plan.devices[i]);
        }
        assert_null(plan_find_instance(&plan, "nobody"));
        assert_string_equal(instances, row->instances);
        assert_int_equal(n_diagnostics, row->diagnostics);
        assert_int_equal(plan.has_kept, n_units > 0 && strstr(row->text, "keep"));
        assert_errno(backend_unit_render(&plan, &sink, &files), 0);
        assert_int_equal(files.n_items, row->rules ? 1 : 0);
        if (row->rules) {
                char *line, *rest = files.items[0].text;

                while ((line = strsep(&rest, "\n")))
                        if (strncmp(line, "ENV{.SETMTU_NAME}==", 19) == 0) {
                                strcat(rules, line);
                                strcat(rules, "\n");
                        }
                assert_string_equal(rules, row->rules);
        }
        generated_files_free(&files);
        plan_free(&plan);
}

int main(void) {
        return RUN_ROWS("plan", test_row, rows);
}
