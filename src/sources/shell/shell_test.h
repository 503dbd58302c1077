/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What test(1), [ and [[ decide, and what their result tells of variables. */

#include "sources/shell/shell_state.h"

enum shell_truth {
        SHELL_UNKNOWN, /* only the running shell can tell */
        SHELL_TRUE,
        SHELL_FALSE,
};

#define SHELL_FACTS_MAX 8u

struct shell_facts {
        struct shell_fact items[SHELL_FACTS_MAX];
        size_t n_items;
};

struct shell_test {
        enum shell_truth truth;
        bool is_for_hook;            /* only the device or the event decides for which a hook is run */
        struct shell_facts if_true;  /* what holds if it is true */
        struct shell_facts if_false; /* if it is not */
};

/* `command` begins with test, [ or [[. The facts' texts are in the pool. */
struct shell_test shell_test_read(struct shell_flow *flow, const struct shell_command *command);

/* Whether `word` matches a pattern of `case` or, with [[, of `==`. */
enum shell_truth shell_test_pattern(struct shell_flow *flow, const struct shell_word *word,
                                    const struct shell_word *pattern);

/* The variable that a word is, and nothing else: $NAME, ${NAME}, $1; in the pool. NULL: none. */
const char *shell_test_variable(struct pool *pool, const struct shell_word *word);

/* What is known of the value of a word that is such a variable: its `among`. */
const char *shell_test_among(struct shell_flow *flow, const struct shell_word *word);

/* Whether the word is what a hook gets, and the value another one than it gets when a device goes down. */
bool shell_test_is_for_hook(struct shell_flow *flow, const struct shell_word *word,
                            const struct shell_word *value);
