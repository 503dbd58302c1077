/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config/env_file.h"

#include <string.h>

#include "base/text.h"

enum state {
        BEFORE_VALUE, /* also after a closing quote: what follows is appended */
        VALUE,
        ESCAPE,
        SINGLE_QUOTE,
        DOUBLE_QUOTE,
        DOUBLE_QUOTE_ESCAPE,
};

void env_file_open(struct env_file *ret, const char *text, size_t size) {
        *ret = (struct env_file){
                .text = text, .size = size, .position = text_mark_size(text, size), .line = 1
        };
}

/* Takes one byte and counts lines: LF, CR LF and a lone CR each end one. */
static char next_char(struct env_file *reader) {
        char c = reader->text[reader->position++];

        if (c == '\n' ||
            (c == '\r' && (reader->position == reader->size || reader->text[reader->position] != '\n')))
                reader->line++;
        return c;
}

size_t env_file_skip_newline(const char *text, size_t size, size_t position) {
        if (position + 1 < size && text[position] == '\r' && text[position + 1] == '\n')
                return position + 2;
        return position < size && text_is_newline(text[position]) ? position + 1 : position;
}

/* The end of the line that `position` is in. */
static size_t line_end(const struct env_file *reader, size_t position) {
        while (position < reader->size && !text_is_newline(reader->text[position]))
                position++;
        return position;
}

void env_file_skip_line(struct env_file *reader, struct env_assignment *assignment) {
        assignment->end = line_end(reader, assignment->key_begin);
        reader->position = env_file_skip_newline(reader->text, reader->size, assignment->end);
        reader->line = assignment->line + 1;
}

static enum env_file_item refuse_line(struct env_file *reader, struct env_assignment *ret,
                                      enum env_file_item mistake) {
        ret->key[ret->key_size] = '\0';
        env_file_skip_line(reader, ret);
        return mistake;
}

/* The value is as long as its first `keep` bytes, and ends at `end`. */
static enum env_file_item finish(struct env_assignment *ret, size_t keep, size_t end) {
        ret->value_size = keep;
        ret->value[keep] = '\0';
        ret->end = end;
        return ENV_FILE_ASSIGNMENT;
}

/* Goes to the next key; false at the end. */
static bool skip_to_key(struct env_file *reader) {
        while (reader->position < reader->size) {
                char c = reader->text[reader->position];

                if (c == '#' || c == ';')
                        reader->position = line_end(reader, reader->position);
                else if (text_is_space(c))
                        next_char(reader);
                else
                        return true;
        }
        return false;
}

/* Takes the key, and the "=" after it. */
static enum env_file_item read_key(struct env_file *reader, struct env_assignment *ret) {
        const char *key = reader->text + reader->position;
        size_t left = reader->size - reader->position, size = 0;

        ret->line = reader->line;
        ret->key_begin = reader->position;
        while (size < left && size < ENV_FILE_LINE_MAX && key[size] != '=' && key[size] != '\0' &&
               !text_is_newline(key[size]))
                size++;
        memcpy(ret->key, key, size);
        ret->key_size = size;
        if (size == left || text_is_newline(key[size]))
                return refuse_line(reader, ret, ENV_FILE_NO_EQUALS_SIGN);
        if (key[size] == '\0')
                return refuse_line(reader, ret, ENV_FILE_NUL);
        if (size == ENV_FILE_LINE_MAX)
                return refuse_line(reader, ret, ENV_FILE_TOO_LONG);
        if (size == 0)
                return refuse_line(reader, ret, ENV_FILE_EMPTY_KEY);
        /* systemd drops white space at the end of a key, and of a value unless it was quoted or escaped. */
        while (text_is_space(key[ret->key_size - 1]))
                ret->key_size--;
        ret->key[ret->key_size] = '\0';
        reader->position += size + 1;
        ret->value_begin = reader->position;
        return ENV_FILE_ASSIGNMENT;
}

enum env_file_item env_file_next(struct env_file *reader, struct env_assignment *ret) {
        enum state state = BEFORE_VALUE;
        enum env_file_item item;
        size_t keep = 0; /* length of the value that stays even if it ends in white space */

        ret->key_begin = ret->key_size = ret->value_begin = ret->value_size = 0;
        ret->has_newline = false;
        if (!skip_to_key(reader))
                return ENV_FILE_END;
        item = read_key(reader, ret);
        if (item != ENV_FILE_ASSIGNMENT)
                return item;

        while (reader->position < reader->size) {
                size_t position = reader->position;
                unsigned line = reader->line;
                char c = next_char(reader);
                bool is_newline = text_is_newline(c);

                if (c == '\0' || position - ret->key_begin >= ENV_FILE_LINE_MAX + (is_newline ? 1u : 0u)) {
                        /* On a later line of a value, the cause is a quote left open before. */
                        if (ret->has_newline)
                                return refuse_line(reader, ret, ENV_FILE_OPEN_QUOTE);
                        if (c == '\0')
                                return refuse_line(reader, ret, ENV_FILE_NUL);
                        refuse_line(reader, ret, ENV_FILE_TOO_LONG);
                        /* All lines so far belong to it. From the second one, a file full of continuations
                         * would be read again and again. */
                        reader->position = line_end(reader, position);
                        reader->line = line;
                        return ENV_FILE_TOO_LONG;
                }

                switch (state) {
                case BEFORE_VALUE:
                case VALUE:
                        if (is_newline)
                                return finish(ret, keep, position);
                        if (c == '\\') {
                                keep = ret->value_size;
                                state = ESCAPE;
                        } else if (state == BEFORE_VALUE && (c == '\'' || c == '"'))
                                state = c == '"' ? DOUBLE_QUOTE : SINGLE_QUOTE;
                        else if (state == VALUE || !text_is_space(c)) {
                                ret->value[ret->value_size++] = c;
                                if (!text_is_space(c))
                                        keep = ret->value_size;
                                state = VALUE;
                        }
                        break;

                case ESCAPE:
                        /* A backslash before a newline removes both. */
                        if (!is_newline)
                                ret->value[ret->value_size++] = c;
                        keep = ret->value_size;
                        state = VALUE;
                        break;

                case SINGLE_QUOTE:
                case DOUBLE_QUOTE:
                        if (c == (state == DOUBLE_QUOTE ? '"' : '\'')) {
                                keep = ret->value_size;
                                state = BEFORE_VALUE;
                        } else if (state == DOUBLE_QUOTE && c == '\\')
                                state = DOUBLE_QUOTE_ESCAPE;
                        else {
                                ret->value[ret->value_size++] = c;
                                ret->has_newline |= is_newline;
                        }
                        break;

                case DOUBLE_QUOTE_ESCAPE:
                        if (c != '\n') {
                                if (!strchr("\"\\`$", c))
                                        ret->value[ret->value_size++] = '\\';
                                ret->value[ret->value_size++] = c;
                        }
                        state = DOUBLE_QUOTE;
                        break;
                }
        }

        return state >= SINGLE_QUOTE ? refuse_line(reader, ret, ENV_FILE_OPEN_QUOTE)
                                     : finish(ret, keep, reader->size);
}
