/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Mistakes in a configuration, reported to the code that has it read. A mistake is never an errno: reading
 * continues, and the program decides what to print. */

#include <stdbool.h>

enum diagnostic_severity {
        DIAGNOSTIC_ERROR,   /* the line has no effect */
        DIAGNOSTIC_WARNING, /* the line takes effect, perhaps not as intended */
};

/* Valid during the call of `report` only. */
struct diagnostic {
        enum diagnostic_severity severity;
        const char *file; /* as the user knows it, without SETMTU_ROOT */
        unsigned line;    /* counted from 1; 0: not known, or the file as a whole */
        bool whole_file;  /* the file could not be read and is not used */
        const char *name; /* the interface concerned, or NULL */
        const char *text; /* one sentence or more in UTF-8, without a newline */
};

struct diagnostic_sink {
        void (*report)(void *userdata, const struct diagnostic *diagnostic);
        void *userdata;
};

/* A sink that ignores mistakes, which are reported elsewhere. */
extern const struct diagnostic_sink diagnostic_silent;

/* FILE:LINE: error: text, as compilers print it. Returns `buffer`. */
#define DIAGNOSTIC_TEXT_SIZE 1024
const char *diagnostic_format(char buffer[static DIAGNOSTIC_TEXT_SIZE], const struct diagnostic *diagnostic);
#define DIAGNOSTIC_FORMAT(diagnostic) diagnostic_format((char[DIAGNOSTIC_TEXT_SIZE]){ 0 }, diagnostic)

/* Reports one. `format` is as for printf(3); what does not fit into a generous buffer is cut. */
__attribute__((format(printf, 6, 7))) void diagnostic_report(const struct diagnostic_sink *sink,
                                                             enum diagnostic_severity severity,
                                                             const char *file, unsigned line,
                                                             const char *name, const char *format, ...);

/* Reports that `file` could not be read. */
__attribute__((format(printf, 3, 4))) void diagnostic_report_file(const struct diagnostic_sink *sink,
                                                                  const char *file, const char *format, ...);
