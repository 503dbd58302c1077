/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "bench/bench_print.h"

#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "output/json.h"
#include "output/table.h"

/* Of all runs at a size that told it: -1 where none did. */
static double mean_retransmits(const struct report *report, size_t size) {
        double sum = 0;

        for (size_t block = 0; block < report->n_blocks; block++) {
                if (report->runs[size][block].retransmits < 0)
                        return -1;
                sum += (double)report->runs[size][block].retransmits;
        }
        return sum / (double)report->n_blocks;
}

/* Percent of a CPU that a Gbit/s takes. */
static double mean_cpu(const struct report *report, size_t size, bool is_there) {
        double sum = 0;

        for (size_t block = 0; block < report->n_blocks; block++) {
                const struct report_run *run = &report->runs[size][block];

                sum += (is_there ? run->cpu_there : run->cpu_here) / (run->values[REPORT_BOTH] / 1e9);
        }
        return sum / (double)report->n_blocks;
}

static void add_value(struct table *table, const struct report *report, double value) {
        double shown = value / report_unit_scale(report->unit);

        table_add(table, TABLE_PLAIN, "%.*f", shown < 10 ? 3 : shown < 1000 ? 1 : 0, shown);
}

static void add_row(struct table *table, const struct report *report, size_t size, enum report_way way) {
        const struct report_summary *summary = &report->summaries[size][way];
        bool is_winner = report->finding.kind == FINDING_BEST && report->finding.winner == size;
        double retransmits = mean_retransmits(report, size);

        table_add(table, is_winner ? TABLE_GREEN : TABLE_PLAIN, "%u", report->mtus[size]);
        if (report->iperf3)
                table_add(table, TABLE_PLAIN, "%s", report_way_name(way));
        add_value(table, report, summary->mean);
        add_value(table, report, summary->median);
        add_value(table, report, summary->stddev);
        if (size == report->reference) {
                table_add(table, TABLE_FAINT, "-");
                table_add(table, TABLE_FAINT, "-");
        } else {
                table_add(table, TABLE_PLAIN, "%+.1f %%", report_change(report, summary));
                table_add(table, TABLE_PLAIN, "%.3f-%.3f", summary->interval.low, summary->interval.high);
        }
        if (!report->iperf3)
                return;
        if (retransmits >= 0)
                table_add(table, TABLE_PLAIN, "%.1f", retransmits);
        else
                table_add(table, TABLE_FAINT, "-");
        table_add(table, TABLE_PLAIN, "%.2f", mean_cpu(report, size, false));
        table_add(table, TABLE_PLAIN, "%.2f", mean_cpu(report, size, true));
}

static bool print_table(const struct report *report) {
        static const char *const iperf3_heads[] = { "MTU",      "WAY",      "MEAN",      "MEDIAN",
                                                    "STDDEV",   "CHANGE",   "RATIO 95%", "RETRANSMITS",
                                                    "CPU HERE", "CPU THERE" };
        static const char *const command_heads[] = {
                "MTU", "MEAN", "MEDIAN", "STDDEV", "CHANGE", "RATIO 95%"
        };
        const char *const *heads = report->iperf3 ? iperf3_heads : command_heads;
        struct table table = { .n_columns = report->iperf3 ? 10 : 6 };

        for (size_t i = 0; i < table.n_columns; i++) {
                table.is_number[i] = strcmp(heads[i], "WAY") != 0;
                table_add(&table, TABLE_PLAIN, "%s", heads[i]);
        }
        for (enum report_way way = 0; way < REPORT_WAYS; way++)
                for (size_t size = 0; size < report->n_sizes; size++)
                        if (report->has_way[way])
                                add_row(&table, report, size, way);
        return table_print(&table);
}

