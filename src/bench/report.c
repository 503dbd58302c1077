/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "bench/report.h"

#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/log.h"
#include "base/terminal.h"
#include "output/json.h"
#include "output/table.h"

/* For programs; report_scale() has the units for people. */
static const char *const units[] = { "bit/s", "B/s", "s" };

bool report_add_size(struct report *report, uint32_t mtu) {
        size_t place = report->n_sizes;

        for (; place > 0 && report->mtus[place - 1] >= mtu; place--)
                if (report->mtus[place - 1] == mtu)
                        return true;
        if (report->n_sizes == CONCLUSION_SIZES_MAX)
                return false;
        memmove(&report->mtus[place + 1], &report->mtus[place],
                (report->n_sizes - place) * sizeof(report->mtus[0]));
        report->mtus[place] = mtu;
        report->n_sizes++;
        return true;
}

void report_leave_out(struct report *report, size_t size) {
        memmove(&report->mtus[size], &report->mtus[size + 1],
                (report->n_sizes - size - 1) * sizeof(report->mtus[0]));
        report->n_sizes--;
}

void report_measurements(const struct report *report, enum report_way way, struct measurements *ret) {
        ret->n_sizes = report->n_sizes;
        ret->n_blocks = report->n_blocks;
        ret->less_is_better = report->unit == REPORT_SECONDS;
        for (size_t size = 0; size < report->n_sizes; size++)
                for (size_t block = 0; block < report->n_blocks; block++)
                        ret->values[size][block] = report->runs[size][block].values[way];
}

void report_summarise(struct report *report) {
        struct random random = { .state = report->seed };
        struct measurements measurements;
        size_t n = report->n_blocks;

        for (enum report_way way = report->first_way; way <= report->judged; way++) {
                const double *reference = measurements.values[report->reference];

                report_measurements(report, way, &measurements);
                for (size_t size = 0; size < report->n_sizes; size++) {
                        struct report_summary *summary = &report->summaries[size][way];
                        const double *values = measurements.values[size];

                        summary->mean = statistics_mean(values, n);
                        summary->median = statistics_median(values, n);
                        summary->stddev = statistics_stddev(values, n);
                        summary->half = statistics_student(0.025, (unsigned)n - 1) * summary->stddev /
                                        sqrt((double)n);
                        summary->ratio = summary->mean / statistics_mean(reference, n);
                        summary->interval = statistics_ratio(values, reference, n, &random);
                }
        }
}

static bool has_way(const struct report *report, enum report_way way) {
        return way >= report->first_way && way <= report->judged;
}

const char *report_way_name(enum report_way way) {
        return way == REPORT_OUT ? "out" : way == REPORT_IN ? "in" : "both";
}

static double largest_mean(const struct report *report) {
        double largest = 0;

        for (size_t size = 0; size < report->n_sizes; size++)
                for (enum report_way way = report->first_way; way <= report->judged; way++)
                        largest = fmax(largest, report->summaries[size][way].mean);
        return largest;
}

struct report_scale report_scale(const struct report *report) {
        bool is_bytes = report->unit == REPORT_BYTES_PER_SECOND;

        if (report->unit == REPORT_SECONDS)
                return (struct report_scale){ 1, "s" };
        if (largest_mean(report) < 1e10)
                return (struct report_scale){ 1e6, is_bytes ? "MB/s" : "Mbit/s" };
        return (struct report_scale){ 1e9, is_bytes ? "GB/s" : "Gbit/s" };
}

bool report_change(const struct report *report, const struct report_summary *summary, double *ret) {
        double change = ((report->unit == REPORT_SECONDS ? 1 / summary->ratio : summary->ratio) - 1) * 100;

        if (!isfinite(change))
                return false;
        *ret = change;
        return true;
}

/* The size with the ratio farthest from 1 among those whose 95 % interval is clear of 1; the reference if
 * there is none. */
static size_t find_clear(const struct report *report) {
        size_t clear = report->reference;
        double farthest = 0;

        for (size_t size = 0; size < report->n_sizes; size++) {
                const struct report_summary *summary = &report->summaries[size][report->judged];
                double distance = fabs(log(summary->ratio));

                if ((summary->interval.low > 1 || summary->interval.high < 1) && distance > farthest) {
                        clear = size;
                        farthest = distance;
                }
        }
        return clear;
}

