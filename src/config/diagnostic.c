/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config/diagnostic.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/text.h"

/* Fills in the text of `diagnostic` and sends it. */
__attribute__((format(printf, 3, 0))) static void send(const struct diagnostic_sink *sink,
                                                       struct diagnostic diagnostic, const char *format,
                                                       va_list arguments) {
        char text[512];

        vsnprintf(text, sizeof(text), format, arguments);
        diagnostic.text = text;
        sink->report(sink->userdata, &diagnostic);
}

void diagnostic_report(const struct diagnostic_sink *sink, enum diagnostic_severity severity,
                       const char *file, unsigned line, const char *name, const char *format, ...) {
        va_list arguments;

        va_start(arguments, format);
        send(sink, (struct diagnostic){ .severity = severity, .file = file, .line = line, .name = name },
             format, arguments);
        va_end(arguments);
}

void diagnostic_report_file(const struct diagnostic_sink *sink, const char *file, const char *format, ...) {
        va_list arguments;

        va_start(arguments, format);
        send(sink, (struct diagnostic){ .severity = DIAGNOSTIC_ERROR, .file = file, .whole_file = true },
             format, arguments);
        va_end(arguments);
}

const char *diagnostic_format(char buffer[static DIAGNOSTIC_TEXT_SIZE],
                              const struct diagnostic *diagnostic) {
        const char *word = diagnostic->severity == DIAGNOSTIC_ERROR ? "error" : "warning";

        snprintf(buffer, DIAGNOSTIC_TEXT_SIZE, "%s: %s: %s", TEXT_PLACE(diagnostic->file, diagnostic->line),
                 word, diagnostic->text);
        return text_clean(buffer);
}
