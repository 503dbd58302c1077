/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What test(1), [ and [[ decide, and what their result tells of variables. */

#include "sources/shell/shell_state.h"

enum shell_truth {
        SHELL_UNKNOWN, /* only the running shell can tell */
        SHELL_TRUE,
        SHELL_FALSE,
};

struct shell_test {
        enum shell_truth truth;
        bool is_for_hook;            /* only the device or the event decides for which a hook is run */
        struct shell_facts if_true;  /* what holds if it is true */
        struct shell_facts if_false; /* if it is not */
};

/* `command` begins with test, [ or [[. The facts' texts are in the pool. */
struct shell_test shell_test_read(struct shell_flow *flow, const struct shell_command *command);

/* Whether the word of `case` matches one of the patterns of a branch, likewise. */
struct shell_test shell_test_case(struct shell_flow *flow, const struct shell_word *word,
                                  const struct shell_word *patterns, size_t n);

/* Where the script goes on, and with what. */
struct shell_outcome shell_test_outcome(struct shell_flow *flow, const struct shell_test *test);

/* The variable that a word is, and nothing else: $NAME, ${NAME}, $1; in the pool. NULL: none. */
const char *shell_test_variable(struct pool *pool, const struct shell_word *word);

/* What is known of the value of a word that is such a variable: its `among`. */
const char *shell_test_among(struct shell_flow *flow, const struct shell_word *word);
