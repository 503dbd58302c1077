/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config/diagnostic.h"

#include <stdio.h>

#include "base/text.h"

#define TEXT_SIZE 512

static void ignore(void *userdata, const struct diagnostic *diagnostic) {
        (void)userdata;
        (void)diagnostic;
}

const struct diagnostic_sink diagnostic_silent = { .report = ignore };

void diagnostic_report(const struct diagnostic_sink *sink, enum diagnostic_severity severity,
                       const char *file, unsigned line, const char *name, const char *format, ...) {
        char text[TEXT_SIZE];

        TEXT_FORMAT(text, sizeof(text), format);
        sink->report(sink->userdata, &(struct diagnostic){ severity, file, line, false, name, text });
}

void diagnostic_report_file(const struct diagnostic_sink *sink, const char *file, const char *format, ...) {
        char text[TEXT_SIZE];

        TEXT_FORMAT(text, sizeof(text), format);
        sink->report(sink->userdata, &(struct diagnostic){ DIAGNOSTIC_ERROR, .file = file,
                                                           .whole_file = true, .text = text });
}

const char *diagnostic_format(char buffer[static DIAGNOSTIC_TEXT_SIZE],
                              const struct diagnostic *diagnostic) {
        const char *word = diagnostic->severity == DIAGNOSTIC_ERROR ? "error" : "warning";
        char place[TEXT_PLACE_SIZE];

        snprintf(buffer, DIAGNOSTIC_TEXT_SIZE, "%s: %s: %s",
                 text_place(place, diagnostic->file, diagnostic->line), word, diagnostic->text);
        return buffer;
}
