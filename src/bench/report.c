/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "bench/report.h"

#include <math.h>
#include <string.h>

#include "base/terminal.h"
#include "output/json.h"
#include "output/table.h"

const struct report_unit_shown report_units[] = {
        [REPORT_BITS_PER_SECOND] = { "bit/s", "Mbit/s", 1e6 },
        [REPORT_SECONDS] = { "s", "s", 1 },
};

const char *const report_figure_names[REPORT_FIGURES] = {
        "out", "in", "both", "retransmits", "cpu_here", "cpu_there", "mss", "pmtu",
};

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

void report_add_run(struct report *report, size_t size, size_t place, const struct report_run *run) {
        struct report_size *to = &report->sizes[size];

        for (enum report_figure figure = 0; figure < REPORT_FIGURES; figure++)
                to->figures[figure][report->n_blocks] = run->figures[figure];
        to->places[report->n_blocks] = place;
}

void report_conclude(struct report *report) {
        struct measurements measurements = {
                .n_sizes = report->n_sizes,
                .n_blocks = report->n_blocks,
                .less_is_better = report->unit == REPORT_SECONDS,
        };

        for (size_t size = 0; size < report->n_sizes; size++)
                measurements.values[size] = report->sizes[size].figures[report->judged];
        report->conclusion = conclusion_make(&measurements, report->n_blocks, report->runs);
        report->runs_advised = report->conclusion.kind == CONCLUSION_INCONCLUSIVE
                                               ? conclusion_estimate_runs(&measurements, report->runs)
                                               : 0;
}

struct report_summary report_summarise(const struct report *report, size_t size, enum report_figure way) {
        const double *values = report->sizes[size].figures[way],
                     *reference = report->sizes[report->reference].figures[way];
        size_t n = report->n_blocks;
        double ratio = statistics_mean(values, n) / statistics_mean(reference, n);

        return (struct report_summary){
                .mean = statistics_mean(values, n),
                .median = statistics_median(values, n),
                .stddev = statistics_stddev(values, n),
                .half = statistics_half(values, n),
                .ratio = ratio,
                .change = ((report->unit == REPORT_SECONDS ? 1 / ratio : ratio) - 1) * 100,
                .interval = statistics_ratio(values, reference, n),
        };
}

void report_conclusion(const struct report *report, char ret[static REPORT_TEXT_SIZE]) {
        const struct conclusion *conclusion = &report->conclusion;
        bool is_best = conclusion->kind == CONCLUSION_BEST;
        size_t size = is_best ? conclusion->winner : report->reference, room = REPORT_TEXT_SIZE;
        const struct report_summary summary = report_summarise(report, size, report->judged);
        uint32_t mtu = report->mtus[size], reference = report->mtus[report->reference];

        if (conclusion->kind == CONCLUSION_NO_DIFFERENCE)
                snprintf(ret, room, "No difference: no MTU is more than %.0f %% from another.",
                         CONCLUSION_MARGIN * 100);
        else if (is_best && size == report->reference)
                snprintf(ret, room, "Best: %u.", mtu);
        else if (is_best && isfinite(summary.change))
                snprintf(ret, room, "Best: %u, %+.1f %% against %u.", mtu, summary.change, reference);
        else if (is_best)
                snprintf(ret, room, "Best: %u, against 0 with %u.", mtu, reference);
        else
                snprintf(ret, room, "Inconclusive: %zu rounds do not tell the differences from the noise.",
                         report->n_blocks);
}

void report_detail(const struct report *report, char ret[static REPORT_TEXT_SIZE]) {
        const struct conclusion *conclusion = &report->conclusion;
        bool has_larger = conclusion->winner + 1 < report->n_sizes;

        if (conclusion->kind == CONCLUSION_NO_DIFFERENCE)
                snprintf(ret, REPORT_TEXT_SIZE, "%u, the smallest, does as well as any.", report->mtus[0]);
        else if (conclusion->kind == CONCLUSION_INCONCLUSIVE && report->runs_advised > 0)
                snprintf(ret, REPORT_TEXT_SIZE, "--runs %zu would probably settle it.",
                         report->runs_advised);
        else if (conclusion->kind == CONCLUSION_INCONCLUSIVE)
                strcpy(ret, "More rounds would hardly settle it; a quieter network or a longer --time may.");
        else if (!conclusion->is_settled)
                snprintf(ret, REPORT_TEXT_SIZE,
                         "Smaller ones are worse. %u may be better still, by "
                         "%.0f %% at most.",
                         report->mtus[conclusion->best],
                         conclusion->shortage / (1 - conclusion->shortage) * 100);
        else if (conclusion->winner == 0)
                strcpy(ret, "Larger ones are no better.");
        else
                strcpy(ret, has_larger ? "Smaller ones are worse, and larger ones no better."
                                       : "Smaller ones are worse.");
}

