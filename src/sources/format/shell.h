/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Reads a shell script as far as possible without running it: one simple command at a time, its words
 * without their quotes (POSIX XCU 2.2, 2.3, 2.9; arrays and [[ of bash). Texts are in the pool. */

#include "sources/format/shell_variables.h"
#include "sources/format/source_parser.h"

/* A function whose end has been read. */
struct shell_function {
        const char *name;
        const char *text; /* what it does, in the text of the script */
        size_t size;
        unsigned line;
        bool is_called;
};

/* "$@", a known variable without quotes and, in `for`, {A,B} and {1..9} are the words that they stand for.
 */
struct shell_word {
        const char *text; /* with known variables put in; of what is not known, as it is written */
        bool is_dynamic;  /* holds what only the running shell can tell: a variable, a command, a pattern */
};

struct shell_command {
        unsigned line; /* where it begins */
        struct shell_word *words;
        size_t n_words;
        struct shell_word output; /* where `>` leads; `text` is NULL if there is none */
        struct shell_word input;  /* what `<<<` gives it; likewise */
        const char *function;     /* the function that it is in; or NULL */
        char end; /* what stands behind it: ; & | ( ) or a newline; A for &&, O for ||; NUL for the end */
        const char *here; /* the last here-document, as it is written, in the script's text; or NULL */
        size_t here_size;
        unsigned here_line;
        bool conditional; /* inside if, while, case or a function, or after && or ||; what `if` asks is run
                             first */
};

void shell_command_add(struct pool *pool, struct shell_command *command, struct shell_word word);

/* The same command without its first `n` words. The words are not copied. */
struct shell_command shell_command_rest(const struct shell_command *command, size_t n);

struct shell {
        struct pool *pool;
        const char *text;
        size_t size;
        const struct shell_variables *variables; /* NULL: none are known */
        struct shell_function *functions;        /* so far */
        size_t n_functions;
        unsigned depth;   /* of if, while, for, case, behind the command that was read last */
        unsigned head;    /* the depth whose `if`, `while` or `until` has not come to `then` or `do`; or 0 */
        unsigned lowest;  /* the least depth since the command before that; as if left at each branch */
        unsigned n_loops; /* set by the caller: so many of them, from the outermost on, are no conditions */
        unsigned n_sure;  /* so many loops, these and those of `while true`, run in any case */
        unsigned outer;   /* set by the caller: the depth of what calls this text */
        /* private: */
        size_t position;
        unsigned line;
        unsigned braces;  /* of { inside a function */
        bool in_function; /* since `name()` */
        struct shell_function function;
        bool after_condition;   /* && or || came last */
        char delimiters[4][64]; /* of here-documents that begin on the next line */
        unsigned n_delimiters;
        bool in_array;       /* between the brackets of a=(…), which do not nest */
        unsigned n_nested;   /* defaults that this one is in */
        unsigned open_quote; /* the line where a quote begins that has no end; 0: none */
};

struct shell shell_open(struct pool *pool, const char *text, size_t size,
                        const struct shell_variables *variables);

/* A depth, or 0 inside the loops that are no conditions; with what calls the text. */
unsigned shell_block(const struct shell *shell, unsigned depth);

/* The next command that has words. False at the end. */
bool shell_next(struct shell *shell, struct shell_command *ret);

/* At the end: reports a quote that has none. `line` is where the text begins. */
void shell_check_end(const struct shell *shell, const struct source_parser *parser, unsigned line);

/* Where `word` is NAME=VALUE: the value, in the word, with the name's length in `ret_name_size`. An array's
 * elements are apart by newlines. NULL if it is no assignment. */
const char *shell_assignment(const struct shell_word *word, size_t *ret_name_size);
