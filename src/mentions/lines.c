/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/parser/lines.h"

#include <string.h>

#define SPACE " \t\r\n\v\f"

struct lines lines_open(struct pool *pool, const char *text, size_t size, bool joins) {
        struct lines lines = { .next_number = 1, .joins = joins };

        lines.text = pool_copy_part(pool, text, size);
        lines.size = pool->failed ? 0 : size;
        lines.position = lines.size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
        return lines;
}

/* A backslash does not continue a comment: get_line() of ifupdown's config.c, parse_rules_file() of
 * systemd's src/udev/udev-rules.c. */
static bool is_comment(const char *line) {
        return line[strspn(line, " \t")] == '#';
}

bool lines_next(struct lines *lines) {
        char *line = lines->text + lines->position;
        size_t used = 0;
        bool more = true;

        if (lines->position >= lines->size)
                return false;
        lines->number = lines->next_number;
        while (more && lines->position < lines->size) {
                const char *begin = lines->text + lines->position;
                size_t left = lines->size - lines->position;
                const char *end = memchr(begin, '\n', left);
                size_t length = end ? (size_t)(end - begin) : left, keep;

                lines->position += length + (end ? 1 : 0);
                lines->next_number++;
                if (length > 0 && begin[length - 1] == '\r')
                        length--;
                more = lines->joins && length > 0 && begin[length - 1] == '\\' &&
                       !(used == 0 && is_comment(begin));
                if (more)
                        length--;
                keep = length < LINE_SIZE_MAX - 1 - used ? length : LINE_SIZE_MAX - 1 - used;
                memmove(line + used, begin, keep);
                used += keep;
        }
        line[used] = '\0';
        lines->line = lines_trim(line);
        return true;
}

char *lines_trim(char *text) {
        size_t length;

        text += strspn(text, SPACE);
        length = strlen(text);
        while (length > 0 && strchr(SPACE, text[length - 1]))
                length--;
        text[length] = '\0';
        return text;
}

char *lines_word(char **rest) {
        char *word = *rest + strspn(*rest, SPACE);
        size_t length = strcspn(word, SPACE);

        *rest = word;
        if (length == 0)
                return NULL;
        *rest = word + length + (word[length] ? 1 : 0);
        word[length] = '\0';
        return word;
}

char *lines_quoted_word(char **rest, bool *ret_is_open) {
        char *from = *rest + strspn(*rest, SPACE), *word = from, *to = from;
        char quote = '\0';

        *rest = from;
        if (!*from)
                return NULL;
        for (; *from && (quote || !strchr(SPACE, *from)); from++)
                if (*from == '\\' && from[1] && strchr("\"'\\ ", from[1]))
                        *to++ = *++from;
                else if (quote ? *from == quote : *from == '"' || *from == '\'')
                        quote = quote ? '\0' : *from;
                else
                        *to++ = *from;
        *rest = from + (*from ? 1 : 0);
        *to = '\0';
        if (ret_is_open)
                *ret_is_open = quote;
        return word;
}

char *lines_split(char *text, char separator) {
        char *at = strchr(text, separator);

        if (!at)
                return NULL;
        *at = '\0';
        lines_trim(text);
        return lines_trim(at + 1);
}

char *lines_replace(struct pool *pool, const char *text, const char *words, const char *by) {
        struct pool_text replaced = { .pool = pool };

        while (*text) {
                const char *word = words;
                size_t size = strcspn(word, " ");

                while (*word && strncmp(text, word, size) != 0) {
                        word += size + strspn(word + size, " ");
                        size = strcspn(word, " ");
                }
                if (*word)
                        pool_text_put(&replaced, by);
                else
                        pool_text_put_part(&replaced, text, 1);
                text += *word ? size : 1;
        }
        return replaced.text ? replaced.text : pool_copy(pool, "");
}
