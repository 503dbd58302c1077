/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "mentions/mention.h"
#include "properties.h"

static void fail(const struct mention *mention, const char *text, const char *what) {
        fprintf(stderr, "line %u, %s, device %s, MTU %" PRIu32 ": %s\n---\n%s\n---\n", mention->line,
                mention->text, mention->device ? mention->device : "(none)", mention->mtu, what, text);
        abort();
}

/* The text without what holds words together, or takes them apart. */
static char *without_quotes(const char *text) {
        char *bare = strdup(text), *end = bare;

        if (!bare)
                abort();
        for (; *text; text++)
                if (!strchr("\"'\\\n\r", *text))
                        *end++ = *text;
        *end = '\0';
        return bare;
}

static void check(const struct mention *mention, const char *text, const char *bare) {
        CLEANUP(cleanup_free) char *device = without_quotes(mention->device ? mention->device : "");
        const char *line = text;
        char number[16];

        for (unsigned i = 1; i < mention->line && line; i++) {
                line = strchr(line, '\n');
                line = line ? line + 1 : NULL;
        }
        if (mention->line == 0 || !line)
                fail(mention, text, "there is no such line");
        line += strspn(line, " \t\r\v\f");
        if (strncmp(line, mention->text, strlen(mention->text)) != 0)
                fail(mention, text, "its text is not that of the line");
        snprintf(number, sizeof(number), "%" PRIu32, mention->mtu);
        if (mention->mtu > 0 && !strstr(bare, number))
                fail(mention, text, "the file has no such number");
        /* Docker's daemon has one device. */
        if (mention->device &&
            (!*mention->device ||
             (!strstr(bare, device) && !(strstr(bare, "dockerd") && strcmp(device, "docker0") == 0))))
                fail(mention, text, "the file has no such device");
}

static void read_all(const uint8_t *data, size_t size, enum mention_syntax syntax) {
        CLEANUP(cleanup_free) char *text = strndup((const char *)data, size), *bare = NULL;
        CLEANUP(mentions_free) struct mentions mentions = { 0 };

        if (!text)
                abort();
        bare = without_quotes(text);
        mentions_read(NULL, "file", syntax, text, &mentions);
        if (mentions.pool.failed)
                abort();
        for (size_t i = 0; i < mentions.n_items; i++)
                check(&mentions.items[i], text, bare);
}

void property_mentions_ini(const uint8_t *data, size_t size) {
        read_all(data, size, MENTION_INI);
}

void property_mentions_tree(const uint8_t *data, size_t size) {
        read_all(data, size, MENTION_TREE);
}

void property_mentions_stanzas(const uint8_t *data, size_t size) {
        read_all(data, size, MENTION_STANZAS);
}

void property_mentions_assignments(const uint8_t *data, size_t size) {
        read_all(data, size, MENTION_ASSIGNMENTS);
}

void property_mentions_commands(const uint8_t *data, size_t size) {
        read_all(data, size, MENTION_COMMANDS);
}
