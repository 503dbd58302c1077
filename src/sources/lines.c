/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/lines.h"

#include <string.h>

#define SPACE " \t\r\n\v\f"

void lines_open(struct lines *ret, const char *text, size_t size, bool joins) {
        ret->text = text;
        ret->size = size;
        ret->position = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
        ret->next_number = 1;
        ret->number = 0;
        ret->joins = joins;
}

/* A backslash at its end continues nothing: get_line() of ifupdown's config.c, parse_rules_file() of
 * systemd's src/udev/udev-rules.c. */
static bool is_comment(const char *line, size_t length) {
        size_t blank = 0;

        while (blank < length && (line[blank] == ' ' || line[blank] == '\t'))
                blank++;
        return blank < length && line[blank] == '#';
}

bool lines_next(struct lines *lines) {
        size_t used = 0;
        char *trimmed;
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
                       !(used == 0 && is_comment(begin, length));
                if (more)
                        length--;
                keep = length < sizeof(lines->line) - 1 - used ? length : sizeof(lines->line) - 1 - used;
                memcpy(lines->line + used, begin, keep);
                used += keep;
        }
        lines->line[used] = '\0';
        trimmed = lines_trim(lines->line);
        memmove(lines->line, trimmed, strlen(trimmed) + 1);
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

char *lines_quoted_word(char **rest) {
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