static const char *inconclusive_text(struct pool *pool, const struct report *report) {
        size_t clear = find_clear(report);
        double change;

        if (clear != report->reference &&
            report_change(report, &report->summaries[clear][report->judged], &change))
                return pool_print(pool,
                                  "Inconclusive: %+.1f %% with %u against %u is clear at 95 %%, but not at "
                                  "99 %%.",
                                  change, report->mtus[clear], report->mtus[report->reference]);
        return pool_print(pool, "Inconclusive: %zu rounds do not tell the differences from the noise.",
                          report->n_blocks);
}

const char *report_conclusion(struct pool *pool, const struct report *report) {
        const struct conclusion *conclusion = &report->conclusion;
        const struct report_summary *summary = &report->summaries[conclusion->winner][report->judged];
        uint32_t winner = report->mtus[conclusion->winner], reference = report->mtus[report->reference];
        double change;

        if (conclusion->kind == CONCLUSION_NO_DIFFERENCE)
                return pool_print(pool, "No difference: no MTU is more than %.0f %% from another.",
                                  CONCLUSION_MARGIN * 100);
        if (conclusion->kind == CONCLUSION_INCONCLUSIVE)
                return inconclusive_text(pool, report);
        if (conclusion->winner == report->reference)
                return pool_print(pool, "Best: %u.", winner);
        if (report_change(report, summary, &change))
                return pool_print(pool, "Best: %u, %+.1f %% against %u.", winner, change, reference);
        return pool_print(pool, "Best: %u, against 0 with %u.", winner, reference);
}

const char *report_detail(struct pool *pool, const struct report *report) {
        const struct conclusion *conclusion = &report->conclusion;
        bool has_smaller = conclusion->winner > 0, has_larger = conclusion->winner + 1 < report->n_sizes;

        if (conclusion->kind == CONCLUSION_NO_DIFFERENCE)
                return pool_print(pool, "%u, the smallest, does as well as any.", report->mtus[0]);
        if (conclusion->kind == CONCLUSION_INCONCLUSIVE && report->runs_advised > 0)
                return pool_print(pool, "--runs %zu would probably settle it.", report->runs_advised);
        if (conclusion->kind == CONCLUSION_INCONCLUSIVE)
                return "More rounds would hardly settle it; a quieter network or a longer --time may.";
        if (!conclusion->is_settled)
                return pool_print(pool,
                                  "Smaller ones are worse. Whether %u is better still is lost in the noise: "
                                  "by %.0f %% at the most.",
                                  report->mtus[conclusion->best],
                                  conclusion->shortage / (1 - conclusion->shortage) * 100);
        if (has_smaller)
                return has_larger ? "Smaller ones are worse, and larger ones no better."
                                  : "Smaller ones are worse.";
        return "Larger ones are no better.";
}

/* An unknown value is an empty field. */
static void write_field(double value, bool is_known, FILE *stream) {
        if (is_known)
                fprintf(stream, ",%.9g", value);
        else
                fputc(',', stream);
}

static void write_run(const struct report *report, size_t block, size_t size, FILE *stream) {
        const struct report_run *run = &report->runs[size][block];

        fprintf(stream, "%zu,%zu,%u,%s", block + 1, run->place + 1, report->mtus[size], units[report->unit]);
        for (enum report_way way = 0; way < REPORT_WAYS; way++)
                write_field(run->values[way], has_way(report, way), stream);
        write_field((double)run->retransmits, run->retransmits >= 0, stream);
        write_field(run->cpu_here, report->iperf3, stream);
        write_field(run->cpu_there, report->iperf3, stream);
        write_field(run->mss, run->mss > 0, stream);
        write_field(run->pmtu, run->pmtu > 0, stream);
        fputs("\r\n", stream);
}

void report_write_csv(const struct report *report, FILE *stream) {
        fputs("round,place,mtu,unit,out,in,both,retransmits,cpu_here,cpu_there,mss,pmtu\r\n", stream);
        for (size_t block = 0; block < report->n_blocks; block++)
                for (size_t place = 0; place < report->n_sizes; place++)
                        for (size_t size = 0; size < report->n_sizes; size++)
                                if (report->runs[size][block].place == place)
                                        write_run(report, block, size, stream);
}

/* Table ----------------------------------------------------------------------------------------------- */

