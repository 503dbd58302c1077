/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "bench/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "bench/statistics.h"
#include "output/json.h"
#include "output/table.h"

#define BITS_PER_MEGABIT 1e6
#define BITS_PER_GIGABIT 1e9

bool report_add_size(struct report *report, uint32_t mtu) {
        size_t place = report->rates.n_sizes;

        for (; place > 0 && report->mtus[place - 1] >= mtu; place--)
                if (report->mtus[place - 1] == mtu)
                        return true;
        if (report->rates.n_sizes == CONCLUSION_SIZES_MAX)
                return false;
        memmove(&report->mtus[place + 1], &report->mtus[place],
                (report->rates.n_sizes - place) * sizeof(report->mtus[0]));
        report->mtus[place] = mtu;
        report->rates.n_sizes++;
        return true;
}

void report_leave_out(struct report *report, size_t size) {
        report->rates.n_sizes--;
        memmove(&report->mtus[size], &report->mtus[size + 1],
                (report->rates.n_sizes - size) * sizeof(report->mtus[0]));
}

static double mean_of(const struct report *report, size_t size) {
        return statistics_mean(report->rates.values[size], report->rates.n_blocks);
}

/* Half the 95 % confidence interval of the mean. */
static double half_of(const struct report *report, size_t size) {
        return statistics_half(report->rates.values[size], report->rates.n_blocks);
}

/* The mean of a run. */
static struct usage usage_of(const struct report *report, size_t size) {
        const struct usage *sum = &report->usage[size];
        double n = (double)report->rates.n_blocks;

        return (struct usage){ sum->retransmits / n, sum->cpu_here / n, sum->cpu_there / n };
}

/* Against the smallest size, in percent. */
static double change_of(const struct report *report, size_t size) {
        return (mean_of(report, size) / mean_of(report, 0) - 1) * 100;
}

void report_verdict(const struct report *report, const struct conclusion *conclusion,
                    char ret[static REPORT_TEXT_SIZE]) {
        uint32_t mtu = report->mtus[conclusion->winner];
        double shortage = conclusion->shortage;
        char more[80] = "";

        if (shortage > CONCLUSION_MARGIN)
                snprintf(more, sizeof(more), " %u may be better still, by %.0f %% at most.",
                         report->mtus[conclusion->best], shortage / (1 - shortage) * 100);
        if (conclusion->kind == CONCLUSION_NO_DIFFERENCE)
                snprintf(ret, REPORT_TEXT_SIZE,
                         "No difference: no MTU is more than %.0f %% from another. The smallest will do.",
                         CONCLUSION_MARGIN * 100);
        else if (conclusion->kind == CONCLUSION_INCONCLUSIVE)
                snprintf(ret, REPORT_TEXT_SIZE,
                         "Inconclusive: %zu rounds do not tell the differences from the noise. More --runs, "
                         "a longer --time or a quieter network may.",
                         report->rates.n_blocks);
        else if (conclusion->winner == 0)
                snprintf(ret, REPORT_TEXT_SIZE, "Best: %u.%s", mtu, more);
        else
                snprintf(ret, REPORT_TEXT_SIZE, "Best: %u, %+.1f %% against %u.%s", mtu,
                         change_of(report, conclusion->winner), report->mtus[0], more);
}

