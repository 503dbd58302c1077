/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The picture: a group of bars per size. Each bar has its mean's confidence interval and a dot per run. */

#include <math.h>
#include <string.h>

#include "base/cleanup.h"
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
/* Bars narrower than this have no room for a number each, or for dots. */
#define VALUE_WIDTH 40
#define DOTS_WIDTH 20
/* Characters that fit on a line, with some margin. */
#define TEXT_MOST 84

/* Light colours first: a renderer without media queries draws the light picture. */
static const char style[] =
                "<style>\n"
                "text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif}\n"
                ".back{fill:#ffffff}.ink{fill:#1b2530}.faint{fill:#5d6b79}.grid{stroke:#dfe4ea}\n"
                ".axis{stroke:#8a97a5}.out{fill:#9db4cc}.in{fill:#c9b79c}.both{fill:#a9b8a4}\n"
                ".out.best{fill:#2f6fb3}.in.best{fill:#b3782f}.both.best{fill:#3f8f5b}\n"
                ".error{stroke:#1b2530}.dot{fill:#1b2530;fill-opacity:.4;stroke:#ffffff;stroke-opacity:.5}\n"
                ".value{fill:#1b2530;stroke:#ffffff;stroke-width:3.5;paint-order:stroke;stroke-linejoin:"
                "round}\n"
                "@media (prefers-color-scheme:dark){\n"
                ".back{fill:#12171d}.ink{fill:#e8edf2}.faint{fill:#9aa7b4}.grid{stroke:#2a333d}\n"
                ".axis{stroke:#5d6b79}.out{fill:#40566d}.in{fill:#675740}.both{fill:#4a5a48}\n"
                ".out.best{fill:#5b9fe6}.in.best{fill:#e0a558}.both.best{fill:#63bd83}\n"
                ".error{stroke:#e8edf2}.dot{fill:#e8edf2;fill-opacity:.45;stroke:#12171d}\n"
                ".value{fill:#e8edf2;stroke:#12171d}}\n"
                "</style>\n";

/* Writes text escaped for XML (XML 1.0, 2.2 and 2.4), cut if it does not fit, with what is before and after
 * it; nothing for NULL. */
static void write_text(const char *before, const char *text, const char *after, FILE *stream) {
        static const char special[] = "&<>\"";
        static const char *const escapes[] = { "&amp;", "&lt;", "&gt;", "&quot;" };
        size_t size = text ? strlen(text) : 0, shown = 0;

        fputs(text ? before : "", stream);
        while (size > 0) {
                const char *found = strchr(special, *text);
                bool is_plain;
                size_t length = text_next(text, size, &is_plain);

                if (shown++ == TEXT_MOST) {
                        fputs("\xe2\x80\xa6", stream);
                        break;
                }
                if (found)
                        fputs(escapes[found - special], stream);
                else if (!is_plain || (length == 3 && memcmp(text, "\xef\xbf\xbe", 3) >= 0 &&
                                       memcmp(text, "\xef\xbf\xbf", 3) <= 0))
                        fputs("\xef\xbf\xbd", stream);
                else
                        fwrite(text, 1, length, stream);
                text += length;
                size -= length;
        }
        fputs(text ? after : "", stream);
}

/* 1, 2 or 5 times a power of ten: at most six steps up to the largest value. */
static double step_for(double largest) {
        double power = pow(10, floor(log10(largest / 6)));
        static const double factors[] = { 1, 2, 5 };

        for (size_t i = 0; i < 3; i++)
                if (largest / (factors[i] * power) <= 6)
                        return factors[i] * power;
        return 10 * power;
}

struct plot {
        const struct report *report;
        FILE *stream;
        struct report_scale scale;
        double largest; /* end of the axis, in the unit shown */
        double group;   /* width for a size */
        double bar;
        size_t n_ways;
};

static double y_of(const struct plot *plot, double value) {
        double part = value / plot->scale.factor / plot->largest;

        return TOP + PLOT_HEIGHT * (1 - fmin(fmax(part, 0), 1.05));
}

