/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What is known of a shell's variables. */

#include <stdbool.h>
#include <stddef.h>

#include "base/pool.h"

struct shell_command;

/* What a variable may be is given up beyond that. */
#define SHELL_AMONG_SIZE_MAX 128u

/* A known variable, which replaces $NAME. */
struct shell_variable {
        const char *name;
        const char *value; /* NULL: none */
        const char *file;  /* where it is set, if not in the text itself; or NULL */
        unsigned line;
        bool is_dynamic; /* only the shell can tell the value */
        bool is_assumed; /* the environment may give another one */
        bool is_exported;
        bool is_prefix; /* with one value or another, it is nothing or a program that runs its arguments */
        /* If only the shell can tell the value: it is one of these, which are apart by spaces; behind a "!",
         * none of them. Behind a "=", a hook may be run with each of them, and where it is "!" alone, with
         * any, or with any but those behind "! ". NULL: that is not known either. */
        const char *among;
};

struct shell_variables {
        struct shell_variable *items; /* of those with one name the last one counts */
        size_t n_items;
        const struct shell_command *arguments; /* $1 and so on; NULL: not known */
        bool is_unreachable;                   /* no command is run with these */
        bool is_all; /* others are not set, and ${NAME:-DEFAULT} is the default of one */
};

void shell_variables_add(struct pool *pool, struct shell_variables *variables,
                         struct shell_variable variable);

/* The last one, or NULL. */
const struct shell_variable *shell_variables_find(const struct shell_variables *variables, const char *name);
const struct shell_variable *shell_variables_find_part(const struct shell_variables *variables,
                                                       const char *name, size_t size);
/* Its value, or NULL if there is none or only the shell can tell it. */
const char *shell_variables_value(const struct shell_variables *variables, const char *name);

/* Adds a value to those of a list, apart by spaces, that has none as an empty text. NULL: a list cannot have
 * it, or had become too long, and then nothing is known. */
const char *shell_values_add(struct pool *pool, const char *values, const char *value);

/* The same of all values that a pattern of case has by a list in brackets. NULL also of another pattern. */
const char *shell_values_add_pattern(struct pool *pool, const char *values, const char *text);

/* Whether `among` says that a hook is run with each value. */
bool shell_values_are_each(const char *among);

/* Such an `among` without these values. NULL: none is left, or what is left had become too long. */
const char *shell_values_without(struct pool *pool, const char *among, const char *values);

/* Such a one, of which a test has found the values; or NULL. */
const struct shell_variable *shell_variables_find_each(const struct shell_variables *variables);

/* Replaces the variable of that name, up to a limit. */
void shell_variables_set(struct pool *pool, struct shell_variables *variables,
                         struct shell_variable variable);

/* `only_exported`: those that a program has in its environment. */
struct shell_variables shell_variables_copy(struct pool *pool, const struct shell_variables *variables,
                                            bool only_exported);

/* What is known where either may be: values on which both agree. They share no items with the result. */
struct shell_variables shell_variables_merge(struct pool *pool, const struct shell_variables *one,
                                             const struct shell_variables *other);

/* Nothing is known of the arguments from here on. */
void shell_variables_drop_arguments(struct shell_variables *variables);
