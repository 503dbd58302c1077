/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "bench/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/statistics.h"
#include "output/json.h"
#include "output/table.h"

static const char *const figure_names[REPORT_FIGURES] = {
        "rate", "retransmits", "cpu_here", "cpu_there", "mss", "pmtu",
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
        };

        for (size_t size = 0; size < report->n_sizes; size++)
                measurements.values[size] = report->sizes[size].figures[REPORT_RATE];
        report->conclusion = conclusion_make(&measurements);
}

static double mean_of(const struct report *report, size_t size, enum report_figure figure) {
        return statistics_mean(report->sizes[size].figures[figure], report->n_blocks);
}

struct report_summary report_summarise(const struct report *report, size_t size) {
        const double *values = report->sizes[size].figures[REPORT_RATE];
        double mean = statistics_mean(values, report->n_blocks);

        return (struct report_summary){
                .mean = mean,
                .half = statistics_half(values, report->n_blocks),
                .change = (mean / mean_of(report, report->reference, REPORT_RATE) - 1) * 100,
        };
}

void report_conclusion(const struct report *report, char ret[static REPORT_TEXT_SIZE]) {
        const struct conclusion *conclusion = &report->conclusion;
        bool is_best = conclusion->kind == CONCLUSION_BEST;
        size_t size = is_best ? conclusion->winner : report->reference, room = REPORT_TEXT_SIZE;
        const struct report_summary summary = report_summarise(report, size);
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
        else if (conclusion->kind == CONCLUSION_INCONCLUSIVE)
                strcpy(ret, "More --runs, a longer --time or a quieter network may.");
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

#define BITS_PER_MEGABIT 1e6

/* A number with so many decimals, or "-" if it is not known. */
static void add_number(struct table *table, int decimals, double value) {
        if (isfinite(value))
                table_add(table, TABLE_PLAIN, "%.*f", decimals, value);
        else
                table_add(table, TABLE_FAINT, "-");
}

static void add_rate(struct table *table, double value) {
        double shown = value / BITS_PER_MEGABIT;

        add_number(table, shown < 10 ? 3 : shown < 100 ? 2 : shown < 1000 ? 1 : 0, shown);
}

static void add_row(struct table *table, const struct report *report, size_t size) {
        const struct report_summary summary = report_summarise(report, size);
        bool is_winner = report->conclusion.kind == CONCLUSION_BEST && report->conclusion.winner == size;

        table_add(table, is_winner ? TABLE_GREEN : TABLE_PLAIN, "%u", report->mtus[size]);
        add_rate(table, summary.mean);
        add_rate(table, summary.half);
        if (size == report->reference || !isfinite(summary.change))
                table_add(table, TABLE_FAINT, "-");
        else
                table_add(table, TABLE_PLAIN, "%+.1f %%", summary.change);
        add_number(table, 1, mean_of(report, size, REPORT_RETRANSMITS));
        for (enum report_figure cpu = REPORT_CPU_HERE; cpu <= REPORT_CPU_THERE; cpu++)
                add_number(table, 2, mean_of(report, size, cpu) / summary.mean * 1e9);
}

static bool print_table(const struct report *report) {
        static const char *const heads[] = { "MTU",         "MEAN",     "+-95%",    "CHANGE",
                                             "RETRANSMITS", "CPU HERE", "CPU THERE" };
        struct table table = { .n_columns = sizeof(heads) / sizeof(heads[0]) };

        for (size_t i = 0; i < table.n_columns; i++) {
                table.is_number[i] = true;
                table_add(&table, TABLE_PLAIN, "%s", heads[i]);
        }
        for (size_t size = 0; size < report->n_sizes; size++)
                add_row(&table, report, size);
        return table_print(&table);
}

bool report_print_text(const struct report *report) {
        char conclusion[REPORT_TEXT_SIZE], detail[REPORT_TEXT_SIZE], word[TEXT_SHELL_WORD_SIZE];
        bool is_whole;

        report_conclusion(report, conclusion);
        report_detail(report, detail);
        paragraph_print(0, 0,
                        "%zu rounds %s %s, in Mbit/s; +- is the 95 %% confidence interval of the mean; CPU "
                        "in %% of one for each Gbit/s",
                        report->n_blocks, report->is_reverse ? "from" : "to", report->address);
        is_whole = print_table(report);
        putchar('\n');
        paragraph_print(0, 0, "%s %s", conclusion, detail);
        if (report->conclusion.kind == CONCLUSION_BEST)
                printf("To set it: setmtu set %s %u\n", text_shell_word(word, report->device),
                       report->mtus[report->conclusion.winner]);
        return is_whole;
}

/* JSON ------------------------------------------------------------------------------------------------ */

/* Percentages have a fraction; other figures are integers. */
static json_t *json_figure(enum report_figure figure, double value) {
        bool is_whole = figure != REPORT_CPU_HERE && figure != REPORT_CPU_THERE;

        return is_whole && isfinite(value) ? json_integer((json_int_t)llround(value)) : json_finite(value);
}

static json_t *json_run(const struct report *report, size_t size, size_t block) {
        const struct report_size *of = &report->sizes[size];
        json_t *object = JSON_OBJECT({
                        { "round", json_integer((json_int_t)block + 1) },
                        { "place", json_integer((json_int_t)of->places[block] + 1) },
        });

        for (enum report_figure figure = 0; figure < REPORT_FIGURES; figure++)
                object = json_set(object, figure_names[figure],
                                  json_figure(figure, of->figures[figure][block]));
        return object;
}

static json_t *json_size(const struct report *report, size_t size) {
        const struct report_summary summary = report_summarise(report, size);
        json_t *runs = json_array(), *interval = json_array();

        interval = json_append(interval, json_figure(REPORT_RATE, summary.mean - summary.half));
        interval = json_append(interval, json_figure(REPORT_RATE, summary.mean + summary.half));
        for (size_t block = 0; block < report->n_blocks; block++)
                runs = json_append(runs, json_run(report, size, block));
        return JSON_OBJECT({
                        { "mtu", json_count(report->mtus[size]) },
                        { "mean", json_figure(REPORT_RATE, summary.mean) },
                        { "mean_interval", interval },
                        { "runs", runs },
        });
}

static json_t *json_verdict(const struct report *report) {
        static const char *const kinds[] = { "best", "no difference", "inconclusive" };
        const struct conclusion *conclusion = &report->conclusion;
        bool is_best = conclusion->kind == CONCLUSION_BEST;

        return JSON_OBJECT({
                        { "kind", json_string(kinds[conclusion->kind]) },
                        { "mtu", json_count(is_best ? report->mtus[conclusion->winner] : 0) },
                        { "settled", json_boolean(conclusion->is_settled) },
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
                        { "iperf3", json_text(*report->iperf3 ? report->iperf3 : NULL) },
                        { "seconds", json_count(report->seconds) },
                        { "direction", json_string(report->is_reverse ? "in" : "out") },
                        { "rounds", json_integer((json_int_t)report->n_blocks) },
                        { "reference", json_count(report->mtus[report->reference]) },
                        { "seed", json_integer((json_int_t)report->seed) },
                        { "verdict", json_verdict(report) },
                        { "sizes", sizes },
        }));
}