static void write_axis(const struct plot *plot, double step) {
        FILE *stream = plot->stream;

        for (unsigned i = 0; i * step <= plot->largest * 1.0001; i++) {
                double value = i * step, y = y_of(plot, value * plot->scale.factor);

                fprintf(stream, "<line class=\"%s\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>\n",
                        value > 0 ? "grid" : "axis", LEFT, WIDTH - RIGHT, y, y);
                fprintf(stream,
                        "<text class=\"faint\" x=\"%d\" y=\"%.1f\" font-size=\"12\" "
                        "text-anchor=\"end\">%.6g</text>\n",
                        LEFT - 8, y + 4, value);
        }
        fprintf(stream,
                "<text class=\"faint\" x=\"%d\" y=\"%d\" font-size=\"12\" text-anchor=\"end\">%s</text>\n",
                LEFT - 8, TOP - 14, plot->scale.unit);
}

/* The largest value drawn for a size: a run, or the interval's end. */
static double peak_of(const struct report *report, size_t size, enum report_way way) {
        const struct report_summary *summary = &report->summaries[size][way];
        double peak = summary->mean + summary->half;

        for (size_t block = 0; block < report->n_blocks; block++)
                peak = fmax(peak, report->runs[size][block].values[way]);
        return peak;
}

/* The label is above all that is drawn below it; a wide label reaches over the bars on either side. */
static void write_label(const struct plot *plot, size_t size, enum report_way way, double middle) {
        const struct report *report = plot->report;
        double value = report->summaries[size][way].mean / plot->scale.factor,
               peak = peak_of(report, size, way);
        bool is_wide = plot->bar < VALUE_WIDTH;

        for (enum report_way other = report->first_way; is_wide && other <= report->judged; other++)
                peak = fmax(peak, peak_of(report, size, other));
        if (!is_wide || way == report->judged)
                fprintf(plot->stream,
                        "<text class=\"value\" x=\"%.1f\" y=\"%.1f\" font-size=\"12\" "
                        "text-anchor=\"middle\">%.*f</text>\n",
                        middle, y_of(plot, peak) - 8,
                        value < 10    ? 2
                        : value < 100 ? 1
                                      : 0,
                        value);
}

static void write_bar(const struct plot *plot, size_t size, enum report_way way, double x) {
        const struct report *report = plot->report;
        const struct report_summary *summary = &report->summaries[size][way];
        bool is_best = report->conclusion.kind != CONCLUSION_BEST || report->conclusion.winner == size;
        double top = y_of(plot, summary->mean), middle = x + plot->bar / 2;
        double low = y_of(plot, summary->mean - summary->half),
               high = y_of(plot, summary->mean + summary->half), cap = fmin(8, plot->bar / 5);
        FILE *stream = plot->stream;

        fprintf(stream, "<g><title>MTU %u, %s: %.6g \xc2\xb1 %.3g %s</title>\n", report->mtus[size],
                report_way_name(way), summary->mean / plot->scale.factor, summary->half / plot->scale.factor,
                plot->scale.unit);
        fprintf(stream,
                "<rect class=\"%s%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"3\"/>\n",
                report_way_name(way), is_best ? " best" : "", x, top, plot->bar, TOP + PLOT_HEIGHT - top);
        /* Side by side: equal runs would coincide. */
        for (size_t block = 0; plot->bar >= DOTS_WIDTH && block < report->n_blocks; block++)
                fprintf(stream, "<circle class=\"dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"2.4\"/>\n",
                        x + plot->bar * (0.15 + 0.7 * ((double)block + 0.5) / (double)report->n_blocks),
                        y_of(plot, report->runs[size][block].values[way]));
        fprintf(stream,
                "<path class=\"error\" fill=\"none\" stroke-width=\"1.6\" d=\"M%.1f %.1fV%.1fM%.1f "
                "%.1fh%.1fM%.1f %.1fh%.1f\"/>\n",
                middle, low, high, middle - cap, low, 2 * cap, middle - cap, high, 2 * cap);
        write_label(plot, size, way, middle);
        fputs("</g>\n", stream);
}

static void write_group(const struct plot *plot, size_t size) {
        const struct report *report = plot->report;
        double begin = LEFT + plot->group * (double)size, used = plot->bar * 1.04 * (double)plot->n_ways;
        double middle = begin + plot->group / 2, x = middle - used / 2, change;
        const struct report_summary *summary = &report->summaries[size][report->judged];

        for (enum report_way way = report->first_way; way <= report->judged; way++) {
                write_bar(plot, size, way, x + plot->bar * 0.02);
                x += plot->bar * 1.04;
        }
        fprintf(plot->stream,
                "<text class=\"ink\" x=\"%.1f\" y=\"%d\" font-size=\"14\" font-weight=\"600\" "
                "text-anchor=\"middle\">%u</text>\n",
                middle, TOP + PLOT_HEIGHT + 22, report->mtus[size]);
        if (size != report->reference && report_change(report, summary, &change))
                fprintf(plot->stream,
                        "<text class=\"faint\" x=\"%.1f\" y=\"%d\" font-size=\"12\" "
                        "text-anchor=\"middle\">%+.1f %%</text>\n",
                        middle, TOP + PLOT_HEIGHT + 39, change);
}

