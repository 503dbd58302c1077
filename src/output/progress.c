/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "output/progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/terminal.h"

#define BAR_COLUMNS 24
#define TEXT_MOST 160

void progress_open(struct progress *progress) {
        *progress = (struct progress){
                .is_shown = terminal_is_capable(STDERR_FILENO),
                .begin = clock_boottime_s(),
        };
}

void progress_draw(struct progress *progress) {
        char bar[BAR_COLUMNS + 1], left[40] = "", text[TEXT_MOST];
        int columns = terminal_columns(STDERR_FILENO);
        double passed = clock_boottime_s() - progress->begin;
        size_t full = progress->n_all > 0 ? BAR_COLUMNS * progress->n_done / progress->n_all : 0;

        if (!progress->is_shown)
                return;
        memset(bar, '.', BAR_COLUMNS);
        memset(bar, '#', full);
        bar[BAR_COLUMNS] = '\0';
        if (progress->n_done > 0) {
                /* Each remaining item takes the average time so far. */
                double rate = passed / (double)progress->n_done;
                unsigned seconds = (unsigned)(rate * (double)(progress->n_all - progress->n_done));

                snprintf(left, sizeof(left), ", %u:%02u left", seconds / 60, seconds % 60);
        }
        snprintf(text, sizeof(text), "[%s] %zu of %zu%s  %s", bar, progress->n_done, progress->n_all, left,
                 progress->what);
        fprintf(stderr, "\r\x1b[K%.*s", (columns > 0 ? columns : 80) - 1, text);
        progress->is_drawn = true;
}

void progress_clear(struct progress *progress) {
        if (progress->is_drawn)
                fputs("\r\x1b[K", stderr);
        progress->is_drawn = false;
}
