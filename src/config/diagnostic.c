/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config/diagnostic.h"

#include <stdarg.h>
#include <stdio.h>

void diagnostic_report(const struct diagnostic_sink *sink, enum diagnostic_severity severity,
                       const char *file, unsigned line, const char *name, const char *format, ...) {
        char text[512];
        va_list arguments;

        va_start(arguments, format);
        vsnprintf(text, sizeof(text), format, arguments);
        va_end(arguments);
        sink->report(sink->userdata, &(const struct diagnostic){
                                                     .severity = severity,
                                                     .file = file,
                                                     .line = line,
                                                     .name = name,
                                                     .text = text,
                                     });
}

void diagnostic_report_file(const struct diagnostic_sink *sink, const char *file, const char *format, ...) {
        char text[512];
        va_list arguments;

        va_start(arguments, format);
        vsnprintf(text, sizeof(text), format, arguments);
        va_end(arguments);
        sink->report(sink->userdata, &(const struct diagnostic){
                                                     .severity = DIAGNOSTIC_ERROR,
                                                     .file = file,
                                                     .whole_file = true,
                                                     .text = text,
                                     });
}
