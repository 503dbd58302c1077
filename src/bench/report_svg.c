/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The chart: a group of bars per size, each with its mean's confidence interval. */

#include <string.h>

#include "base/text.h"
#include "bench/report.h"

#define WIDTH 760
#define HEIGHT 500
#define LEFT 76
#define RIGHT 24
#define TOP 112
#define BOTTOM 118
#define PLOT_WIDTH (WIDTH - LEFT - RIGHT)
#define PLOT_HEIGHT (HEIGHT - TOP - BOTTOM)
/* Characters that fit on a line, with some margin. */
#define TEXT_MOST 84

static const char style[] =
                "<style>\n"
                "text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif}\n"
                ".back{fill:#ffffff}.ink{fill:#1b2530}.faint{fill:#5d6b79}.grid{stroke:#dfe4ea}\n"
                ".axis{stroke:#8a97a5}.out{fill:#9db4cc}.in{fill:#c9b79c}.both{fill:#a9b8a4}\n"
                ".out.best{fill:#2f6fb3}.in.best{fill:#b3782f}.both.best{fill:#3f8f5b}.error{stroke:#1b2530}"
                "\n"
                "</style>\n";

struct plot {
        const struct report *report;
        FILE *stream;
        const struct report_unit_shown *unit;
        double largest; /* end of the axis, in the unit shown */
        double group;   /* width for a size */
        double bar;
        size_t n_ways;
};

/* Writes text escaped for XML (XML 1.0, 2.2 and 2.4), and cut if it does not fit. */
static void write_escaped(const char *text, FILE *stream) {
        static const char special[] = "&<>\"";
        static const char *const escapes[] = { "&amp;", "&lt;", "&gt;", "&quot;" };

        for (size_t shown = 0; *text; shown++) {
                const char *found = strchr(special, *text);
                bool is_plain;
                size_t length = text_next(text, strlen(text), &is_plain);

                if (shown == TEXT_MOST) {
                        fputs("\xe2\x80\xa6", stream);
                        break;
                }
                if (found)
                        fputs(escapes[found - special], stream);
                else if (!is_plain)
                        fputs("\xef\xbf\xbd", stream);
                else
                        fwrite(text, 1, length, stream);
                text += length;
        }
}

/* Writes a line of text. `x` is its beginning, middle or end as `anchor` says. `format` is as for printf(3).
 */
__attribute__((format(printf, 7, 8))) static void write_text(const struct plot *plot, const char *class,
                                                             double size, const char *anchor, double x,
                                                             double y, const char *format, ...) {
        char text[TEXT_MOST * 5];

        TEXT_FORMAT(text, sizeof(text), format);
        fprintf(plot->stream,
                "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" font-size=\"%g\" text-anchor=\"%s\">", class, x, y,
                size, anchor);
        write_escaped(text, plot->stream);
        fputs("</text>\n", plot->stream);
}

/* 1, 2 or 5 times a power of ten: at most six steps up to the largest value. */
static double step_for(double largest) {
        double power = pow(10, floor(log10(largest / 6))), least = largest / 6 / power;

        return power * (least <= 1 ? 1 : least <= 2 ? 2 : least <= 5 ? 5 : 10);
}

static double y_of(const struct plot *plot, double value) {
        double part = value / plot->unit->factor / plot->largest;

        return TOP + PLOT_HEIGHT * (1 - fmin(fmax(part, 0), 1.05));
}

static void write_axis(const struct plot *plot, double step) {
        for (unsigned i = 0; i * step <= plot->largest * 1.0001; i++) {
                double value = i * step, y = y_of(plot, value * plot->unit->factor);

                fprintf(plot->stream, "<path class=\"%s\" d=\"M%d %.1fH%d\"/>\n", i > 0 ? "grid" : "axis",
                        LEFT, y, WIDTH - RIGHT);
                write_text(plot, "faint", 12, "end", LEFT - 8, y + 4, "%.6g", value);
        }
        write_text(plot, "faint", 12, "end", LEFT - 8, TOP - 14, "%s", plot->unit->shown);
}

static void write_bar(const struct plot *plot, size_t size, enum report_figure way, double x) {
        const struct report *report = plot->report;
        const struct report_summary summary = report_summarise(report, size, way);
        bool is_best = report->conclusion.kind == CONCLUSION_BEST && report->conclusion.winner == size;
        double top = y_of(plot, summary.mean), middle = x + plot->bar / 2;
        double low = y_of(plot, summary.mean - summary.half), high = y_of(plot, summary.mean + summary.half),
               cap = fmin(8, plot->bar / 5);
        double mean = summary.mean / plot->unit->factor;

        fprintf(plot->stream,
                "<rect class=\"%s%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"3\"/>\n",
                report_figure_names[way], is_best ? " best" : "", x, top, plot->bar,
                TOP + PLOT_HEIGHT - top);
        fprintf(plot->stream,
                "<path class=\"error\" fill=\"none\" stroke-width=\"1.6\" d=\"M%.1f %.1fV%.1fM%.1f "
                "%.1fh%.1fM%.1f %.1fh%.1f\"/>\n",
                middle, low, high, middle - cap, low, 2 * cap, middle - cap, high, 2 * cap);
        if (way == report->judged)
                write_text(plot, "ink", 12, "middle", middle, high - 8, "%.*f", mean < 100, mean);
}