bool report_print_text(const struct report *report) {
        static const char *const heads[] = { "MTU",         "MEAN",     "+-95%",    "CHANGE",
                                             "RETRANSMITS", "CPU HERE", "CPU THERE" };
        const struct conclusion conclusion = conclusion_make(&report->rates);
        bool is_best = conclusion.kind == CONCLUSION_BEST, is_whole;
        struct table table = { .n_columns = sizeof(heads) / sizeof(heads[0]) };
        char verdict[REPORT_TEXT_SIZE], word[TEXT_SHELL_WORD_SIZE];

        for (size_t i = 0; i < table.n_columns; i++) {
                table.is_number[i] = true;
                table_add(&table, TABLE_PLAIN, "%s", heads[i]);
        }
        for (size_t size = 0; size < report->rates.n_sizes; size++) {
                const struct usage usage = usage_of(report, size);
                double gigabits = mean_of(report, size) / BITS_PER_GIGABIT;

                table_add(&table, is_best && size == conclusion.winner ? TABLE_GREEN : TABLE_PLAIN, "%u",
                          report->mtus[size]);
                table_add(&table, TABLE_PLAIN, "%.1f", mean_of(report, size) / BITS_PER_MEGABIT);
                table_add(&table, TABLE_PLAIN, "%.1f", half_of(report, size) / BITS_PER_MEGABIT);
                if (size == 0)
                        table_add(&table, TABLE_FAINT, "-");
                else
                        table_add(&table, TABLE_PLAIN, "%+.1f %%", change_of(report, size));
                table_add(&table, TABLE_PLAIN, "%.1f", usage.retransmits);
                table_add(&table, TABLE_PLAIN, "%.2f", usage.cpu_here / gigabits);
                table_add(&table, TABLE_PLAIN, "%.2f", usage.cpu_there / gigabits);
        }
        paragraph_print(0, 0,
                        "%zu rounds %s %s, in Mbit/s; +- is the 95 %% confidence interval of the mean; CPU "
                        "in %% of "
                        "one for each Gbit/s",
                        report->rates.n_blocks, report->is_reverse ? "from" : "to", report->address);
        is_whole = table_print(&table);
        report_verdict(report, &conclusion, verdict);
        putchar('\n');
        paragraph_print(0, 0, "%s", verdict);
        if (is_best)
                printf("To set it: setmtu set %s %u\n", text_shell_word(word, report->device),
                       report->mtus[conclusion.winner]);
        return is_whole;
}

/* In whole bits per second. */
static json_t *json_rate(double rate) {
        return json_integer((json_int_t)llround(rate));
}

static json_t *json_size(const struct report *report, size_t size) {
        double mean = mean_of(report, size), half = half_of(report, size);
        const struct usage usage = usage_of(report, size);
        json_t *runs = json_array(), *interval = json_array();

        interval = json_append(interval, json_rate(mean - half));
        interval = json_append(interval, json_rate(mean + half));
        for (size_t block = 0; block < report->rates.n_blocks; block++)
                runs = json_append(runs, json_rate(report->rates.values[size][block]));
        return JSON_OBJECT({
                        { "mtu", json_count(report->mtus[size]) },
                        { "mean", json_rate(mean) },
                        { "mean_interval", interval },
                        { "retransmits", json_real(usage.retransmits) },
                        { "cpu_here", json_real(usage.cpu_here) },
                        { "cpu_there", json_real(usage.cpu_there) },
                        { "runs", runs },
        });
}

static json_t *json_verdict(const struct report *report) {
        static const char *const kinds[] = { "best", "no difference", "inconclusive" };
        const struct conclusion conclusion = conclusion_make(&report->rates);
        bool is_best = conclusion.kind == CONCLUSION_BEST;

        return JSON_OBJECT({
                        { "kind", json_string(kinds[conclusion.kind]) },
                        { "mtu", json_count(is_best ? report->mtus[conclusion.winner] : 0) },
                        { "settled", json_boolean(conclusion.kind != CONCLUSION_INCONCLUSIVE &&
                                                  conclusion.shortage <= CONCLUSION_MARGIN) },
        });
}

bool report_print_json(const struct report *report) {
        json_t *sizes = json_array();

        for (size_t size = 0; size < report->rates.n_sizes; size++)
                sizes = json_append(sizes, json_size(report, size));
        return json_print(JSON_OBJECT({
                        { "host", json_text(report->host) },
                        { "address", json_text(report->address) },
                        { "device", json_text(report->device) },
                        { "seconds", json_count(report->seconds) },
                        { "direction", json_string(report->is_reverse ? "in" : "out") },
                        { "rounds", json_integer((json_int_t)report->rates.n_blocks) },
                        { "verdict", json_verdict(report) },
                        { "sizes", sizes },
        }));
}
