/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* A terminal: its width, what it can show, and text that is broken at words to fit it. */

#include <stdbool.h>
#include <stddef.h>

/* Text is not wrapped to fewer columns than this. */
#define TERMINAL_NARROWEST 24

/* The width of the terminal at `fd`; 0 if it is no terminal, or does not report it. */
int terminal_columns(int fd);

/* Whether `fd` is a terminal that knows colours and moves its cursor. */
bool terminal_is_capable(int fd);

/* Whether the user's locale uses UTF-8. */
bool terminal_is_utf8(void);

/* The columns that a text takes on a terminal. Text is UTF-8 whatever the locale is, because the names of
 * devices are. */
int terminal_text_columns(const char *text, size_t size);

/* How many bytes of a text fit into a line of `columns`, broken at a space; at least one word, even if it is
 * too wide. All of it if `columns` is 0. */
size_t terminal_fit(const char *text, int columns);
