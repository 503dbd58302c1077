/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stddef.h>

#include "base/attributes.h"
#include "base/pool.h"

/* The words of a call. One that is all zeros is empty. */
struct process_words {
        struct pool pool; /* for words that are made; its `failed` speaks for all */
        const char **items;
        size_t n_items;
};

/* Does not copy it. The last one is NULL. */
void process_words_add(struct process_words *words, const char *word);
void process_words_cleanup(struct process_words *words); /* for CLEANUP() */

/* Runs a program to its end; `words` ends in NULL, and the first of them is looked for in $PATH. Its exit
 * status, or a negative errno: -ECANCELED where a signal has ended it. */
MUST_USE int process_run(const char *const *words);

/* Starts one and does not wait for it, for a caller that ignores SIGCHLD. What it prints goes to stderr. 0,
 * or a negative errno. */
MUST_USE int process_start(const char *const *words);
