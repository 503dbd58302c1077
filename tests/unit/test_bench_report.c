/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What is written of a bench, with a host's name that means no good. */

#include "rows.h"

#include <math.h>

#include "bench/report.h"

static struct report_size sizes[2];

/* Three rounds of two sizes; the second one is twice as fast. */
static void make(struct report *report) {
        *report = (struct report){
                .host = "a<b>&\"c\x1b[31m\xff",
                .address = "192.0.2.1",
                .device = "e0",
                .driver = "e1000e",
                .system = { .nodename = "here<", .release = "6.1.0-1" },
                .date = "2026-11-22T12:34:56Z",
                .iperf3 = "3.12",
                .seconds = 5,
                .runs = 3,
                .seed = 7,
                .n_sizes = 2,
                .mtus = { 1500, 9000 },
                .sizes = sizes,
        };
        for (size_t block = 0; block < 3; block++) {
                for (size_t size = 0; size < 2; size++) {
                        struct report_run run = REPORT_RUN_UNKNOWN;

                        run.figures[REPORT_RATE] = (size == 0 ? 1e9 : 2e9) * (1 + 0.001 * (double)block);
                        run.figures[REPORT_RETRANSMITS] = 3;
                        run.figures[REPORT_CPU_HERE] = 0;
                        report_add_run(report, size, (size + block) % 2, &run);
                }
                report->n_blocks++;
        }
        report_conclude(report);
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
        make(&report);
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
        assert_says(report_detail, &report, "More --runs, a longer --time or a quieter network may.");
}

/* A reference that carries nothing at all has no percentage. */
static void test_nothing(void **state) {
        static struct report report;

        (void)state;
        make(&report);
        for (size_t block = 0; block < report.n_blocks; block++)
                sizes[0].figures[REPORT_RATE][block] = 0;
        assert_true(!isfinite(report_summarise(&report, 1).change));
        report.conclusion = (struct conclusion){ .kind = CONCLUSION_BEST, .winner = 1 };
        assert_says(report_conclusion, &report, "Best: 9000, against 0 with 1500.");
        assert_true(report_print_json(&report));
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(test_conclusion),
                cmocka_unit_test(test_nothing),
        };

        return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}