/* Table ----------------------------------------------------------------------------------------------- */

#define PLUS_MINUS "\xc2\xb1"

/* In the order of add_row(). NULL: ±95%, as the terminal can show it. */
static const struct {
        const char *head;
        int gives_way;     /* on a narrow terminal: 1 first; 0: never */
        bool is_of_iperf3; /* not there with a command */
} columns[] = {
        { "MTU", 0, false },     { "WAY", 0, true },        { "MEAN", 0, false },
        { NULL, 0, false },      { "MEDIAN", 3, false },    { "STDDEV", 1, false },
        { "CHANGE", 0, false },  { "RATIO 95%", 6, false }, { "RETRANSMITS", 2, true },
        { "CPU HERE", 5, true }, { "CPU THERE", 4, true },
};

static double mean_of(const struct report *report, size_t size, enum report_figure figure) {
        return statistics_mean(report->sizes[size].figures[figure], report->n_blocks);
}

/* A number with so many decimals, or "-" if it is not known. */
static void add_number(struct table *table, int decimals, double value) {
        if (isfinite(value))
                table_add(table, TABLE_PLAIN, "%.*f", decimals, value);
        else
                table_add(table, TABLE_FAINT, "-");
}

static void add_value(struct table *table, const struct report *report, double value) {
        double shown = value / report_units[report->unit].factor;

        add_number(table, shown < 10 ? 3 : shown < 100 ? 2 : shown < 1000 ? 1 : 0, shown);
}

static void add_row(struct table *table, const struct report *report, size_t size, enum report_figure way) {
        const struct report_summary summary = report_summarise(report, size, way);
        bool is_winner = report->conclusion.kind == CONCLUSION_BEST && report->conclusion.winner == size;

        table_add(table, is_winner ? TABLE_GREEN : TABLE_PLAIN, "%u", report->mtus[size]);
        if (!report->command)
                table_add(table, TABLE_PLAIN, "%s", report_figure_names[way]);
        add_value(table, report, summary.mean);
        add_value(table, report, summary.half);
        add_value(table, report, summary.median);
        add_value(table, report, summary.stddev);
        if (size == report->reference || !isfinite(summary.change)) {
                table_add(table, TABLE_FAINT, "-");
                table_add(table, TABLE_FAINT, "-");
        } else {
                table_add(table, TABLE_PLAIN, "%+.1f %%", summary.change);
                table_add(table, TABLE_PLAIN, "%.3f-%.3f", summary.interval.low, summary.interval.high);
        }
        if (report->command)
                return;
        add_number(table, 1, mean_of(report, size, REPORT_RETRANSMITS));
        for (enum report_figure cpu = REPORT_CPU_HERE; cpu <= REPORT_CPU_THERE; cpu++)
                add_number(table, 2,
                           mean_of(report, size, cpu) / mean_of(report, size, report->judged) * 1e9);
}

static bool print_table(const struct report *report) {
        const char *half = terminal_is_utf8() ? PLUS_MINUS "95%" : "+-95%";
        struct table table = { .n_columns = 0 };

        for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
                const char *head = columns[i].head ? columns[i].head : half;

                if (report->command && columns[i].is_of_iperf3)
                        continue;
                table.is_number[table.n_columns] = strcmp(head, "WAY") != 0;
                table.gives_way[table.n_columns++] = columns[i].gives_way;
                table_add(&table, TABLE_PLAIN, "%s", head);
        }
        for (enum report_figure way = report->first_way; way <= report->judged; way++)
                for (size_t size = 0; size < report->n_sizes; size++)
                        add_row(&table, report, size, way);
        return table_print(&table);
}

bool report_print_text(const struct report *report) {
        char conclusion[REPORT_TEXT_SIZE], detail[REPORT_TEXT_SIZE];
        bool is_whole;

        report_conclusion(report, conclusion);
        report_detail(report, detail);
        paragraph_print(0, 0,
                        "%zu rounds (planned: %zu), in %s; %s is the 95 %% confidence interval of the "
                        "mean%s",
                        report->n_blocks, report->runs, report_units[report->unit].shown,
                        terminal_is_utf8() ? PLUS_MINUS : "+-",
                        report->command ? "" : "; CPU in % of one for each Gbit/s");
        is_whole = print_table(report);
        putchar('\n');
        paragraph_print(0, 0, "%s %s", conclusion, detail);
        return is_whole;
}