static void write_group(const struct plot *plot, size_t size) {
        const struct report *report = plot->report;
        double middle = LEFT + plot->group * ((double)size + 0.5), pitch = plot->bar * 1.04;
        double x = middle - pitch * (double)plot->n_ways / 2;
        const struct report_summary summary = report_summarise(report, size, report->judged);

        for (enum report_figure way = report->first_way; way <= report->judged; way++, x += pitch)
                write_bar(plot, size, way, x + plot->bar * 0.02);
        write_text(plot, "ink", 14, "middle", middle, TOP + PLOT_HEIGHT + 22, "%u", report->mtus[size]);
        if (size != report->reference && isfinite(summary.change))
                write_text(plot, "faint", 12, "middle", middle, TOP + PLOT_HEIGHT + 39, "%+.1f %%",
                           summary.change);
}

static void write_heading(const struct plot *plot) {
        const struct report *report = plot->report;

        write_text(plot, "ink", 19, "start", 24, 34, "%s by MTU, %s to %s",
                   report->unit == REPORT_SECONDS ? "Time" : "Throughput", report->system.nodename,
                   report->host);
        write_text(plot, "faint", 13, "start", 24, 56, "%s, driver %s, Linux %s, %.10s", report->device,
                   *report->driver ? report->driver : "unknown", report->system.release, report->date);
        if (report->command)
                write_text(plot, "faint", 13, "start", 24, 73, "%zu rounds of %s", report->n_blocks,
                           report->command);
        else
                write_text(plot, "faint", 13, "start", 24, 73, "iperf3 %s, %zu rounds of %u s, method %s",
                           report->iperf3, report->n_blocks, report->seconds,
                           report->is_mtu ? "mtu" : "mss");
}

/* The colours of the ways, if there are several: then all of them. */
static void write_key(const struct plot *plot) {
        bool has_best = plot->report->conclusion.kind == CONCLUSION_BEST;

        for (enum report_figure way = 0; plot->n_ways > 1 && way < REPORT_WAYS; way++) {
                double x = LEFT + 6 + 56.0 * (int)way;

                fprintf(plot->stream,
                        "<rect class=\"%s%s\" x=\"%.0f\" y=\"%d\" width=\"11\" height=\"11\" "
                        "rx=\"2\"/>\n",
                        report_figure_names[way], has_best ? " best" : "", x, TOP - 24);
                write_text(plot, "faint", 12, "start", x + 16, TOP - 14, "%s", report_figure_names[way]);
        }
}

void report_write_svg(const struct report *report, FILE *stream) {
        struct plot plot = { .report = report,
                             .stream = stream,
                             .unit = &report_units[report->unit],
                             .n_ways = report->judged - report->first_way + 1 };
        char conclusion[REPORT_TEXT_SIZE], detail[REPORT_TEXT_SIZE];
        double largest = 0, step;

        report_conclusion(report, conclusion);
        report_detail(report, detail);
        for (size_t size = 0; size < report->n_sizes; size++)
                for (enum report_figure way = report->first_way; way <= report->judged; way++) {
                        const struct report_summary summary = report_summarise(report, size, way);

                        largest = fmax(largest, summary.mean + summary.half);
                }
        step = step_for(largest / plot.unit->factor);
        plot.largest = ceil(largest / plot.unit->factor / step * 1.03) * step;
        plot.group = (double)PLOT_WIDTH / (double)report->n_sizes;
        plot.bar = fmin(plot.group * 0.72, 130 * sqrt((double)plot.n_ways)) / ((double)plot.n_ways * 1.04);

        fprintf(stream,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
                "role=\"img\">\n<title>%s</title>\n",
                WIDTH, HEIGHT, WIDTH, HEIGHT, conclusion);
        fputs(style, stream);
        fprintf(stream, "<rect class=\"back\" width=\"%d\" height=\"%d\" rx=\"10\"/>\n", WIDTH, HEIGHT);
        write_heading(&plot);
        write_axis(&plot, step);
        write_key(&plot);
        for (size_t size = 0; size < report->n_sizes; size++)
                write_group(&plot, size);
        write_text(&plot, "ink", 14, "start", 24, HEIGHT - 54, "%s", conclusion);
        write_text(&plot, "ink", 13, "start", 24, HEIGHT - 35, "%s", detail);
        write_text(&plot, "faint", 11.5, "start", 24, HEIGHT - 14,
                   "Bars are means with their 95 %% confidence interval; percentages are against %u.",
                   report->mtus[report->reference]);
        fputs("</svg>\n", stream);
}
