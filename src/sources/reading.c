/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/reading.h"

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

/* One number with its unit. Fractions and sums, which systemd takes too, nobody writes for an MTU. */
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

uint32_t value_read(const char *value, enum value_rule rule, const char **ret_unclear) {
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

/* False: out of memory. */
static bool copy(char **ret, const char *text) {
        if (!text)
                return true;
        *ret = strdup(text);
        return *ret != NULL;
}

int reading_add(const struct reading *reading, enum value_rule rule, const struct draft *draft) {
        struct finding finding = {
                .source = draft->source,
                .match = draft->match,
                .line = draft->line,
                .mtu = draft->mtu,
                .inactive = reading->inactive || draft->inactive,
                .conditional = draft->conditional,
                .up = draft->up,
                .through_line = draft->through_line,
        };
        const char *unclear = draft->unclear;
        bool is_done;

        if (draft->value && !unclear && finding.mtu == 0)
                finding.mtu = value_read(draft->value, rule, &unclear);
        if (finding.mtu > 0)
                unclear = NULL;
        is_done = copy(&finding.device, draft->device) &&
                  copy(&finding.file, draft->file ? draft->file : reading->file) &&
                  copy(&finding.value, draft->value) && copy(&finding.unclear, unclear) &&
                  copy(&finding.owner, draft->owner ? draft->owner : reading->owner) &&
                  copy(&finding.through, draft->through) && copy(&finding.parent, draft->parent);
        if (is_done)
                return findings_add(reading->findings, finding);
        {
                struct findings lost = { 0 };

                if (findings_add(&lost, finding) == 0)
                        findings_free(&lost);
        }
        return -ENOMEM;
}

__attribute__((format(printf, 4, 0))) static void report(const struct reading *reading,
                                                         enum diagnostic_severity severity, unsigned line,
                                                         const char *format, va_list arguments) {
        char text[512];

        vsnprintf(text, sizeof(text), format, arguments);
        diagnostic_report(reading->sink, severity, reading->file, line, NULL, "%s", text);
}

void reading_fail(const struct reading *reading, unsigned line, const char *format, ...) {
        va_list arguments;

        va_start(arguments, format);
        report(reading, DIAGNOSTIC_ERROR, line, format, arguments);
        va_end(arguments);
}

void reading_warn(const struct reading *reading, unsigned line, const char *format, ...) {
        va_list arguments;

        va_start(arguments, format);
        report(reading, DIAGNOSTIC_WARNING, line, format, arguments);
        va_end(arguments);
}