/* JSON ------------------------------------------------------------------------------------------------ */

/* Percentages and times have a fraction; other figures are integers. */
static json_t *json_figure(const struct report *report, enum report_figure figure, double value) {
        bool is_whole = figure < REPORT_WAYS ? report->unit != REPORT_SECONDS
                                             : figure != REPORT_CPU_HERE && figure != REPORT_CPU_THERE;

        return is_whole && isfinite(value) ? json_integer((json_int_t)llround(value)) : json_finite(value);
}

static json_t *json_run(const struct report *report, size_t size, size_t block) {
        const struct report_size *of = &report->sizes[size];
        json_t *object = JSON_OBJECT({
                        { "round", json_integer((json_int_t)block + 1) },
                        { "place", json_integer((json_int_t)of->places[block] + 1) },
        });

        for (enum report_figure figure = 0; figure < REPORT_FIGURES; figure++)
                object = json_set(object, report_figure_names[figure],
                                  json_figure(report, figure, of->figures[figure][block]));
        return object;
}

static json_t *json_interval(json_t *low, json_t *high) {
        return json_append(json_append(json_array(), low), high);
}

static json_t *json_summary(const struct report *report, size_t size, enum report_figure way) {
        const struct report_summary summary = report_summarise(report, size, way);

        return JSON_OBJECT({
                        { "mean", json_figure(report, way, summary.mean) },
                        { "mean_interval",
                          json_interval(json_figure(report, way, summary.mean - summary.half),
                                        json_figure(report, way, summary.mean + summary.half)) },
                        { "median", json_figure(report, way, summary.median) },
                        { "stddev", json_figure(report, way, summary.stddev) },
                        { "ratio", json_finite(summary.ratio) },
                        { "ratio_interval", json_interval(json_finite(summary.interval.low),
                                                          json_finite(summary.interval.high)) },
        });
}

static json_t *json_size(const struct report *report, size_t size) {
        json_t *object = json_object(), *runs = json_array();

        object = json_set(object, "mtu", json_count(report->mtus[size]));
        for (enum report_figure way = 0; way < REPORT_WAYS; way++)
                object = json_set(object, report_figure_names[way],
                                  way >= report->first_way && way <= report->judged
                                                  ? json_summary(report, size, way)
                                                  : json_null());
        for (size_t block = 0; block < report->n_blocks; block++)
                runs = json_append(runs, json_run(report, size, block));
        return json_set(object, "runs", runs);
}

static json_t *json_verdict(const struct report *report) {
        static const char *const kinds[] = { "best", "no difference", "inconclusive" };
        const struct conclusion *conclusion = &report->conclusion;
        bool is_best = conclusion->kind == CONCLUSION_BEST;

        return JSON_OBJECT({
                        { "kind", json_string(kinds[conclusion->kind]) },
                        { "mtu", json_count(is_best ? report->mtus[conclusion->winner] : 0) },
                        { "settled", json_boolean(conclusion->is_settled) },
                        { "runs_advised", json_count((uint32_t)report->runs_advised) },
        });
}

bool report_print_json(const struct report *report) {
        json_t *sizes = json_array();

        for (size_t size = 0; size < report->n_sizes; size++)
                sizes = json_append(sizes, json_size(report, size));
        return json_print(JSON_OBJECT({
                        { "host", json_text(report->host) },
                        { "address", json_text(report->address) },
                        { "device", json_text(report->device) },
                        { "driver", json_text(*report->driver ? report->driver : NULL) },
                        { "here", json_text(report->system.nodename) },
                        { "kernel", json_text(report->system.release) },
                        { "date", json_text(report->date) },
                        { "method", json_string(report->is_mtu ? "mtu" : "mss") },
                        { "command", json_text(report->command) },
                        { "iperf3", json_text(*report->iperf3 ? report->iperf3 : NULL) },
                        { "seconds", json_count(report->command ? 0 : report->seconds) },
                        { "unit", json_string(report_units[report->unit].name) },
                        { "judged", json_string(report_figure_names[report->judged]) },
                        { "rounds", json_integer((json_int_t)report->n_blocks) },
                        { "reference", json_count(report->mtus[report->reference]) },
                        { "seed", json_integer((json_int_t)report->seed) },
                        { "verdict", json_verdict(report) },
                        { "sizes", sizes },
        }));
}
