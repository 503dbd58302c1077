/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/keyfile.h"

#include <stdio.h>
#include <string.h>

void keyfile_open(struct keyfile *ret, const char *text, size_t size) {
        lines_open(&ret->lines, text, size, false);
        ret->group[0] = '\0';
        ret->key = ret->value = NULL;
        ret->line = 0;
}

bool keyfile_next(struct keyfile *keyfile) {
        while (lines_next(&keyfile->lines)) {
                char *line = keyfile->lines.line;
                size_t length = strlen(line);

                if (line[0] == '#' || line[0] == ';')
                        continue;
                if (line[0] == '[' && line[length - 1] == ']') {
                        snprintf(keyfile->group, sizeof(keyfile->group), "%.*s", (int)(length - 2),
                                 line + 1);
                        continue;
                }
                keyfile->value = lines_split(line, '=');
                keyfile->key = line;
                keyfile->line = keyfile->lines.number;
                if (keyfile->value)
                        return true;
        }
        return false;
}

void keyfile_unescape(char *value) {
        static const char codes[] = "stnr\\", characters[] = " \t\n\r\\";
        char *to = value;

        for (; *value; value++) {
                const char *code = *value == '\\' && value[1] ? strchr(codes, value[1]) : NULL;

                *to++ = code ? characters[code - codes] : *value;
                value += code ? 1 : 0;
        }
        *to = '\0';
}
