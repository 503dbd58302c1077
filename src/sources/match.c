/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/match.h"

#include <ctype.h>
#include <string.h>

bool match_read_mac(const char *text, char ret[static MATCH_MAC_SIZE]) {
        char digits[13];
        size_t n = 0, n_separators = 0;
        char separator = '\0';

        for (; *text; text++) {
                if (isxdigit((unsigned char)*text)) {
                        if (n == 12)
                                return false;
                        digits[n++] = (char)tolower((unsigned char)*text);
                        continue;
                }
                if (!strchr(":-.", *text) || (separator && *text != separator) || n == 0 ||
                    n % (*text == '.' ? 4 : 2) != 0)
                        return false;
                separator = *text;
                n_separators++;
        }
        if (n != 12 || n_separators != (separator == '.' ? 2u : separator ? 5u : 0u))
                return false;
        for (size_t i = 0; i < 6; i++) {
                ret[3 * i] = digits[2 * i];
                ret[3 * i + 1] = digits[2 * i + 1];
                ret[3 * i + 2] = i < 5 ? ':' : '\0';
        }
        return true;
}

bool match_is_glob(const char *text) {
        return text[strcspn(text, "*?[")] != '\0';
}
