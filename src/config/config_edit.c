/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config/config_edit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/text.h"
#include "config/config.h"
#include "config/env_file.h"

/* `NAME="VALUE"` with two newlines before it and one after it, each perhaps CR LF. */
#define LINE_SIZE (INTERFACE_NAME_SIZE + sizeof("=\"\"") + MTU_SPEC_TEXT_SIZE + 6)

/* The parser's result for a text. */
struct reading {
        struct config config;
        unsigned *mistakes; /* the lines in error, from the first to the last */
        size_t n_mistakes;
        bool out_of_memory;
};

static void reading_free(struct reading *reading) {
        config_free(&reading->config);
        free(reading->mistakes);
}

static void note_mistake(void *userdata, const struct diagnostic *diagnostic) {
        struct reading *reading = userdata;
        unsigned *mistake;

        if (diagnostic->severity != DIAGNOSTIC_ERROR)
                return;
        mistake = array_add(&reading->mistakes, &reading->n_mistakes, sizeof(*mistake));
        if (mistake)
                *mistake = diagnostic->line;
        else
                reading->out_of_memory = true;
}

/* `reading` must be all zero. The caller frees it, also on error. */
static int read_text(struct reading *reading, const char *text, size_t size) {
        const struct diagnostic_sink sink = { note_mistake, reading };
        int r;

        config_init(&reading->config);
        r = config_parse_file(&reading->config, "", text, size, &sink);
        return reading->out_of_memory ? -ENOMEM : r;
}

/* An edit in progress. */
struct edit {
        const char *text;
        size_t size;
        const char *name;
        const struct mtu_spec *wanted; /* NULL: no line at all */
        struct reading before;
        struct env_file reader; /* iterates over the device's lines */
        size_t n_mistakes;      /* how many mistakes the reader has passed */
};

static void edit_free(struct edit *edit) {
        reading_free(&edit->before);
}

/* 1 if a line can name the device, that is, if the parser reads the name back; otherwise 0, or -ENOMEM. */
static int can_be_named(const char *name) {
        CLEANUP(reading_free) struct reading reading = { 0 };
        char line[LINE_SIZE];
        int r;

        /* Not in the first line, where a byte order mark would not be part of the name. */
        snprintf(line, sizeof(line), "\n%s=max\n", name);
        r = read_text(&reading, line, strlen(line));
        return r < 0 ? r : config_find(&reading.config, name) != NULL;
}

/* Reads the text. Returns as can_be_named() does. */
static int begin(struct edit *edit) {
        int r = can_be_named(edit->name), error;

        if (r < 0)
                return r;
        env_file_open(&edit->reader, edit->text, edit->size);
        error = read_text(&edit->before, edit->text, edit->size);
        return error < 0 ? error : r;
}

/* A line of the device, as positions in the text. */
struct device_line {
        size_t begin; /* of its indentation */
        size_t value; /* without surrounding white space, like its end */
        size_t value_end;
        size_t next; /* where the next line begins */
};

static bool is_blank(char c) {
        return c == ' ' || c == '\t';
}

static void locate(const struct edit *edit, const struct env_assignment *assignment,
                   struct device_line *ret) {
        const char *text = edit->text;

        ret->begin = assignment->key_begin;
        while (ret->begin > 0 && is_blank(text[ret->begin - 1]))
                ret->begin--;
        ret->value = assignment->value_begin;
        while (ret->value < assignment->end && is_blank(text[ret->value]))
                ret->value++;
        /* Newlines, too: a backslash may stand before the last one. */
        ret->value_end = assignment->end;
        while (ret->value_end > ret->value && text_is_space(text[ret->value_end - 1]))
                ret->value_end--;
        ret->next = env_file_skip_newline(text, edit->size, assignment->end);
}

/* Finds the device's next line, as config_parse_file() reads the text; false at the end. */
static bool next_line(struct edit *edit, struct device_line *ret) {
        const struct reading *before = &edit->before;
        struct env_assignment assignment;
        enum env_file_item item;

        while ((item = env_file_next(&edit->reader, &assignment)) != ENV_FILE_END) {
                if (edit->n_mistakes < before->n_mistakes &&
                    before->mistakes[edit->n_mistakes] == assignment.line) {
                        edit->n_mistakes++;
                        if (item == ENV_FILE_ASSIGNMENT)
                                env_file_skip_line(&edit->reader, &assignment);
                }
                if (assignment.value_begin > 0 &&
                    text_part_is(assignment.key, assignment.key_size, edit->name)) {
                        locate(edit, &assignment, ret);
                        return true;
                }
        }
        return false;
}

/* Whether the new text gives the device the wanted line and leaves the others unchanged. */
static bool is_as_wanted(const struct edit *edit, const struct config *after) {
        const struct config *before = &edit->before.config;
        const struct config_line *own = config_find(after, edit->name);
        size_t others = 0;

        if (edit->wanted ? !own || !mtu_spec_equals(&own->spec, edit->wanted) : own != NULL)
                return false;
        for (size_t i = 0; i < before->n_lines; i++) {
                const struct config_line *line = &before->lines[i], *now;

                if (strcmp(line->name, edit->name) == 0)
                        continue;
                now = config_find(after, line->name);
                if (!now || !mtu_spec_equals(&line->spec, &now->spec))
                        return false;
                others++;
        }
        return after->n_lines == others + (own ? 1 : 0) && after->backend == before->backend &&
               after->keep == before->keep;
}

