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

/* A line of the device, as positions in the text. */
struct device_line {
        size_t begin; /* of its indentation */
        size_t value; /* without surrounding white space, like its end */
        size_t value_end;
        size_t next; /* where the next line begins */
};

/* An edit in progress. */
struct edit {
        const char *text;
        size_t size;
        const char *name;
        const struct mtu_spec *wanted; /* NULL: no line at all */
        struct config before;
        struct device_line *lines; /* those of the device, good or in error */
        size_t n_lines;
};

static void edit_free(struct edit *edit) {
        config_free(&edit->before);
        free(edit->lines);
}

/* Gives the device a line in the configuration. 1; 0 if no line can name the device, that is, if the parser
 * does not read the name back; or -ENOMEM. */
static int add_line(struct config *config, const char *name) {
        char line[LINE_SIZE];
        int r;

        /* Not in the first line, where a byte order mark would not be part of the name. */
        snprintf(line, sizeof(line), "\n%s=max\n", name);
        r = config_parse_file(config, "", line, strlen(line), &diagnostic_silent);
        return r < 0 ? r : config_find(config, name) != NULL;
}

static struct device_line locate(const struct edit *edit, const struct env_assignment *assignment) {
        const char *text = edit->text;
        struct device_line line = { .begin = assignment->key_begin,
                                    .value = assignment->value_begin,
                                    .value_end = assignment->end };

        while (line.begin > 0 && text_is_space(text[line.begin - 1]) &&
               !text_is_newline(text[line.begin - 1]))
                line.begin--;
        while (line.value < assignment->end && text_is_space(text[line.value]))
                line.value++;
        /* Newlines, too: a backslash may stand before the last one. */
        while (line.value_end > line.value && text_is_space(text[line.value_end - 1]))
                line.value_end--;
        line.next = env_file_skip_newline(text, edit->size, assignment->end);
        return line;
}

/* Reads the text, and finds the device's lines. Returns as add_line() does. */
static int begin(struct edit *edit) {
        CLEANUP(config_free) struct config alone = { 0 };
        struct config_parser parser = { .config = &edit->before, .file = "", .sink = &diagnostic_silent };
        struct env_assignment assignment;
        int r = add_line(&alone, edit->name), left;

        if (r < 0)
                return r;
        env_file_open(&parser.reader, edit->text, edit->size);
        while ((left = config_parse_next(&parser, &assignment)) > 0) {
                struct device_line *line;

                if (assignment.value_begin == 0 ||
                    !text_part_is(assignment.key, assignment.key_size, edit->name))
                        continue;
                line = array_add(&edit->lines, &edit->n_lines, sizeof(*line));
                if (!line)
                        return -ENOMEM;
                *line = locate(edit, &assignment);
        }
        return left < 0 ? left : r;
}

/* Whether the new text gives the device the wanted line and leaves the others unchanged: 1, 0 or -ENOMEM. */
static int is_as_wanted(struct edit *edit, struct config *after) {
        const struct config_line *own = config_find(after, edit->name);

        if (edit->wanted ? !own || !mtu_spec_equals(&own->spec, edit->wanted) : own != NULL)
                return 0;
        /* With one line for the device in both, only the others can differ. */
        if (add_line(&edit->before, edit->name) < 0 || add_line(after, edit->name) < 0)
                return -ENOMEM;
        return config_equals(&edit->before, after);
}

/* Takes over `text` and returns it if it is as wanted. */
static int conclude(struct edit *edit, char *text, size_t size, char **ret_text, size_t *ret_size) {
        CLEANUP(cleanup_free) char *owned = text;
        CLEANUP(config_free) struct config after = { 0 };
        int r;

        if (size > CONFIG_FILE_MAX)
                return -EFBIG;
        r = config_parse_file(&after, "", text, size, &diagnostic_silent);
        if (r == 0)
                r = is_as_wanted(edit, &after);
        if (r <= 0)
                return r < 0 ? r : -EBADMSG;
        *ret_text = text;
        *ret_size = size;
        owned = NULL;
        return 0;
}

/* Replaces the text between two positions by `piece`. */
static int replace(struct edit *edit, size_t from, size_t to, const char *piece, char **ret_text,
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

static int append(struct edit *edit, const char *value, char **ret_text, size_t *ret_size) {
        const char *newline = newline_of(edit);
        bool is_open = edit->size > 0 && !text_is_newline(edit->text[edit->size - 1]);
        int r = -EBADMSG;

        /* A backslash at the end removes one newline. */
        for (int n_more = 0; n_more < 2 && r == -EBADMSG; n_more++) {
                char line[LINE_SIZE];

                snprintf(line, sizeof(line), "%s%s%s=%s%s", is_open ? newline : "", n_more ? newline : "",
                         edit->name, value, newline);
                r = replace(edit, edit->size, edit->size, line, ret_text, ret_size);
        }
        return r;
}

int config_edit_set(const char *text, size_t size, const char *name, const struct mtu_spec *spec,
                    char **ret_text, size_t *ret_size) {
        CLEANUP(edit_free)
        struct edit edit = { .text = text, .size = size, .name = name, .wanted = spec };
        char words[MTU_SPEC_TEXT_SIZE], value[MTU_SPEC_TEXT_SIZE + 2];
        const struct config_line *in_effect;
        const struct device_line *last;
        int r = begin(&edit);

        if (r <= 0)
                return r < 0 ? r : -EINVAL;
        in_effect = config_find(&edit.before, name);
        if (in_effect && mtu_spec_equals(&in_effect->spec, spec))
                return replace(&edit, size, size, "", ret_text, ret_size);

        mtu_spec_format(words, spec);
        snprintf(value, sizeof(value), strchr(words, ' ') ? "\"%s\"" : "%s", words);
        last = edit.n_lines > 0 ? &edit.lines[edit.n_lines - 1] : NULL;
        r = last ? replace(&edit, last->value, last->value_end, value, ret_text, ret_size)
                 : append(&edit, value, ret_text, ret_size);
        return r < 0 ? r : 1;
}

int config_edit_unset(const char *text, size_t size, const char *name, char **ret_text, size_t *ret_size) {
        CLEANUP(edit_free) struct edit edit = { .text = text, .size = size, .name = name };
        size_t position = 0;
        char *rest, *end;
        int r = begin(&edit);

        if (r <= 0)
                return r < 0 ? r : replace(&edit, size, size, "", ret_text, ret_size);
        rest = end = malloc(size + 1);
        if (!rest)
                return -ENOMEM;
        for (size_t i = 0; i < edit.n_lines; i++) {
                end = mempcpy(end, text + position, edit.lines[i].begin - position);
                position = edit.lines[i].next;
        }
        end = mempcpy(end, text + position, size - position);
        *end = '\0';
        r = conclude(&edit, rest, (size_t)(end - rest), ret_text, ret_size);
        return r < 0 ? r : (int)edit.n_lines;
}
