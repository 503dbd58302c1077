/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* A terminal: its width, and what it can show. */

#include <stdbool.h>

/* The width of the terminal at `fd`; 0 if it is no terminal, or does not report it. */
int terminal_columns(int fd);

/* Whether `fd` is a terminal that knows colours and moves its cursor. */
bool terminal_is_capable(int fd);
