/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Ends a variable's life with its scope: `CLEANUP(cleanup_free) char *text = NULL;`. The variable must be
 * initialised. See "cleanup" in gcc's Common Variable Attributes. */

#include <stdlib.h>
#include <unistd.h>

#define CLEANUP(function) __attribute__((cleanup(function)))

/* `pointer` is the address of a pointer from malloc() or the like, or of NULL. */
static inline void cleanup_free(void *pointer) {
        free(*(void **)pointer);
}

/* `fd` is the address of an open descriptor, or of a negative number. */
static inline void cleanup_close(const int *fd) {
        if (*fd >= 0)
                close(*fd);
}
