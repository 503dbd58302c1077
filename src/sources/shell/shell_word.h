/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The characters of a script, and its words with quotes taken off and what is known put in. */

#include "sources/shell/shell_variables.h"

#define SHELL_BLANKS " \t\r"
#define SHELL_OPERATORS ";&|()\n<>"

/* "$@", a known variable without quotes and, in `for`, {A,B} and {1..9} are the words that they stand for.
 */
struct shell_word {
        const char *text; /* with known variables put in; of what is not known, as it is written */
        bool is_dynamic;  /* holds what only the running shell can tell: a variable, a command, a pattern */
        bool is_assumed;  /* holds the default of a variable, which the environment may set */
};

bool shell_word_is(const struct shell_word *word, const char *text);

struct shell_command {
        unsigned line; /* where it begins */
        struct shell_word *words;
        size_t n_words;
        struct shell_word *defaults; /* NAME=VALUE of each ${NAME:=VALUE} in it that sets NAME */
        size_t n_defaults;
        struct shell_word output; /* where `>` leads; `text` is NULL if there is none */
        struct shell_word input;  /* what `<<<` gives it; likewise */
        char end; /* what stands behind it: ; & | ( ) or a newline; A for &&, O for ||, E for the end of a
                     branch of case; NUL for the end, and behind a reserved word */
        bool is_reserved; /* it is a reserved word alone; of `for` and `case`, what follows them is there */
        bool is_end;      /* it is one that ends a list of commands: then, done, } */
        const char *here; /* the last here-document, as it is written, in the script's text; or NULL */
        size_t here_size;
        unsigned here_line;
        bool is_literal; /* the shell puts no values into it */
};

/* What the shell cannot read. */
struct shell_mistake {
        unsigned line; /* 0: nothing */
        const char *text;
};

#define SHELL_OPEN_QUOTE \
        "a quote or bracket that begins here has no end; what comes after it is not understood"

/* A script that is being read. */
struct shell {
        struct pool *pool;
        const char *text;
        size_t size;
        const struct shell_variables *variables;
        bool in_pattern; /* set by the caller: of reserved words, only esac is one */
        struct shell_mistake mistake;
        size_t position;
        unsigned line; /* at the position */
        /* private: */
        char delimiters[4][64]; /* of here-documents that begin on the next line */
        bool has_tabs[4];       /* they may be indented: <<- */
        bool is_literal;        /* of the last one, which has quotes */
        unsigned n_delimiters;
        struct shell_word *defaults; /* of the command */
        size_t n_defaults;
        bool in_test;      /* between [[ and ]] */
        bool in_array;     /* between the brackets of a=(…), which do not nest */
        unsigned n_nested; /* defaults that this one is in */
};

/* `variables` is NULL if none are known. */
struct shell shell_open(struct pool *pool, const char *text, size_t size,
                        const struct shell_variables *variables);

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

/* Variables are not expanded in a longer word: each A=$A$A doubles it. */
#define SHELL_WORD_SIZE_MAX 4096u

/* How long the name of a variable at the front of the text is; 0: there is none. */
size_t shell_name_size(const char *text);
bool shell_is_name(const char *text);

/* Where `word` is NAME=VALUE or NAME+=VALUE: the value, in the word, with the name's length in
 * `ret_name_size`. An array's elements are apart by newlines. NULL if it is no assignment. */
const char *shell_assignment(const struct shell_word *word, size_t *ret_name_size);
