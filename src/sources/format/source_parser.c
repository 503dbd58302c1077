/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/format/source_parser.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS "0123456789"

static uint32_t read_decimal(const char *value, const char **ret_unclear) {
        size_t digits = strspn(value, DIGITS);
        unsigned long long number;

        *ret_unclear = "is not a number";
        if (digits == 0 || value[digits])
                return 0;
        errno = 0;
        number = strtoull(value, NULL, 10);
        *ret_unclear = number == 0 ? "is no MTU" : "is more than any MTU";
        return errno || number > INT32_MAX ? 0 : (uint32_t)number;
}

static uint32_t read_c(const char *value, const char **ret_unclear) {
        unsigned long long number;
        char *end;

        *ret_unclear = "is not a number";
        if (!strchr(DIGITS, *value) || !*value)
                return 0;
        errno = 0;
        number = strtoull(value, &end, 0);
        if (*end)
                return 0;
        *ret_unclear = number == 0 ? "is no MTU" : "is more than any MTU";
        return errno || number > INT32_MAX ? 0 : (uint32_t)number;
}

/* One number with its unit. Fractions and sums, which systemd takes too, are not written for an MTU. */
static uint32_t read_size(const char *value, const char **ret_unclear) {
        static const char units[] = "BKMG";
        size_t digits = strspn(value, DIGITS);
        const char *unit = value + digits, *known;
        unsigned long long number;

        *ret_unclear = "is not a number of bytes";
        if (digits == 0)
                return 0;
        errno = 0;
        number = strtoull(value, NULL, 10);
        unit += strspn(unit, " \t");
        known = *unit ? strchr(units, *unit) : units;
        if (!known || (*unit && unit[1]))
                return 0;
        *ret_unclear = number == 0 ? "is no MTU" : "is more than any MTU";
        if (errno || number > INT32_MAX)
                return 0;
        number <<= 10 * (known - units);
        return number > INT32_MAX ? 0 : (uint32_t)number;
}

uint32_t source_value_read(const char *value, enum value_rule rule, const char **ret_unclear) {
        switch (rule) {
        case VALUE_C:
                return read_c(value, ret_unclear);
        case VALUE_SIZE:
                return read_size(value, ret_unclear);
        case VALUE_DECIMAL:
                break;
        }
        return read_decimal(value, ret_unclear);
}

void source_add(const struct source_parser *parser, enum value_rule rule, const struct mtu_source *source) {
        struct mtu_source made = *source;

        made.inactive |= parser->inactive;
        if (!made.file)
                made.file = parser->file;
        if (!made.owner)
                made.owner = parser->owner;
        if (made.value && !made.unclear && made.mtu == 0)
                made.mtu = source_value_read(made.value, rule, &made.unclear);
        if (made.mtu > 0)
                made.unclear = NULL;
        mtu_sources_add(parser->sources, &made);
}

struct pool *source_pool(const struct source_parser *parser) {
        return &parser->sources->pool;
}

struct lines source_lines(const struct source_parser *parser, bool joins) {
        return lines_open(source_pool(parser), parser->text, parser->size, joins);
}

__attribute__((format(printf, 4, 0))) static void report(const struct source_parser *parser,
                                                         enum diagnostic_severity severity, unsigned line,
                                                         const char *format, va_list arguments) {
        char text[512];

        vsnprintf(text, sizeof(text), format, arguments);
        diagnostic_report(parser->sink, severity, parser->file, line, NULL, "%s", text);
}

void source_fail(const struct source_parser *parser, unsigned line, const char *format, ...) {
        va_list arguments;

        va_start(arguments, format);
        report(parser, DIAGNOSTIC_ERROR, line, format, arguments);
        va_end(arguments);
}

void source_warn(const struct source_parser *parser, unsigned line, const char *format, ...) {
        va_list arguments;

        va_start(arguments, format);
        report(parser, DIAGNOSTIC_WARNING, line, format, arguments);
        va_end(arguments);
}
