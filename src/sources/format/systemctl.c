/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "base/text.h"
#include "sources/format/readers.h"
#include "sources/shell/shell.h"

/* What stands behind systemctl. */
static void read_arguments(struct pool *pool, const struct shell_command *arguments,
                           struct pool_list *units) {
        bool is_starting = false;

        for (size_t i = 0; i < arguments->n_words && units->n_items < SOURCES_MAX; i++) {
                const char *word = arguments->words[i].text;

                if (*word == '-' || !*word)
                        continue;
                if (!is_starting && !text_is_among(word, "start restart reload-or-restart enable"))
                        return;
                if (is_starting && !arguments->words[i].is_dynamic && !strpbrk(word, "/$`\"' \t\n"))
                        (void)pool_list_add(pool, units,
                                            strchr(word, '.') ? word : pool_print(pool, "%s.service", word));
                is_starting = true;
        }
}

void source_systemctl_starts(struct pool *pool, const char *text, struct pool_list *units) {
        struct shell shell = shell_open(pool, text, strlen(text), NULL);
        struct shell_command command;

        /* Whatever wraps it; in `sh -c TEXT`, it is inside a word. */
        while (shell_next(&shell, &command))
                for (size_t i = 0; i < command.n_words; i++) {
                        const char *word = command.words[i].text;
                        const struct shell_command arguments = shell_command_rest(&command, i + 1);

                        if (strcmp(text_base_name(word), "systemctl") == 0)
                                read_arguments(pool, &arguments, units);
                        else if (strlen(word) < strlen(text) && strstr(word, "systemctl "))
                                source_systemctl_starts(pool, word, units);
                }
}
