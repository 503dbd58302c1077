/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/time_span.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool time_span_parse(const char *text, unsigned largest_s, unsigned *ret_s) {
        static const struct {
                const char *name;
                unsigned seconds;
        } units[] = { { "", 1 }, { "s", 1 }, { "min", 60 }, { "h", 3600 }, { "d", 86400 } };
        char *end;
        unsigned long number;

        if (*text < '0' || *text > '9')
                return false;
        errno = 0;
        number = strtoul(text, &end, 10);
        for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
                if (strcmp(end, units[i].name) == 0 && errno == 0 && number >= 1 &&
                    number <= largest_s / units[i].seconds) {
                        *ret_s = (unsigned)number * units[i].seconds;
                        return true;
                }
        return false;
}
