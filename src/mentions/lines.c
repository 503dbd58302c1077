/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "mentions/reader.h"

#define SPACE " \t\r\n\v\f"

struct lines lines_open(const struct reader *reader) {
        char *copy = pool_copy(reader_pool(reader), reader->text);

        return (struct lines){ .begin = copy, .rest = copy, .next_number = 1 };
}

bool lines_next(struct reader *reader, struct lines *lines) {
        bool is_comment;
        char *end;

        do {
                if (!*lines->rest)
                        return false;
                lines->line = lines->rest;
                is_comment = lines->line[strspn(lines->line, " \t")] == '#';
                reader->line = lines->next_number;
                reader->at = reader->text + (lines->rest - lines->begin);
                do {
                        end = lines->rest + strcspn(lines->rest, "\n");
                        lines->rest = end + (*end ? 1 : 0);
                        lines->next_number++;
                        if (end > lines->line && end[-1] == '\r')
                                end[-1] = ' ';
                        if (is_comment || !*end || end == lines->line || end[-1] != '\\')
                                break;
                        end[-1] = *end = ' ';
                } while (*lines->rest);
        } while (is_comment);
        *end = '\0';
        lines->line = lines_trim(lines->line);
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

        *rest = word + length + (word[length] ? 1 : 0);
        word[length] = '\0';
        return length > 0 ? word : NULL;
}

char *lines_quoted_word(char **rest) {
        char *from = *rest + strspn(*rest, SPACE), *word = from, *to = from, quote = '\0';

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
