/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/irix.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "sources/lines.h"

#define PREFIX "ifconfig-"

/* Finds ifNname=tg1. The caller frees. 0 with NULL: it is not said. */
static int find_name(const char *text, size_t size, unsigned long number, char **ret) {
        CLEANUP(cleanup_free) struct lines *lines = malloc(sizeof(*lines));

        if (!lines)
                return -ENOMEM;
        lines_open(lines, text, size, false);
        while (lines_next(lines)) {
                char key[48], *value;

                if (*lines->line == '#' || *lines->line == ':')
                        continue;
                value = lines_split(lines->line, '=');
                snprintf(key, sizeof(key), "if%luname", number);
                if (!value || strcmp(lines->line, key) != 0)
                        continue;
                free(*ret);
                *ret = strdup(value);
                if (!*ret)
                        return -ENOMEM;
        }
        return 0;
}

int source_irix_read(const struct reading *reading, const char *netif, size_t netif_size) {
        CLEANUP(cleanup_free) struct lines *lines = malloc(sizeof(*lines));
        CLEANUP(cleanup_free) char *device = NULL, *other = NULL;
        const char *slash = strrchr(reading->file, '/'), *name = slash ? slash + 1 : reading->file;
        unsigned long number = strncmp(name, PREFIX, strlen(PREFIX)) == 0
                                               ? strtoul(name + strlen(PREFIX), NULL, 10)
                                               : 0;
        int r = lines ? 0 : -ENOMEM;

        if (r == 0 && netif)
                r = find_name(netif, netif_size, number, &device);
        if (r < 0)
                return r;
        if (!device && asprintf(&other, "interface %lu of netif.options", number) < 0) {
                other = NULL;
                return -ENOMEM;
        }
        lines_open(lines, reading->text, reading->size, true);
        while (r == 0 && lines_next(lines)) {
                char *rest = lines->line, *word;

                while (*lines->line != '#' && r == 0 && (word = lines_word(&rest)))
                        if (strcmp(word, "mtu") == 0 && (word = lines_word(&rest)))
                                r = reading_add(reading, VALUE_DECIMAL,
                                                &(struct draft){ .source = SOURCE_IRIX,
                                                                 .match = device ? FINDING_NAME
                                                                                 : FINDING_OTHER,
                                                                 .device = device ? device : other,
                                                                 .line = lines->number,
                                                                 .value = word });
        }
        return r;
}

int source_irix_read_text(const struct reading *reading) {
        return source_irix_read(reading, NULL, 0);
}
