/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What a command shows while it works, on stderr: a line about its progress, if stderr is a terminal, and
 * questions. */

#include <stdbool.h>
#include <stddef.h>

/* A zeroed struct shows nothing. */
struct progress {
        bool is_shown;
        double begin;
        size_t n_done, n_all; /* n_all may change on the way */
        char what[96];        /* a few words on the current item */
};

void progress_open(struct progress *progress);
/* Draws it anew: how many items are done, and the time that the others will take. */
void progress_draw(const struct progress *progress);
/* The same with other words. */
__attribute__((format(printf, 2, 3))) void progress_print(const struct progress *progress,
                                                          const char *format, ...);
/* Removes it, before other output. */
void progress_clear(const struct progress *progress);

/* Asks; the result is the first letter of the answer in lower case, or 0 for none. */
__attribute__((format(printf, 1, 2))) char progress_ask(const char *format, ...);
