/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stddef.h>

#include "base/attributes.h"
#include "base/pool.h"

/* The arguments of a program. A zeroed struct is empty. */
struct process_words {
        struct pool pool; /* for words that are built; its `failed` is set if any allocation failed */
        const char **items;
        size_t n_items;
};

/* Adds `word` without a copy. The array always ends in NULL. */
void process_words_add(struct process_words *words, const char *word);
void process_words_cleanup(struct process_words *words); /* for CLEANUP() */

/* Runs a program and waits for it. `words` ends in NULL; its first item is searched in $PATH. Returns the
 * exit status, or a negative errno: -ECANCELED if a signal ended the program. */
MUST_USE int process_run(const char *const *words);