#define PLUS_MINUS "\xc2\xb1"

/* Over all runs of a size; -1 if any run lacks the number. */
static double mean_retransmits(const struct report *report, size_t size) {
        double sum = 0;

        for (size_t block = 0; block < report->n_blocks; block++) {
                if (report->runs[size][block].retransmits < 0)
                        return -1;
                sum += (double)report->runs[size][block].retransmits;
        }
        return sum / (double)report->n_blocks;
}

/* Percent of one CPU for each Gbit/s. */
static double mean_cpu(const struct report *report, size_t size, bool is_there) {
        double sum = 0;

        for (size_t block = 0; block < report->n_blocks; block++) {
                const struct report_run *run = &report->runs[size][block];

                sum += (is_there ? run->cpu_there : run->cpu_here) / (run->values[REPORT_BOTH] / 1e9);
        }
        return sum / (double)report->n_blocks;
}

static void add_value(struct table *table, const struct report *report, double value) {
        double shown = value / report_scale(report).factor;

        table_add(table, TABLE_PLAIN, "%.*f",
                  shown < 10     ? 3
                  : shown < 100  ? 2
                  : shown < 1000 ? 1
                                 : 0,
                  shown);
}

static void add_row(struct table *table, const struct report *report, size_t size, enum report_way way) {
        const struct report_summary *summary = &report->summaries[size][way];
        bool is_winner = report->conclusion.kind == CONCLUSION_BEST && report->conclusion.winner == size;
        double retransmits = mean_retransmits(report, size), change;

        table_add(table, is_winner ? TABLE_GREEN : TABLE_PLAIN, "%u", report->mtus[size]);
        if (report->iperf3)
                table_add(table, TABLE_PLAIN, "%s", report_way_name(way));
        add_value(table, report, summary->mean);
        add_value(table, report, summary->half);
        add_value(table, report, summary->median);
        add_value(table, report, summary->stddev);
        if (size == report->reference || !report_change(report, summary, &change)) {
                table_add(table, TABLE_FAINT, "-");
                table_add(table, TABLE_FAINT, "-");
        } else {
                table_add(table, TABLE_PLAIN, "%+.1f %%", change);
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
        const char *half = terminal_is_utf8() ? PLUS_MINUS "95%" : "+-95%";
        const char *const iperf3_heads[] = { "MTU",         "WAY",      "MEAN",     half,
                                             "MEDIAN",      "STDDEV",   "CHANGE",   "RATIO 95%",
                                             "RETRANSMITS", "CPU HERE", "CPU THERE" };
        const char *const command_heads[] = {
                "MTU", "MEAN", half, "MEDIAN", "STDDEV", "CHANGE", "RATIO 95%"
        };
        const char *const *heads = report->iperf3 ? iperf3_heads : command_heads;
        static const int gives_way[] = { 0, 0, 0, 0, 3, 1, 0, 6, 2, 5, 4 };
        struct table table = { .n_columns = report->iperf3 ? 11 : 7 };

        for (size_t i = 0; i < table.n_columns; i++) {
                table.is_number[i] = strcmp(heads[i], "WAY") != 0;
                table.gives_way[i] = report->iperf3 ? gives_way[i] : 0;
                table_add(&table, TABLE_PLAIN, "%s", heads[i]);
        }
        for (enum report_way way = report->first_way; way <= report->judged; way++)
                for (size_t size = 0; size < report->n_sizes; size++)
                        add_row(&table, report, size, way);
        return table_print(&table);
}

bool report_print_text(const struct report *report) {
        CLEANUP(pool_free) struct pool pool = { 0 };
        const char *conclusion = report_conclusion(&pool, report), *detail = report_detail(&pool, report);
        bool is_whole;

        paragraph_print(0, 0, "%zu rounds, in %s; %s is the 95 %% confidence interval of the mean%s",
                        report->n_blocks, report_scale(report).unit, terminal_is_utf8() ? PLUS_MINUS : "+-",
                        report->iperf3 ? "; CPU in % of one for each Gbit/s" : "");
        is_whole = print_table(report);
        if (pool.failed)
                return log_fail(false, LOG_OUT_OF_MEMORY);
        putchar('\n');
        paragraph_print(0, 0, "%s %s", conclusion, detail);
        return is_whole;
}

/* JSON ------------------------------------------------------------------------------------------------ */

/* A rate is an integer, a time is not. */
static json_t *json_value(const struct report *report, double value) {
        return report->unit == REPORT_SECONDS ? json_real(value) : json_integer((json_int_t)llround(value));
}

static json_t *json_run(const struct report *report, size_t size, size_t block) {
        const struct report_run *run = &report->runs[size][block];
        json_t *object = json_object();

        object = json_set(object, "round", json_integer((json_int_t)block + 1));
        object = json_set(object, "place", json_integer((json_int_t)run->place + 1));
        object = json_set(object, "retransmits",
                          run->retransmits >= 0 ? json_integer(run->retransmits) : json_null());
        object = json_set(object, "cpu_here", report->iperf3 ? json_real(run->cpu_here) : json_null());
        object = json_set(object, "cpu_there", report->iperf3 ? json_real(run->cpu_there) : json_null());
        object = json_set(object, "mss", json_count(run->mss));
        object = json_set(object, "pmtu", json_count(run->pmtu));
        for (enum report_way way = 0; way < REPORT_WAYS; way++)
                object = json_set(object, report_way_name(way),
                                  has_way(report, way) ? json_value(report, run->values[way]) : json_null());
        return object;
}

static json_t *json_summary(const struct report *report, size_t size, enum report_way way) {
        const struct report_summary *summary = &report->summaries[size][way];

        if (!has_way(report, way))
                return json_null();
        return json_pack("{so s[oo] so so so s[oo]}", "mean", json_value(report, summary->mean),
                         "mean_interval", json_value(report, summary->mean - summary->half),
                         json_value(report, summary->mean + summary->half), "median",
                         json_value(report, summary->median), "stddev", json_value(report, summary->stddev),
                         "ratio", json_finite(summary->ratio), "ratio_interval",
                         json_finite(summary->interval.low), json_finite(summary->interval.high));
}

static json_t *json_size(const struct report *report, size_t size) {
        json_t *object = json_pack("{si}", "mtu", (int)report->mtus[size]), *runs = json_array();

        for (enum report_way way = 0; way < REPORT_WAYS; way++)
                object = json_set(object, report_way_name(way), json_summary(report, size, way));
        for (size_t block = 0; block < report->n_blocks; block++)
                runs = json_append(runs, json_run(report, size, block));
        return json_set(object, "runs", runs);
}

static json_t *json_verdict(const struct report *report) {
        static const char *const kinds[] = { "best", "no difference", "inconclusive" };
        const struct conclusion *conclusion = &report->conclusion;
        bool is_best = conclusion->kind == CONCLUSION_BEST;
        json_t *object = json_object();

        object = json_set(object, "kind", json_string(kinds[conclusion->kind]));
        object = json_set(object, "mtu", json_count(is_best ? report->mtus[conclusion->winner] : 0));
        object = json_set(object, "settled", json_boolean(conclusion->is_settled));
        return json_set(object, "runs_advised", json_count((uint32_t)report->runs_advised));
}

bool report_print_json(const struct report *report) {
        json_t *object = json_object(), *sizes = json_array();

        for (size_t size = 0; size < report->n_sizes; size++)
                sizes = json_append(sizes, json_size(report, size));
        object = json_set(object, "host", json_text(report->host));
        object = json_set(object, "address", json_text(report->address));
        object = json_set(object, "device", json_text(report->device));
        object = json_set(object, "driver", json_text(report->driver));
        object = json_set(object, "here", json_text(report->here));
        object = json_set(object, "kernel", json_text(report->kernel));
        object = json_set(object, "date", json_text(report->date));
        object = json_set(object, "method", json_text(report->method));
        object = json_set(object, "command", json_text(report->command));
        object = json_set(object, "iperf3", json_text(report->iperf3));
        object = json_set(object, "seconds", json_count(report->seconds));
        object = json_set(object, "unit", json_string(units[report->unit]));
        object = json_set(object, "judged", json_string(report_way_name(report->judged)));
        object = json_set(object, "rounds", json_integer((json_int_t)report->n_blocks));
        object = json_set(object, "reference", json_count(report->mtus[report->reference]));
        object = json_set(object, "seed", json_integer((json_int_t)report->seed));
        object = json_set(object, "verdict", json_verdict(report));
        return json_print(json_set(object, "sizes", sizes));
}
