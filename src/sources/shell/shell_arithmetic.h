/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* $(( … )): POSIX XCU 2.6.4, as far as scripts compute MTUs and the numbers of devices. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Computes + - * / % and parentheses of decimal numbers and variables. `value_of` returns the value of a
 * variable or argument; NULL: only the running shell can tell. False if the result cannot be told, or is not
 * from 0 to INT32_MAX. */
bool shell_arithmetic(const char *text, size_t size,
                      const char *(*value_of)(void *userdata, const char *name, size_t size), void *userdata,
                      uint32_t *ret);
