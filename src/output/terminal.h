/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The terminal that a person sits at: what it can show, and one line on stderr that says how far something
 * is; nothing where stderr is no terminal. */

#include <stdbool.h>
#include <stddef.h>

/* The width of the terminal at `fd`; 0: it is none, or does not say. */
int terminal_columns(int fd);

/* Whether `fd` is a terminal that knows colours and moves its cursor. */
bool terminal_is_capable(int fd);

/* Whether it is to be UTF-8, by the user's locale. */
bool terminal_is_utf8(void);

struct progress {
        bool is_shown; /* it may be drawn at all */
        bool is_drawn; /* and is there now */
        double begin;
        size_t n_done, n_all; /* n_all may change on the way */
        char what[40];        /* a few words behind the bar */
};

void progress_open(struct progress *progress);
/* Draws it anew. */
void progress_draw(struct progress *progress);
/* Takes it away: before anything else is said. */
void progress_clear(struct progress *progress);
