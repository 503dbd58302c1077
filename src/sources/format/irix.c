/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "sources/format/readers.h"

/* Finds the name in ifNname=tg1 of netif.options. NULL: there is none. */
static const char *find_name(const struct source_parser *parser, unsigned long number) {
        const char *key = pool_print(source_pool(parser), "if%luname", number), *found = NULL;
        struct lines lines = lines_open(source_pool(parser), parser->beside ? parser->beside : "",
                                        parser->beside_size, false);

        while (lines_next(&lines)) {
                const char *value;

                if (*lines.line == '#' || *lines.line == ':')
                        continue;
                value = lines_split(lines.line, '=');
                if (value && strcmp(lines.line, key) == 0)
                        found = value;
        }
        return found;
}

void source_irix_read(const struct source_parser *parser) {
        const char *digits = text_after(text_base_name(parser->file), "ifconfig-");
        unsigned long number = digits ? strtoul(digits, NULL, 10) : 0;
        const char *name = find_name(parser, number);
        struct mtu_source source = { .kind = SOURCE_IRIX, .match = MATCH_NAME, .device = name };
        struct lines lines = source_lines(parser, true);

        if (!name)
                match_set(&source, MATCH_OTHER,
                          pool_print(source_pool(parser), "interface %lu of netif.options", number));
        while (lines_next(&lines)) {
                char *rest = lines.line, *word;

                source.line = lines.number;
                while (*lines.line != '#' && (word = lines_word(&rest)))
                        if (strcmp(word, "mtu") == 0 && (source.value = lines_word(&rest)))
                                source_add(parser, VALUE_DECIMAL, &source);
        }
}
