/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/shell/shell_file.h"

/* Only the last variables are expanded; enough for any file. */
#define KNOWN_MAX 256

static bool is_assignments(const struct shell_command *command) {
        size_t size;

        for (size_t i = 0; i < command->n_words; i++)
                if (!shell_assignment(&command->words[i], &size) || command->words[i].text[size] != '=')
                        return false;
        return true;
}

struct shell_variables shell_file_read(const struct source_parser *parser) {
        struct shell_variables variables = { 0 }, known = { 0 };
        struct pool *pool = source_pool(parser);
        struct shell shell = shell_open(pool, parser->text, parser->size, &known);
        struct shell_command command;

        while (shell_next(&shell, &command)) {
                if (!is_assignments(&command))
                        continue;
                if (variables.n_items + command.n_words > SOURCES_MAX) {
                        source_fail(parser, command.line, "is the one after %zu variables" SOURCE_CUT,
                                    variables.n_items);
                        return variables;
                }
                for (size_t i = 0; i < command.n_words; i++) {
                        struct shell_variable variable = { .line = command.line,
                                                           .is_dynamic = command.words[i].is_dynamic };
                        size_t size = 0;

                        variable.value = shell_assignment(&command.words[i], &size);
                        variable.name = pool_copy_part(pool, command.words[i].text, size);
                        shell_variables_add(pool, &variables, variable);
                }
                known = variables;
                if (known.n_items > KNOWN_MAX) {
                        known.items += known.n_items - KNOWN_MAX;
                        known.n_items = KNOWN_MAX;
                }
        }
        shell_report_quote(parser, shell.open_quote, 1);
        return variables;
}
