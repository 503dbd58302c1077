/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/unit_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool stays(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == ':' ||
               c == '_' || c == '.';
}

void unit_name_escape(const char *name, char *escaped) {
        for (; *name; name++) {
                if (stays(*name))
                        *escaped++ = *name;
                else if (*name == '/')
                        *escaped++ = '-';
                else
                        escaped += sprintf(escaped, "\\x%02x", (unsigned char)*name);
        }
        *escaped = '\0';
}

bool unit_name_unescape(const char *escaped, char *name, size_t size) {
        size_t used = 0;

        while (*escaped) {
                char c = *escaped++;

                if (c == '-')
                        c = '/';
                else if (c == '\\') {
                        char digits[3] = "";

                        if (*escaped != 'x' || strspn(escaped + 1, "0123456789abcdefABCDEF") < 2)
                                return false;
                        memcpy(digits, escaped + 1, 2);
                        c = (char)strtol(digits, NULL, 16);
                        if (c == '\0')
                                return false;
                        escaped += 3;
                }
                if (used + 1 >= size)
                        return false;
                name[used++] = c;
        }
        name[used] = '\0';
        return true;
}