static void write_heading(const struct report *report, FILE *stream) {
        fputs("<text class=\"ink\" x=\"24\" y=\"34\" font-size=\"19\" font-weight=\"600\">", stream);
        fputs(report->unit == REPORT_SECONDS ? "Time by MTU" : "Throughput by MTU", stream);
        write_text(", ", report->here, "", stream);
        write_text(" to ", report->host, "", stream);
        fputs("</text>\n<text class=\"faint\" x=\"24\" y=\"56\" font-size=\"13\">", stream);
        write_text("", report->device, "", stream);
        write_text(" (", report->driver, ")", stream);
        write_text(", Linux ", report->kernel, "", stream);
        fprintf(stream, ", %.10s</text>\n<text class=\"faint\" x=\"24\" y=\"73\" font-size=\"13\">",
                report->date);
        if (report->command) {
                write_text("", report->command, "", stream);
                fprintf(stream, ", %zu rounds", report->n_blocks);
        } else
                fprintf(stream, "iperf3 %s, %zu rounds of %u s, method %s", report->iperf3, report->n_blocks,
                        report->seconds, report->method);
        fputs("</text>\n", stream);
}

static void write_key(const struct plot *plot) {
        static const char *const texts[REPORT_WAYS] = { "out", "in", "both together" };
        double x = LEFT + 6;

        /* Several ways are all. */
        for (enum report_way way = 0; plot->n_ways > 1 && way < REPORT_WAYS; way++, x += 56)
                fprintf(plot->stream,
                        "<rect class=\"%s best\" x=\"%.0f\" y=\"%d\" width=\"11\" height=\"11\" "
                        "rx=\"2\"/><text class=\"faint\" x=\"%.0f\" y=\"%d\" "
                        "font-size=\"12\">%s</text>\n",
                        report_way_name(way), x, TOP - 24, x + 16, TOP - 14, texts[way]);
}

void report_write_svg(const struct report *report, FILE *stream) {
        struct plot plot = { .report = report,
                             .stream = stream,
                             .scale = report_scale(report),
                             .n_ways = report->judged - report->first_way + 1 };
        double largest = 0, step;
        CLEANUP(pool_free) struct pool pool = { 0 };
        const char *conclusion = report_conclusion(&pool, report), *detail = report_detail(&pool, report);

        for (size_t size = 0; size < report->n_sizes; size++)
                for (enum report_way way = report->first_way; way <= report->judged; way++)
                        largest = fmax(largest, peak_of(report, size, way));
        step = step_for(largest / plot.scale.factor);
        plot.largest = ceil(largest / plot.scale.factor / step * 1.03) * step;
        plot.group = (double)PLOT_WIDTH / (double)report->n_sizes;
        plot.bar = fmin(plot.group * 0.72, 130 * sqrt((double)plot.n_ways)) / ((double)plot.n_ways * 1.04);

        fprintf(stream,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
                "role=\"img\">\n",
                WIDTH, HEIGHT, WIDTH, HEIGHT);
        fprintf(stream, "<title>%s</title>\n", conclusion);
        fputs(style, stream);
        fprintf(stream, "<rect class=\"back\" width=\"%d\" height=\"%d\" rx=\"10\"/>\n", WIDTH, HEIGHT);
        write_heading(report, stream);
        write_axis(&plot, step);
        write_key(&plot);
        for (size_t size = 0; size < report->n_sizes; size++)
                write_group(&plot, size);
        fprintf(stream,
                "<text class=\"ink\" x=\"24\" y=\"%d\" font-size=\"14\" font-weight=\"600\">%s</text>\n"
                "<text class=\"ink\" x=\"24\" y=\"%d\" font-size=\"13\">%s",
                HEIGHT - 54, conclusion, HEIGHT - 35, detail);
        fprintf(stream,
                "</text>\n<text class=\"faint\" x=\"24\" y=\"%d\" font-size=\"11.5\">Bars are means, with "
                "their 95 %% confidence interval; dots are single runs; %% is against %u.</text>\n</svg>\n",
                HEIGHT - 14, report->mtus[report->reference]);
}