/* Takes over `text` and returns it if it is as wanted. */
static int conclude(const struct edit *edit, char *text, size_t size, char **ret_text, size_t *ret_size) {
        CLEANUP(cleanup_free) char *owned = text;
        CLEANUP(reading_free) struct reading after = { 0 };
        int r;

        if (size > CONFIG_FILE_MAX)
                return -EFBIG;
        r = read_text(&after, text, size);
        if (r < 0)
                return r;
        if (!is_as_wanted(edit, &after.config))
                return -EBADMSG;
        *ret_text = text;
        *ret_size = size;
        owned = NULL;
        return 0;
}

/* Replaces the text between two positions by `piece`. */
static int replace(const struct edit *edit, size_t from, size_t to, const char *piece, char **ret_text,
                   size_t *ret_size) {
        size_t length = strlen(piece), size = from + length + (edit->size - to);
        char *text = malloc(size + 1);

        if (!text)
                return -ENOMEM;
        memcpy(text, edit->text, from);
        memcpy(text + from, piece, length);
        memcpy(text + from + length, edit->text + to, edit->size - to);
        text[size] = '\0';
        return conclude(edit, text, size, ret_text, ret_size);
}

/* The text's own newline, that of its last line end. */
static const char *newline_of(const struct edit *edit) {
        size_t i = edit->size;

        while (i > 0 && !text_is_newline(edit->text[i - 1]))
                i--;
        if (i > 0 && edit->text[i - 1] == '\r')
                return "\r";
        return i > 1 && edit->text[i - 2] == '\r' ? "\r\n" : "\n";
}

static int append(const struct edit *edit, const char *value, char **ret_text, size_t *ret_size) {
        const char *newline = newline_of(edit);
        struct env_file reader;
        char line[LINE_SIZE];
        bool is_open; /* the last line lacks its newline */
        int r;

        env_file_open(&reader, edit->text, edit->size);
        is_open = edit->size > reader.position && !text_is_newline(edit->text[edit->size - 1]);
        snprintf(line, sizeof(line), "%s%s=%s%s", is_open ? newline : "", edit->name, value, newline);
        r = replace(edit, edit->size, edit->size, line, ret_text, ret_size);
        if (r != -EBADMSG)
                return r;
        /* A backslash at the end removes one newline. */
        snprintf(line, sizeof(line), "%s%s%s=%s%s", is_open ? newline : "", newline, edit->name, value,
                 newline);
        return replace(edit, edit->size, edit->size, line, ret_text, ret_size);
}

int config_edit_set(const char *text, size_t size, const char *name, const struct mtu_spec *spec,
                    char **ret_text, size_t *ret_size) {
        CLEANUP(edit_free)
        struct edit edit = { .text = text, .size = size, .name = name, .wanted = spec };
        char words[MTU_SPEC_TEXT_SIZE], value[MTU_SPEC_TEXT_SIZE + 2];
        const struct config_line *in_effect;
        struct device_line line, last = { 0 };
        bool found = false;
        int r = begin(&edit);

        if (r <= 0)
                return r < 0 ? r : -EINVAL;
        in_effect = config_find(&edit.before.config, name);
        if (in_effect && mtu_spec_equals(&in_effect->spec, spec))
                return replace(&edit, size, size, "", ret_text, ret_size);

        mtu_spec_format(words, spec);
        snprintf(value, sizeof(value), strchr(words, ' ') ? "\"%s\"" : "%s", words);
        while (next_line(&edit, &line)) {
                last = line;
                found = true;
        }
        r = found ? replace(&edit, last.value, last.value_end, value, ret_text, ret_size)
                  : append(&edit, value, ret_text, ret_size);
        return r < 0 ? r : 1;
}

int config_edit_unset(const char *text, size_t size, const char *name, char **ret_text, size_t *ret_size) {
        CLEANUP(edit_free) struct edit edit = { .text = text, .size = size, .name = name };
        struct device_line line;
        size_t kept = 0, position = 0;
        char *rest;
        int n = 0, r = begin(&edit);

        if (r <= 0)
                return r < 0 ? r : replace(&edit, size, size, "", ret_text, ret_size);
        rest = malloc(size + 1);
        if (!rest)
                return -ENOMEM;
        while (next_line(&edit, &line)) {
                memcpy(rest + kept, text + position, line.begin - position);
                kept += line.begin - position;
                position = line.next;
                n++;
        }
        memcpy(rest + kept, text + position, size - position);
        kept += size - position;
        rest[kept] = '\0';
        r = conclude(&edit, rest, kept, ret_text, ret_size);
        return r < 0 ? r : n;
}
