/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What is written of a bench, with a host's name and a command that mean no good. */

#include "rows.h"

#include <math.h>

#include "bench/report.h"

static struct report_size sizes[2];

/* Three rounds of two sizes; the second one is twice as fast. */
static void make(struct report *report, enum report_unit unit) {
        bool is_command = unit != REPORT_BITS_PER_SECOND;

        *report = (struct report){
                .host = "a<b>&\"c\x1b[31m\xff",
                .address = "192.0.2.1",
                .device = "e0",
                .driver = "e1000e",
                .system = { .nodename = "here<", .release = "6.1.0-1" },
                .date = "2026-11-22T12:34:56Z",
                .command = is_command ? "cp \"x\" </y>; echo \xc2\x9b" : NULL,
                .iperf3 = "3.12",
                .seconds = 5,
                .runs = 3,
                .is_mtu = is_command,
                .seed = 7,
                .unit = unit,
                .first_way = is_command ? REPORT_BOTH : REPORT_OUT,
                .judged = is_command ? REPORT_BOTH : REPORT_OUT,
                .n_sizes = 2,
                .mtus = { 1500, 9000 },
                .sizes = sizes,
        };
        for (size_t block = 0; block < 3; block++) {
                for (size_t size = 0; size < 2; size++) {
                        struct report_run run = REPORT_RUN_UNKNOWN;

                        if (is_command)
                                run.figures[REPORT_BOTH] = (size == 0 ? 20 : 10) + 0.01 * (double)block;
                        else {
                                run.figures[REPORT_OUT] =
                                                (size == 0 ? 1e9 : 2e9) * (1 + 0.001 * (double)block);
                                run.figures[REPORT_RETRANSMITS] = 3;
                                run.figures[REPORT_CPU_HERE] = 0;
                        }
                        report_add_run(report, size, (size + block) % 2, &run);
                }
                report->n_blocks++;
        }
        report_conclude(report);
}

/* The caller frees it. */
static char *draw(const struct report *report) {
        char *text = NULL;
        size_t size;
        FILE *stream = open_memstream(&text, &size);

        assert_non_null(stream);
        report_write_svg(report, stream);
        assert_int_equal(fclose(stream), 0);
        return text;
}

static void assert_says(void (*write)(const struct report *report, char *ret), const struct report *report,
                        const char *expected) {
        char text[REPORT_TEXT_SIZE];

        write(report, text);
        assert_string_equal(text, expected);
}

static void test_conclusion(void **state) {
        static struct report report;

        (void)state;
        make(&report, REPORT_BITS_PER_SECOND);
        assert_int_equal(report.conclusion.kind, CONCLUSION_BEST);
        assert_says(report_conclusion, &report, "Best: 9000, +100.0 % against 1500.");
        assert_says(report_detail, &report, "Smaller ones are worse.");
        report.conclusion = (struct conclusion){ .kind = CONCLUSION_BEST, .best = 1, .shortage = 0.5 };
        assert_says(report_conclusion, &report, "Best: 1500.");
        report.conclusion.is_settled = true;
        assert_says(report_detail, &report, "Larger ones are no better.");
        report.conclusion.kind = CONCLUSION_NO_DIFFERENCE;
        assert_says(report_conclusion, &report, "No difference: no MTU is more than 2 % from another.");
        report.conclusion.kind = CONCLUSION_INCONCLUSIVE;
        assert_says(report_conclusion, &report,
                    "Inconclusive: 3 rounds do not tell the differences from the noise.");
        assert_says(report_detail, &report,
                    "More rounds would hardly settle it; a quieter network or a longer --time may.");
        report.runs_advised = 12;
        assert_says(report_detail, &report, "--runs 12 would probably settle it.");
}

/* Half the time is twice as good. */
static void test_seconds(void **state) {
        static struct report report;
        (void)state;
        make(&report, REPORT_SECONDS);
        assert_int_equal(report.conclusion.kind, CONCLUSION_BEST);
        assert_int_equal(report.conclusion.winner, 1);
        assert_true(fabs(report_summarise(&report, 1, REPORT_BOTH).change - 100) < 0.5);
}

/* A reference that carries nothing at all has no percentage. */
static void test_nothing(void **state) {
        static struct report report;
        char *text;

        (void)state;
        make(&report, REPORT_BITS_PER_SECOND);
        for (size_t block = 0; block < report.n_blocks; block++)
                sizes[0].figures[REPORT_OUT][block] = 0;
        assert_true(!isfinite(report_summarise(&report, 1, REPORT_OUT).change));
        report.conclusion = (struct conclusion){ .kind = CONCLUSION_BEST, .winner = 1 };
        assert_says(report_conclusion, &report, "Best: 9000, against 0 with 1500.");
        text = draw(&report);
        assert_null(strstr(text, "inf %"));
        free(text);
        assert_true(report_print_json(&report));
}

/* Nothing of what came from outside ends an element or reaches a terminal. */
static void test_svg(void **state) {
        static struct report report;
        char *text;

        (void)state;
        make(&report, REPORT_BITS_PER_SECOND);
        text = draw(&report);
        assert_non_null(strstr(text, "a&lt;b&gt;&amp;&quot;c\xef\xbf\xbd[31m\xef\xbf\xbd</text>"));
        assert_non_null(strstr(text, ", here&lt; to a&lt;b&gt;"));
        assert_non_null(strstr(text, ">e0, driver e1000e, Linux 6.1.0-1, 2026-11-22</text>"));
        assert_null(strchr(text, '\x1b'));
        assert_null(strchr(text, '\xff'));
        assert_non_null(strstr(text, " best\""));
        free(text);
        /* Only a size that is best has the colour of the best. */
        report.conclusion.kind = CONCLUSION_INCONCLUSIVE;
        text = draw(&report);
        assert_null(strstr(text, " best\""));
        free(text);
        make(&report, REPORT_SECONDS);
        text = draw(&report);
        assert_non_null(strstr(text, "cp &quot;x&quot; &lt;/y&gt;; echo \xef\xbf\xbd"));
        assert_null(strstr(text, "\xc2\x9b"));
        free(text);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(test_conclusion),
                cmocka_unit_test(test_seconds),
                cmocka_unit_test(test_nothing),
                cmocka_unit_test(test_svg),
        };

        return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}
