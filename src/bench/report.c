/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "bench/report.h"

#include <math.h>
#include <string.h>

bool report_add_size(struct report *report, uint32_t mtu) {
        size_t place = report->n_sizes;

        for (; place > 0 && report->mtus[place - 1] >= mtu; place--)
                if (report->mtus[place - 1] == mtu)
                        return true;
        if (report->n_sizes == FINDING_SIZES_MAX)
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

static void take_values(const struct report *report, size_t size, enum report_way way,
                        double values[static FINDING_BLOCKS_MAX]) {
        for (size_t block = 0; block < report->n_blocks; block++)
                values[block] = report->runs[size][block].values[way];
}

void report_summarise(struct report *report) {
        struct random random = { .state = report->seed };
        double values[FINDING_BLOCKS_MAX], reference[FINDING_BLOCKS_MAX];

        for (enum report_way way = 0; way < REPORT_WAYS; way++) {
                if (!report->has_way[way])
                        continue;
                take_values(report, report->reference, way, reference);
                for (size_t size = 0; size < report->n_sizes; size++) {
                        struct report_summary *summary = &report->summaries[size][way];

                        take_values(report, size, way, values);
                        summary->mean = statistics_mean(values, report->n_blocks);
                        summary->median = statistics_median(values, report->n_blocks);
                        summary->stddev = statistics_stddev(values, report->n_blocks);
                        summary->ratio = summary->mean / statistics_mean(reference, report->n_blocks);
                        summary->interval = statistics_ratio(values, reference, report->n_blocks, &random);
                }
        }
}

void report_measurements(const struct report *report, struct measurements *ret) {
        ret->n_sizes = report->n_sizes;
        ret->n_blocks = report->n_blocks;
        ret->less_is_better = report->unit == REPORT_SECONDS;
        for (size_t size = 0; size < report->n_sizes; size++)
                take_values(report, size, report->judged, ret->values[size]);
}

const char *report_way_name(enum report_way way) {
        return way == REPORT_OUT ? "out" : way == REPORT_IN ? "in" : "both";
}

double report_unit_scale(enum report_unit unit) {
        return unit == REPORT_SECONDS ? 1 : 1e6;
}

const char *report_unit_name(enum report_unit unit) {
        return unit == REPORT_SECONDS ? "s" : unit == REPORT_BYTES_PER_SECOND ? "MB/s" : "Mbit/s";
}

double report_change(const struct report *report, const struct report_summary *summary) {
        return ((report->unit == REPORT_SECONDS ? 1 / summary->ratio : summary->ratio) - 1) * 100;
}

void report_write_finding(const struct report *report, FILE *stream) {
        const struct finding *finding = &report->finding;
        const struct report_summary *summary = &report->summaries[finding->winner][report->judged];

        switch (finding->kind) {
        case FINDING_NO_DIFFERENCE:
                fprintf(stream, "No difference: no MTU is more than %.0f %% from another.",
                        FINDING_MARGIN * 100);
                return;
        case FINDING_INCONCLUSIVE:
                fprintf(stream, "Inconclusive: %zu rounds do not tell the differences from the noise.",
                        report->n_blocks);
                return;
        case FINDING_BEST:
                break;
        }
        fprintf(stream, "Best: %u", report->mtus[finding->winner]);
        if (finding->winner != report->reference)
                fprintf(stream, ", %+.1f %% against %u", report_change(report, summary),
                        report->mtus[report->reference]);
        fputs(".", stream);
}

void report_write_detail(const struct report *report, FILE *stream) {
        const struct finding *finding = &report->finding;
        bool has_smaller = finding->winner > 0, has_larger = finding->winner + 1 < report->n_sizes;

        switch (finding->kind) {
        case FINDING_NO_DIFFERENCE:
                fprintf(stream, "%u, the smallest, does as well as any.", report->mtus[0]);
                return;
        case FINDING_INCONCLUSIVE:
                fputs("A quieter network, a longer --time or more --runs may.", stream);
                return;
        case FINDING_BEST:
                break;
        }
        if (!finding->is_settled)
                fprintf(stream,
                        "Smaller ones are worse. Whether %u is better still is lost in the noise: by %.0f "
                        "%% at the most.",
                        report->mtus[finding->best], finding->shortage / (1 - finding->shortage) * 100);
        else if (has_smaller && has_larger)
                fputs("Smaller ones are worse, and larger ones no better.", stream);
        else
                fputs(has_smaller ? "Smaller ones are worse." : "Larger ones are no better.", stream);
}

/* What was not told is an empty field. */
static void write_field(double value, bool is_known, FILE *stream) {
        if (is_known)
                fprintf(stream, ",%.9g", value);
        else
                fputc(',', stream);
}

static void write_run(const struct report *report, size_t block, size_t size, FILE *stream) {
        static const char *const units[] = { "bit/s", "B/s", "s" };
        const struct report_run *run = &report->runs[size][block];

        fprintf(stream, "%zu,%zu,%u,%s", block + 1, run->place + 1, report->mtus[size], units[report->unit]);
        for (enum report_way way = 0; way < REPORT_WAYS; way++)
                write_field(run->values[way], report->has_way[way], stream);
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
