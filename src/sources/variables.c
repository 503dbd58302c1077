/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/variables.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

/* Enough for any file; what comes then is not put into others. */
#define KNOWN_MAX 256

static int add(struct variables *variables, const struct shell_word *word, unsigned line) {
        struct variable *items = variables->items,
                        variable = { .line = line, .is_dynamic = word->is_dynamic };
        size_t size;
        const char *value = shell_assignment(word, &size);

        if (!value)
                return 0;
        variable.name = strndup(word->text, size);
        variable.value = strdup(value);
        if (!(variables->n_items & (variables->n_items - 1)))
                items = reallocarray(items, variables->n_items ? 2 * variables->n_items : 1, sizeof(*items));
        if (items)
                variables->items = items;
        if (!items || !variable.name || !variable.value) {
                free(variable.name);
                free(variable.value);
                return -ENOMEM;
        }
        items[variables->n_items++] = variable;
        return 0;
}

static bool is_assignments(const struct shell_command *command) {
        for (size_t i = 0; i < command->n_words; i++)
                if (!shell_assignment(&command->words[i], &(size_t){ 0 }))
                        return false;
        return true;
}

/* What is known by now, the last assignment of a name first. */
static size_t list_known(const struct variables *variables, struct shell_variable known[static KNOWN_MAX]) {
        size_t n = 0;

        for (size_t i = variables->n_items; i > 0 && n < KNOWN_MAX; i--)
                known[n++] = (struct shell_variable){ variables->items[i - 1].name,
                                                      variables->items[i - 1].is_dynamic
                                                                      ? NULL
                                                                      : variables->items[i - 1].value };
        return n;
}

int variables_read(const struct reading *reading, struct variables *ret) {
        CLEANUP(variables_free) struct variables variables = { 0 };
        CLEANUP(cleanup_free) struct shell_variable *known = calloc(KNOWN_MAX, sizeof(*known));
        struct shell_command command;
        struct shell shell;
        int r;

        if (!known)
                return -ENOMEM;
        shell_open(&shell, reading->text, reading->size, known, 0);
        while ((r = shell_next(&shell, &command)) > 0) {
                r = 0;
                for (size_t i = 0; i < command.n_words && r == 0; i++)
                        if (is_assignments(&command))
                                r = add(&variables, &command.words[i], command.line);
                shell_command_free(&command);
                if (r < 0)
                        return r;
                shell.n_variables = list_known(&variables, known);
        }
        if (r < 0)
                return r;
        if (shell.open_quote > 0)
                reading_fail(reading, shell.open_quote,
                             "a quote or bracket that begins here has no end; what comes after it is not "
                             "understood");
        *ret = variables;
        variables = (struct variables){ 0 };
        return 0;
}

void variables_free(struct variables *variables) {
        for (size_t i = 0; i < variables->n_items; i++) {
                free(variables->items[i].name);
                free(variables->items[i].value);
        }
        free(variables->items);
        *variables = (struct variables){ 0 };
}

const struct variable *variables_find(const struct variables *variables, const char *name) {
        for (size_t i = variables->n_items; i > 0; i--)
                if (strcmp(variables->items[i - 1].name, name) == 0)
                        return &variables->items[i - 1];
        return NULL;
}

const char *variables_value(const struct variables *variables, const char *name) {
        const struct variable *variable = variables_find(variables, name);

        return variable && !variable->is_dynamic ? variable->value : NULL;
}
