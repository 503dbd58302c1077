/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Reads a shell script as far as possible without running it: one simple command at a time, its words
 * without their quotes (POSIX XCU 2.2, 2.3, 2.9; arrays and [[ of bash). Texts are in the pool. */

#include "sources/format/source_parser.h"

/* A known variable, which replaces $NAME. */
struct shell_variable {
        const char *name;
        const char *value; /* NULL: none */
        const char *file;  /* where it is set, if not in the text itself; or NULL */
        unsigned line;
        bool is_dynamic; /* only the shell can tell the value */
};

struct shell_variables {
        struct shell_variable *items; /* of those with one name the last one counts */
        size_t n_items;
};

void shell_variables_add(struct pool *pool, struct shell_variables *variables,
                         struct shell_variable variable);

/* The last one, or NULL. */
const struct shell_variable *shell_variables_find(const struct shell_variables *variables, const char *name,
                                                  size_t size);
/* Its value, or NULL if there is none or only the shell can tell it. */
const char *shell_variables_value(const struct shell_variables *variables, const char *name);

/* Reads a shell file for its assignments, of which a later one may use an earlier one: ifcfg-*, netctl's
 * profiles, rc.conf. */
struct shell_variables shell_variables_read(const struct source_parser *parser);

struct shell_word {
        const char *text; /* with known variables put in; of what is not known, as it is written */
        bool is_dynamic;  /* holds what only the running shell can tell: a variable, a command, a pattern */
};

struct shell_command {
        unsigned line; /* where it begins */
        struct shell_word *words;
        size_t n_words;
        struct shell_word output; /* where `>` leads; `text` is NULL if there is none */
        bool conditional;         /* inside if, while, case or a function, or after && or || */
};

void shell_command_add(struct pool *pool, struct shell_command *command, struct shell_word word);

struct shell {
        struct pool *pool;
        const char *text;
        size_t size;
        const struct shell_variables *variables; /* NULL: none are known */
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
};

struct shell shell_open(struct pool *pool, const char *text, size_t size,
                        const struct shell_variables *variables);

/* The next command that has words. False at the end. */
bool shell_next(struct shell *shell, struct shell_command *ret);

/* At the end: reports a quote that has none. `line` is where the text begins. */
void shell_check_end(const struct shell *shell, const struct source_parser *parser, unsigned line);

/* Where `word` is NAME=VALUE: the value, in the word, with the name's length in `ret_name_size`. An array's
 * elements are apart by newlines. NULL if it is no assignment. */
const char *shell_assignment(const struct shell_word *word, size_t *ret_name_size);
