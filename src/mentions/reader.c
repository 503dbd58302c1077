/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "mentions/reader.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "config/interface_name.h"
#include "config/mtu_spec.h"

/* In all, so that the cost of a hostile file has a bound. */
#define MENTIONS_MAX 2048
#define TEXT_MAX 512

char *reader_next_line(struct reader *reader) {
        char *line, *end;
        bool is_comment;

        if (!reader->copy)
                reader->copy = reader->rest = pool_copy(reader_pool(reader), reader->text);
        do {
                line = reader->rest;
                if (!*line)
                        return NULL;
                is_comment = line[strspn(line, " \t")] == '#';
                reader->line = reader->next_number;
                reader->at = reader->text + (line - reader->copy);
                do {
                        end = reader->rest + strcspn(reader->rest, "\n");
                        reader->rest = end + (*end ? 1 : 0);
                        reader->next_number++;
                        if (is_comment || !*end || end == line || end[-1] != '\\')
                                break;
                        end[-1] = *end = ' ';
                } while (*reader->rest);
        } while (is_comment);
        *end = '\0';
        return text_trim(line);
}

char *reader_quoted_word(char **rest) {
        char *from = *rest + strspn(*rest, TEXT_SPACE), *word = from, *to = from, quote = '\0';

        for (; *from && (quote || !strchr(TEXT_SPACE, *from)); from++)
                if (quote ? *from == quote : *from == '"' || *from == '\'')
                        quote = quote ? '\0' : *from;
                else
                        *to++ = *from;
        *rest = from + (*from ? 1 : 0);
        *to = '\0';
        return word;
}

static uint32_t parse_number(const char *number) {
        unsigned long mtu;
        char *end;

        number = number ? number + strspn(number, " \t") : "";
        if (strspn(number, "0123456789") == 0)
                return 0;
        mtu = strtoul(number, &end, 10);
        return mtu <= MTU_LARGEST && strchr(" \t;\"'", *end) ? (uint32_t)mtu : 0;
}

/* A device's name has no expansions of a shell or of systemd; one that is too long, or not a name, is none.
 */
static void set_device(struct reader *reader, struct mention *mention, const char *device) {
        if (!device || !*device || strpbrk(device, " \t\v\f$`%\\\"'(){}") ||
            (!strpbrk(device, "*?[") && interface_name_fault(device)) ||
            strlen(device) > 4 * INTERFACE_NAME_SIZE)
                return;
        mention->device = pool_copy(reader_pool(reader), device);
        mention->is_pattern = strpbrk(device, "*?[");
}

struct mention *reader_add(struct reader *reader, const char *device, const char *number) {
        struct mentions *mentions = reader->mentions;
        struct mention *mention = mentions->n_items < MENTIONS_MAX
                                                  ? pool_add(&mentions->pool, &mentions->items,
                                                             &mentions->n_items, sizeof(*mention))
                                                  : NULL;
        size_t size;

        if (!mention)
                return NULL;
        *mention = (struct mention){ .file = reader->file,
                                     .line = reader->line,
                                     .mtu = parse_number(number),
                                     .place = reader->place };
        size = strcspn(reader->at, "\n");
        mention->text = text_trim(
                        pool_copy_part(&mentions->pool, reader->at, size < TEXT_MAX ? size : TEXT_MAX));
        set_device(reader, mention, device);
        return mention;
}

void reader_set_devices(struct reader *reader, size_t first, const char *devices) {
        char *rest = pool_copy(reader_pool(reader), devices), *word;
        size_t end = reader->mentions->n_items;

        for (bool is_first = true; (word = strtok_r(rest, TEXT_SPACE ",;", &rest)); is_first = false) {
                for (size_t i = first; i < end; i++) {
                        struct mention copy = reader->mentions->items[i], *mention;

                        mention = is_first ? &reader->mentions->items[i] : reader_add(reader, NULL, NULL);
                        if (!is_first && mention)
                                *mention = copy;
                        if (mention && (!is_first || !mention->device))
                                set_device(reader, mention, word);
                }
        }
}
