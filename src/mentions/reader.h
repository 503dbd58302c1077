/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What the readers of the five kinds of syntax share. Memory is in the pool of the mentions, which records
 * that it was out. */

#include "mentions/mention.h"

/* Takes the next word off `*rest`, with a NUL in place; empty at the end. "…" and '…' hold it together and
 * are taken off. */
char *reader_quoted_word(char **rest);

struct reader {
        struct mentions *mentions;
        const struct mention_place *place; /* NULL: a named file */
        const char *file;
        const char *text;
        const char *own_device; /* what the file's name or its present part says, or NULL */
        unsigned line;          /* that is being read, counted from 1 */
        const char *at;         /* its beginning in the text */
        size_t first;           /* the index of the file's first mention */
        char *copy, *rest;      /* of the text: for reader_next_line(), which cuts it up */
        unsigned next_number;   /* of the line there */
};

static inline struct pool *reader_pool(const struct reader *reader) {
        return &reader->mentions->pool;
}

/* Reads the next line that is no comment, which is the present one then: without white space around it, and
 * with those by which a backslash at its end continues it. NULL at the end. */
char *reader_next_line(struct reader *reader);

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
