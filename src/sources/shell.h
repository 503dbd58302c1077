/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Reads a shell script as far as it can be told without running it: one simple command at a time, its words
 * with their quotes taken off (POSIX XCU 2.2, 2.3, 2.9; arrays and [[ of bash). */

#include <stdbool.h>
#include <stddef.h>

/* What the reader knows of, to be put in place of $NAME. */
struct shell_variable {
        const char *name;
        const char *value;
};

struct shell_word {
        char *text;      /* with known variables put in; of what is not known, as it is written */
        bool is_dynamic; /* holds what only the running shell can tell: a variable, a command, a pattern */
};

struct shell_command {
        unsigned line; /* where it begins */
        struct shell_word *words;
        size_t n_words;
        struct shell_word output; /* where `>` leads; `text` is NULL where there is none */
        bool conditional;         /* inside if, while, case or a function, or after && or || */
};

struct shell {
        const char *text;
        size_t size;
        const struct shell_variable *variables;
        size_t n_variables;
        /* private: */
        size_t position;
        unsigned line;
        unsigned depth;         /* of if, while, for, case */
        unsigned braces;        /* of { inside a function */
        bool in_function;       /* since `name()` */
        bool after_condition;   /* && or || came last */
        char delimiters[4][64]; /* of here-documents that begin on the next line */
        unsigned n_delimiters;
        bool in_array;       /* between the brackets of a=(…), which do not nest */
        unsigned open_quote; /* the line where a quote begins that has no end; 0: none */
        bool out_of_memory;
};

void shell_open(struct shell *ret, const char *text, size_t size, const struct shell_variable *variables,
                size_t n_variables);

/* The next command that has words. Returns 1; 0 at the end, where `shell->open_quote` may tell that it came
 * too early; or -ENOMEM. The caller frees. */
int shell_next(struct shell *shell, struct shell_command *ret);
void shell_command_free(struct shell_command *command);

/* Where `word` is NAME=VALUE: the value, in the word, with the name's length in `ret_name_size`. An array's
 * elements are apart by newlines. NULL where it is no assignment. */
const char *shell_assignment(const struct shell_word *word, size_t *ret_name_size);
