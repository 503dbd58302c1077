/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What is written of a bench, with a host's name and a command that mean no good. */

#include "rows.h"

#include <math.h>

#include "bench/report.h"

static struct report_run runs[CONCLUSION_SIZES_MAX][CONCLUSION_BLOCKS_MAX];

/* Three rounds of two sizes; the second one is twice as fast. */
static struct report make(enum report_unit unit) {
        struct report report = {
                .host = "a<b>&\"c\x1b[31m\xff",
                .address = "192.0.2.1",
                .device = "e0",
                .here = "here<",
                .driver = "e1000e",
                .kernel = "6.1.0-1",
                .date = "2026-11-22T12:34:56Z",
                .method = unit == REPORT_BITS_PER_SECOND ? "mss" : "mtu",
                .command = unit == REPORT_BITS_PER_SECOND ? NULL : "cp \"x\" </y>; echo \xc2\x9b",
                .iperf3 = unit == REPORT_BITS_PER_SECOND ? "3.12" : NULL,
                .seconds = 5,
                .seed = 7,
                .unit = unit,
                .judged = unit == REPORT_BITS_PER_SECOND ? REPORT_OUT : REPORT_BOTH,
                .n_sizes = 2,
                .n_blocks = 3,
                .mtus = { 1500, 9000 },
                .runs = runs,
        };
        static struct measurements measurements;

        report.first_way = report.judged;
        memset(runs, 0, sizeof(runs));
        for (size_t size = 0; size < 2; size++)
                for (size_t block = 0; block < 3; block++)
                        runs[size][block] = (struct report_run){
                                .values = { [REPORT_OUT] = (size == 0 ? 1e9 : 2e9) *
                                                           (1 + 0.001 * (double)block),
                                            [REPORT_BOTH] = (size == 0 ? 20 : 10) + 0.01 * (double)block },
                                .retransmits = unit == REPORT_BITS_PER_SECOND ? 3 : -1,
                                .place = (size + block) % 2,
                        };
        report_summarise(&report);
        report_measurements(&report, report.judged, &measurements);
        report.conclusion = conclusion_make(&measurements, 3);
        return report;
}

/* The caller frees it. */
static char *written(const struct report *report, void (*write)(const struct report *report, FILE *stream)) {
        char *text = NULL;
        size_t size;
        FILE *stream = open_memstream(&text, &size);

        assert_non_null(stream);
        write(report, stream);
        assert_int_equal(fclose(stream), 0);
        return text;
}

static void assert_written(const struct report *report,
                           void (*write)(const struct report *report, FILE *stream), const char *expected) {
        char *text = written(report, write);

        assert_string_equal(text, expected);
        free(text);
}

static void assert_says(const char *(*text)(struct pool *pool, const struct report *report),
                        const struct report *report, const char *expected) {
        struct pool pool = { 0 };

        assert_string_equal(text(&pool, report), expected);
        pool_free(&pool);
}

static void test_conclusion(void **state) {
        struct report report = make(REPORT_BITS_PER_SECOND);

        (void)state;
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
                    "Inconclusive: +100.0 % with 9000 against 1500 is clear at 95 %, but not at 99 %.");
        assert_says(report_detail, &report,
                    "More rounds would hardly settle it; a quieter network or a longer --time may.");
        report.runs_advised = 12;
        assert_says(report_detail, &report, "--runs 12 would probably settle it.");
        report.summaries[1][REPORT_OUT].interval.low = 0.9;
        assert_says(report_conclusion, &report,
                    "Inconclusive: 3 rounds do not tell the differences from the noise.");
}

/* In Gbit/s where that is shorter. */
static void test_scale(void **state) {
        struct report report = make(REPORT_BITS_PER_SECOND);

        (void)state;
        assert_string_equal(report_scale(&report).unit, "Mbit/s");
        report.summaries[1][REPORT_OUT].mean = 10.2e9;
        assert_string_equal(report_scale(&report).unit, "Gbit/s");
        report.unit = REPORT_BYTES_PER_SECOND;
        assert_string_equal(report_scale(&report).unit, "GB/s");
        report.unit = REPORT_SECONDS;
        assert_string_equal(report_scale(&report).unit, "s");
}

/* Half the time is twice as good. */
static void test_seconds(void **state) {
        struct report report = make(REPORT_SECONDS);
        double change = 0;

        (void)state;
        assert_int_equal(report.conclusion.kind, CONCLUSION_BEST);
        assert_int_equal(report.conclusion.winner, 1);
        assert_true(report_change(&report, &report.summaries[1][REPORT_BOTH], &change));
        assert_int_equal(lround(change), 100);
}

