/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "base/text.h"
#include "sources/format/readers.h"

/* A word without the quotes and operators of a shell around it. `ret_is_last`: an operator ends the command
 * behind it. */
static const char *bare_word(char *word, bool *ret_is_last) {
        static const char around[] = "\"'`();&|";
        size_t size;

        word += strspn(word, around);
        size = strcspn(word, around);
        *ret_is_last = word[size] != '\0';
        word[size] = '\0';
        return word;
}

/* What stands behind systemctl. */
static void read_arguments(struct pool *pool, char **rest, const char ***units, size_t *n_units) {
        bool is_starting = false, is_last = false;
        char *next;

        while (!is_last && *n_units < SOURCES_MAX && (next = lines_word(rest))) {
                const char *word = bare_word(next, &is_last);

                if (*word == '-' || !*word)
                        continue;
                if (!is_starting && !text_is_among(word, "start restart reload-or-restart"))
                        return;
                if (is_starting && !strpbrk(word, "/$<>"))
                        (void)pool_add_once(pool, units, n_units,
                                            strchr(word, '.') ? word : pool_print(pool, "%s.service", word));
                is_starting = true;
        }
}

void source_systemctl_starts(struct pool *pool, const char *text, const char ***units, size_t *n_units) {
        char *left = pool_copy(pool, text), *line, *word;
        bool is_last;

        while ((line = strsep(&left, "\n")))
                while (*line != '#' && (word = lines_word(&line)))
                        if (strcmp(text_base_name(bare_word(word, &is_last)), "systemctl") == 0 && !is_last)
                                read_arguments(pool, &line, units, n_units);
}
