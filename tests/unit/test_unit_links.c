/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rows.h"
#include "scratch_root.h"

#include <fcntl.h>

#include "backends/unit_links.h"

#define DIRECTORY "/run/systemd/generator"

static struct plan plan_of(const char *text) {
        struct plan plan = { 0 };

        assert_int_equal(config_parse_file(&plan.config, "", text, strlen(text), &diagnostic_silent), 0);
        assert_int_equal(plan_build(&plan, &diagnostic_silent), 0);
        return plan;
}

static bool are_made(const char *text) {
        struct plan plan = plan_of(text);
        bool are_made = unit_links_are_made(&plan);

        plan_free(&plan);
        return are_made;
}

/* As systemd has the generator do. */
static void generate(const char *text) {
        struct plan plan = plan_of(text);
        int directory = open(in_root(DIRECTORY), O_RDONLY | O_DIRECTORY);

        assert_true(directory >= 0);
        assert_int_equal(unit_links_write(&plan, directory, &(struct unit_link){ .target = NULL }), 0);
        close(directory);
        plan_free(&plan);
}

static void test_are_made(void **state) {
        (void)state;
        assert_false(are_made("eth0=9000"));
        assert_int_equal(mkdir(in_root("/run"), 0755), 0);
        assert_int_equal(mkdir(in_root("/run/systemd"), 0755), 0);
        assert_int_equal(mkdir(in_root(DIRECTORY), 0755), 0);
        assert_true(are_made(""));
        generate("eth0=9000\neth0.5=1500\nbr-lan=max");
        assert_true(are_made("eth0=9000\neth0.5=1500\nbr-lan=max"));
        /* Other numbers, another order. */
        assert_true(are_made("br-lan=max\neth0=4000\neth0.5=1400"));
        /* One more, one less, another one, and with "keep". */
        assert_false(are_made("eth0=9000\neth0.5=1500\nbr-lan=max\neth1=9000"));
        assert_false(are_made("eth0=9000\neth0.5=1500"));
        assert_false(are_made("eth0=9000\neth0.5=1500\nbr-wan=max"));
        assert_false(are_made("eth0=9000 keep\neth0.5=1500\nbr-lan=max"));
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test_setup_teardown(test_are_made, make_root, remove_root),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