/* A reference that carries nothing at all has no percentage. */
static void test_nothing(void **state) {
        struct report report = make(REPORT_BITS_PER_SECOND);
        double change;
        char *text;

        (void)state;
        for (size_t block = 0; block < report.n_blocks; block++)
                runs[0][block].values[REPORT_OUT] = 0;
        report_summarise(&report);
        assert_false(report_change(&report, &report.summaries[1][REPORT_OUT], &change));
        report.conclusion = (struct conclusion){ .kind = CONCLUSION_BEST, .winner = 1 };
        assert_says(report_conclusion, &report, "Best: 9000, against 0 with 1500.");
        text = written(&report, report_write_svg);
        assert_null(strstr(text, "inf %"));
        free(text);
        assert_true(report_print_json(&report));
}

static void test_csv(void **state) {
        struct report report = make(REPORT_BITS_PER_SECOND);

        (void)state;
        report.n_blocks = 2;
        assert_written(&report, report_write_csv,
                       "round,place,mtu,unit,out,in,both,retransmits,cpu_here,cpu_there,mss,pmtu\r\n"
                       "1,1,1500,bit/s,1e+09,,,3,0,0,,\r\n"
                       "1,2,9000,bit/s,2e+09,,,3,0,0,,\r\n"
                       "2,1,9000,bit/s,2.002e+09,,,3,0,0,,\r\n"
                       "2,2,1500,bit/s,1.001e+09,,,3,0,0,,\r\n");
}

/* Whether the label of the bar that `group` begins with is above all of its dots. */
static void check_label(const char *group) {
        const char *end = strstr(group, "</g>"), *place = strstr(group, "class=\"value\"");
        double x, label, dot;

        assert_true(place && place < end);
        assert_int_equal(sscanf(place, "class=\"value\" x=\"%lf\" y=\"%lf\"", &x, &label), 2);
        for (place = strstr(group, "cx="); place && place < end; place = strstr(place + 1, "cx=")) {
                assert_int_equal(sscanf(place, "cx=\"%lf\" cy=\"%lf\"", &x, &dot), 2);
                assert_true(label < dot - 2.4);
        }
}

/* One run far above the others is not covered by the label of its bar. */
static void test_labels(void **state) {
        struct report report = make(REPORT_BITS_PER_SECOND);
        static char text[65536];
        FILE *stream = fmemopen(text, sizeof(text), "w");
        unsigned n_bars = 0;

        (void)state;
        assert_non_null(stream);
        runs[1][2].values[REPORT_OUT] = 5e9;
        report_summarise(&report);
        report.summaries[1][REPORT_OUT].half = 1e6;
        report_write_svg(&report, stream);
        assert_int_equal(fclose(stream), 0);
        for (size_t i = 0; text[i]; i++)
                if (strncmp(text + i, "<g>", 3) == 0) {
                        check_label(text + i);
                        n_bars++;
                }
        assert_int_equal(n_bars, 2);
}

/* Nothing of what came from outside ends an element or reaches a terminal. */
static void test_svg(void **state) {
        struct report report = make(REPORT_BITS_PER_SECOND), other = make(REPORT_SECONDS);
        char *text;

        (void)state;
        report = make(REPORT_BITS_PER_SECOND);
        text = written(&report, report_write_svg);
        assert_non_null(strstr(text, "a&lt;b&gt;&amp;&quot;c\xef\xbf\xbd[31m\xef\xbf\xbd</text>"));
        assert_non_null(strstr(text, ", here&lt; to a&lt;b&gt;"));
        assert_non_null(strstr(text, ">e0 (e1000e), Linux 6.1.0-1, 2026-11-22</text>"));
        assert_null(strchr(text, '\x1b'));
        assert_null(strchr(text, '\xff'));
        free(text);
        other = make(REPORT_SECONDS);
        text = written(&other, report_write_svg);
        assert_non_null(strstr(text, "cp &quot;x&quot; &lt;/y&gt;; echo \xef\xbf\xbd"));
        assert_null(strstr(text, "\xc2\x9b"));
        free(text);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(test_conclusion), cmocka_unit_test(test_seconds),
                cmocka_unit_test(test_nothing),    cmocka_unit_test(test_csv),
                cmocka_unit_test(test_svg),        cmocka_unit_test(test_labels),
                cmocka_unit_test(test_scale),
        };

        return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}
