/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The characters of a script, and its words with quotes taken off and what is known put in. */

#include "sources/format/shell.h"

#define SHELL_BLANKS " \t\r"
#define SHELL_OPERATORS ";&|()\n<>"

/* A word that is being read. */
struct growing_word {
        struct pool_text text;
        bool is_dynamic;
        bool is_assumed;
        const char *apart; /* it is none or several words, apart by these characters: a variable without
                              quotes (POSIX XCU 2.6.5), an array; or NULL */
};

/* Reads a word. word->text.text stays NULL if there is none. */
void shell_read_word(struct shell *shell, struct growing_word *word);

/* Returns NUL at the end. A NUL in the text does not end it and is ignored. */
char shell_peek(const struct shell *shell, size_t ahead);
bool shell_at_end(const struct shell *shell);

/* Whether one of the characters is next. */
bool shell_at(const struct shell *shell, const char *characters);

char shell_take(struct shell *shell);
bool shell_take_any(struct shell *shell, const char *characters);
void shell_skip_comment(struct shell *shell);

/* Skips a backslash with the newline behind it. */
bool shell_skip_continuation(struct shell *shell);

/* Skips from the next `open` to behind its matching `close`. */
void shell_skip_nested(struct shell *shell, char open, char close);

/* Whether <( … ) or >( … ) begins, which stands for a file. */
bool shell_begins_file(const struct shell *shell);
