/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "output/openmetrics.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

void openmetrics_begin(const char *family, const char *help) {
        printf("# TYPE %s gauge\n# HELP %s %s\n", family, family, help);
}

/* Escapes the characters that both formats name. */
static void print_value(const char *value) {
        char escaped[1024];
        const char *c = text_is_utf8(value, strlen(value))
                                        ? value
                                        : text_for_terminal(escaped, sizeof(escaped), value);

        for (; *c; c++)
                if (*c == '\n')
                        fputs("\\n", stdout);
                else
                        printf("%s%c", *c == '"' || *c == '\\' ? "\\" : "", *c);
}

void openmetrics_add(const char *family, uint32_t value, ...) {
        const char *name, *before = "{";
        va_list labels;

        fputs(family, stdout);
        va_start(labels, value);
        for (; (name = va_arg(labels, const char *)) != NULL; before = ",") {
                printf("%s%s=\"", before, name);
                print_value(va_arg(labels, const char *));
                putchar('"');
        }
        va_end(labels);
        printf("%s %u\n", *before == ',' ? "}" : "", value);
}

void openmetrics_end(void) {
        puts("# EOF");
}
