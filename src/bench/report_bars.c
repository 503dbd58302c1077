/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The bars that a terminal shows. */

#include <math.h>

#include "bench/report.h"

#define LABEL_COLUMNS 34
#define BAR_LEAST 10
#define BAR_MOST 60

/* In eighths of a column where the terminal has such blocks. */
static void write_bar(double part, unsigned columns, bool is_utf8, FILE *stream) {
        static const char *const eighths[] = { "",
                                               "\xe2\x96\x8f",
                                               "\xe2\x96\x8e",
                                               "\xe2\x96\x8d",
                                               "\xe2\x96\x8c",
                                               "\xe2\x96\x8b",
                                               "\xe2\x96\x8a",
                                               "\xe2\x96\x89" };
        unsigned n = (unsigned)lround(part * columns * 8), used = n / 8;

        for (unsigned i = 0; i < used; i++)
                fputs(is_utf8 ? "\xe2\x96\x88" : "#", stream);
        if (is_utf8 && n % 8 > 0) {
                fputs(eighths[n % 8], stream);
                used++;
        }
        for (; used < columns; used++)
                fputc(' ', stream);
}

void report_write_bars(const struct report *report, bool is_utf8, unsigned columns, FILE *stream) {
        unsigned wide = columns > LABEL_COLUMNS + BAR_LEAST ? columns - LABEL_COLUMNS : BAR_LEAST;
        double scale = report_unit_scale(report->unit), largest = 0;

        if (wide > BAR_MOST)
                wide = BAR_MOST;
        for (size_t size = 0; size < report->n_sizes; size++)
                for (enum report_way way = 0; way < REPORT_WAYS; way++)
                        if (report->has_way[way])
                                largest = fmax(largest, report->summaries[size][way].mean);
        for (size_t size = 0; size < report->n_sizes; size++)
                for (enum report_way way = 0; way < REPORT_WAYS; way++) {
                        const struct report_summary *summary = &report->summaries[size][way];

                        if (!report->has_way[way])
                                continue;
                        fprintf(stream, "%5u %-4s ", report->mtus[size],
                                report->has_way[REPORT_OUT] || report->has_way[REPORT_IN]
                                                ? report_way_name(way)
                                                : "");
                        write_bar(summary->mean / largest, wide, is_utf8, stream);
                        fprintf(stream, " %.*f %s %.*f %s\n", summary->mean / scale < 100 ? 2 : 0,
                                summary->mean / scale, is_utf8 ? "\xc2\xb1" : "+-",
                                summary->mean / scale < 100 ? 2 : 0, summary->stddev / scale,
                                report_unit_name(report->unit));
                }
}
