/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "output/progress.h"

#include <ctype.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/terminal.h"
#include "base/text.h"

#define TEXT_MOST 160

void progress_open(struct progress *progress) {
        *progress = (struct progress){
                .is_shown = terminal_is_capable(STDERR_FILENO),
                .begin = clock_boottime_s(),
        };
}

void progress_print(const struct progress *progress, const char *format, ...) {
        int columns = terminal_columns(STDERR_FILENO);
        char text[TEXT_MOST], escaped[TEXT_MOST];

        if (!progress->is_shown)
                return;
        TEXT_FORMAT(text, sizeof(text), format);
        fprintf(stderr, "\r\x1b[K%.*s", (columns > 0 ? columns : 80) - 1,
                text_for_terminal(escaped, sizeof(escaped), text));
}

void progress_draw(const struct progress *progress) {
        double passed = clock_boottime_s() - progress->begin, n_done = (double)progress->n_done;
        /* Each remaining item takes the average time so far. */
        unsigned left = n_done > 0 ? (unsigned)(passed / n_done * ((double)progress->n_all - n_done)) : 0;
        char time[32] = "";

        if (n_done > 0)
                snprintf(time, sizeof(time), ", %u:%02u left", left / 60, left % 60);
        progress_print(progress, "%zu of %zu%s: %s", progress->n_done, progress->n_all, time,
                       progress->what);
}

void progress_clear(const struct progress *progress) {
        if (progress->is_shown)
                fputs("\r\x1b[K", stderr);
}

char progress_ask(const char *format, ...) {
        char text[1024], escaped[1024], answer[16] = "";

        TEXT_FORMAT(text, sizeof(text), format);
        (void)fflush(stdout);
        fprintf(stderr, "%s ", text_for_terminal(escaped, sizeof(escaped), text));
        return fgets(answer, sizeof(answer), stdin) ? (char)tolower((unsigned char)*answer) : '\0';
}