static unsigned columns_of_screen(void) {
        struct winsize size;

        return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

bool bench_print_text(const struct report *report) {
        bool is_whole, is_utf8;

        printf("%zu rounds, in %s%s\n", report->n_blocks, report_unit_name(report->unit),
               report->iperf3 ? "; CPU in % of one for each Gbit/s" : "");
        is_whole = print_table(report);
        if (isatty(STDOUT_FILENO)) {
                /* No other part of the locale is wanted: numbers have a point. */
                (void)setlocale(LC_CTYPE, "");
                is_utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
                putchar('\n');
                report_write_bars(report, is_utf8, columns_of_screen(), stdout);
        }
        putchar('\n');
        report_write_finding(report, stdout);
        putchar(' ');
        report_write_detail(report, stdout);
        putchar('\n');
        return is_whole;
}

/* A rate is an integer, a time is not. */
static json_t *json_value(const struct report *report, double value) {
        return report->unit == REPORT_SECONDS ? json_real(value) : json_integer((json_int_t)llround(value));
}

static json_t *json_count(unsigned count) {
        return count > 0 ? json_integer(count) : json_null();
}

static json_t *json_run(const struct report *report, size_t size, size_t block) {
        const struct report_run *run = &report->runs[size][block];
        json_t *object = json_pack("{si si so so so so so}", "round", (int)block + 1, "place",
                                   (int)run->place + 1, "retransmits",
                                   run->retransmits >= 0 ? json_integer(run->retransmits) : json_null(),
                                   "cpu_here", report->iperf3 ? json_real(run->cpu_here) : json_null(),
                                   "cpu_there", report->iperf3 ? json_real(run->cpu_there) : json_null(),
                                   "mss", json_count(run->mss), "pmtu", json_count(run->pmtu));

        for (enum report_way way = 0; way < REPORT_WAYS; way++)
                json_object_set_new(object, report_way_name(way),
                                    report->has_way[way] ? json_value(report, run->values[way])
                                                         : json_null());
        return object;
}

static json_t *json_summary(const struct report *report, size_t size, enum report_way way) {
        const struct report_summary *summary = &report->summaries[size][way];

        if (!report->has_way[way])
                return json_null();
        return json_pack("{so so so sf s[ff]}", "mean", json_value(report, summary->mean), "median",
                         json_value(report, summary->median), "stddev", json_value(report, summary->stddev),
                         "ratio", summary->ratio, "ratio_interval", summary->interval.low,
                         summary->interval.high);
}

static json_t *json_size(const struct report *report, size_t size) {
        json_t *object = json_pack("{si}", "mtu", (int)report->mtus[size]), *runs = json_array();

        for (enum report_way way = 0; way < REPORT_WAYS; way++)
                json_object_set_new(object, report_way_name(way), json_summary(report, size, way));
        for (size_t block = 0; block < report->n_blocks; block++)
                json_array_append_new(runs, json_run(report, size, block));
        json_object_set_new(object, "runs", runs);
        return object;
}

bool bench_print_json(const struct report *report) {
        static const char *const units[] = { "bit/s", "B/s", "s" };
        static const char *const kinds[] = { "best", "no difference", "inconclusive" };
        const struct finding *finding = &report->finding;
        bool is_best = finding->kind == FINDING_BEST;
        json_t *sizes = json_array();

        for (size_t size = 0; size < report->n_sizes; size++)
                json_array_append_new(sizes, json_size(report, size));
        return json_print(json_pack("{so so so ss so so so ss ss si si sI s{ss so sb} so}", "host",
                                    json_text(report->host), "address", json_text(report->address), "device",
                                    json_text(report->device), "method", report->method, "command",
                                    json_text(report->command), "iperf3", json_text(report->iperf3),
                                    "seconds", json_count(report->seconds), "unit", units[report->unit],
                                    "judged", report_way_name(report->judged), "rounds",
                                    (int)report->n_blocks, "reference", (int)report->mtus[report->reference],
                                    "seed", (json_int_t)report->seed, "verdict", "kind",
                                    kinds[finding->kind], "mtu",
                                    is_best ? json_integer(report->mtus[finding->winner]) : json_null(),
                                    "settled", finding->is_settled, "sizes", sizes));
}
