/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/parser/keyfile.h"

#include <string.h>

struct keyfile keyfile_read(const struct source_parser *parser) {
        struct lines lines = source_lines(parser, false);
        struct keyfile keyfile = { 0 };
        const char *group = "";

        while (lines_next(&lines)) {
                char *line = lines.line, *value;
                size_t length = strlen(line);

                if (line[0] == '#' || line[0] == ';')
                        continue;
                if (line[0] == '[' && line[length - 1] == ']') {
                        line[length - 1] = '\0';
                        group = line + 1;
                        continue;
                }
                value = lines_split(line, '=');
                if (!value)
                        continue;
                if (keyfile.n_items == SOURCES_MAX) {
                        source_fail(parser, lines.number, "is the one after %u settings" SOURCE_CUT,
                                    SOURCES_MAX);
                        break;
                }
                pool_put(source_pool(parser), &keyfile.items, &keyfile.n_items,
                         &(struct keyfile_item){ group, line, value, parser->file, lines.number },
                         sizeof(struct keyfile_item));
        }
        return keyfile;
}

const struct keyfile_item *keyfile_find(const struct keyfile *keyfile, const char *group, const char *key) {
        for (size_t i = keyfile->n_items; i > 0; i--)
                if (strcmp(keyfile->items[i - 1].group, group) == 0 &&
                    strcmp(keyfile->items[i - 1].key, key) == 0)
                        return &keyfile->items[i - 1];
        return NULL;
}

char *keyfile_get(const struct keyfile *keyfile, const char *group, const char *key) {
        const struct keyfile_item *item = keyfile_find(keyfile, group, key);

        return item ? item->value : NULL;
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
