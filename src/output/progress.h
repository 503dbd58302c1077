/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* A progress line on stderr; nothing if stderr is no terminal. */

#include <stdbool.h>
#include <stddef.h>

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
/* Removes it, before other output. */
void progress_clear(struct progress *progress);
