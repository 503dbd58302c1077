/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What the readers of the five kinds of syntax share. Memory is in the pool of the mentions, which records
 * that it was out. */

#include "mentions/mention.h"

/* Takes the next word off `*rest`, with a NUL in place; NULL at the end. Of a quoted word, "…" and '…' hold
 * it together and are taken off. */
char *lines_word(char **rest);
char *lines_quoted_word(char **rest);

/* Splits at the first `separator`, both parts trimmed: the second one, or NULL if there is none. */
char *lines_split(char *text, char separator);

struct reader {
        struct mentions *mentions;
        const struct mention_place *place; /* NULL: a named file */
        const char *file;
        const char *text;
        const char *own_device; /* what the file's name says, or NULL */
        unsigned line;          /* that is being read, counted from 1 */
        const char *at;         /* its beginning in the text */
        size_t first;           /* the index of the file's first mention */
};

static inline struct pool *reader_pool(const struct reader *reader) {
        return &reader->mentions->pool;
}

/* The lines of the text, a copy of which is cut up. A backslash at the end of a line continues it. */
struct lines {
        char *begin; /* of the copy */
        char *rest;
        unsigned next_number;
        char *line; /* the one that was read, without white space around it */
};

struct lines lines_open(const struct reader *reader);
/* Reads the next line that is no comment, which is the reader's present one then. False at the end. */
bool lines_next(struct reader *reader, struct lines *lines);

/* Adds a mention in the present line. `device`: NULL if it is not known; `number`: decimal digits, perhaps
 * with white space around them; anything else, or NULL, is a number that is not known. Both are copied.
 * Returns NULL if there are too many. */
struct mention *reader_add(struct reader *reader, const char *device, const char *number);

/* Gives the mentions from the index `first` on, which have no device, those of `devices`, with white space,
 * commas or semicolons between them: the first one, and a copy of the mention for each further one. */
void reader_set_devices(struct reader *reader, size_t first, const char *devices);

/* Reads command lines: one line of a file, which may have several, with separators between them. `device` is
 * what $IFACE and %i stand for; NULL: not known. */
void reader_take_commands(struct reader *reader, const char *text, const char *device);

/* The five kinds. */
void reader_read_ini(struct reader *reader);
void reader_read_tree(struct reader *reader);
void reader_read_stanzas(struct reader *reader);
void reader_read_assignments(struct reader *reader);
void reader_read_commands(struct reader *reader);
