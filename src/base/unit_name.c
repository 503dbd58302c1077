/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/unit_name.h"

static bool stays(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == ':' ||
               c == '_' || c == '.';
}

void unit_name_escape(const char *name, char *escaped) {
        static const char hex[] = "0123456789abcdef";

        for (; *name; name++) {
                if (stays(*name))
                        *escaped++ = *name;
                else if (*name == '/')
                        *escaped++ = '-';
                else {
                        unsigned char byte = (unsigned char)*name;
                        *escaped++ = '\\';
                        *escaped++ = 'x';
                        *escaped++ = hex[byte >> 4];
                        *escaped++ = hex[byte & 0xf];
                }
        }
        *escaped = '\0';
}

static int hex_digit(char c) {
        if (c >= '0' && c <= '9')
                return c - '0';
        if (c >= 'a' && c <= 'f')
                return c - 'a' + 10;
        if (c >= 'A' && c <= 'F')
                return c - 'A' + 10;
        return -1;
}

bool unit_name_unescape(const char *escaped, char *name, size_t size) {
        size_t used = 0;

        while (*escaped) {
                char c = *escaped++;

                if (c == '-')
                        c = '/';
                else if (c == '\\') {
                        int high = *escaped == 'x' ? hex_digit(escaped[1]) : -1;
                        int low = high >= 0 ? hex_digit(escaped[2]) : -1;
                        if (low < 0 || (high == 0 && low == 0))
                                return false;
                        c = (char)(high << 4 | low);
                        escaped += 3;
                }
                if (used + 1 >= size)
                        return false;
                name[used++] = c;
        }
        if (used >= size)
                return false;
        name[used] = '\0';
        return true;
}
