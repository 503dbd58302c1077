/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The lines of a text, and the words of a line: what most formats begin with. Pieces are parts of a copy in
 * the pool, with a NUL behind them, and stay valid; a NUL inside ends a piece. */

#include <stdbool.h>
#include <stddef.h>

#include "base/pool.h"
#include "base/text.h"

/* The longest line that is read; the rest of a longer one is ignored. */
#define LINE_SIZE_MAX 4096

struct lines {
        char *text;
        size_t size;
        size_t position;
        unsigned next_number;
        bool joins;      /* a backslash at the end of a line continues it, as in interfaces(5) and udev(7) */
        unsigned number; /* of the line that was read, where it begins, counted from 1 */
        char *line;      /* without white space around it */
};

struct lines lines_open(struct pool *pool, const char *text, size_t size, bool joins);

/* Reads the next line. False at the end. */
bool lines_next(struct lines *lines);

/* Takes the next word off `*rest`: it gets its NUL in place. NULL at the end, where
 * `*rest` is empty then. */
char *lines_word(char **rest);

/* The same where quotes hold a word together, which are taken off: "…" and '…'. A backslash takes the
 * meaning off a quote, a space and a backslash. `ret_is_open`: the last quote of the word has no end; may be
 * NULL. */
char *lines_quoted_word(char **rest, bool *ret_is_open);

/* Takes white space off both ends, in place. */
char *lines_trim(char *text);

/* Splits at the first `separator`, both parts trimmed: the second one, or NULL if there is none. */
char *lines_split(char *text, char separator);

/* The text with `by` for each of the words, which are apart by spaces, wherever they are in it. */
char *lines_replace(struct pool *pool, const char *text, const char *words, const char *by);
