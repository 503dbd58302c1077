/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Arrays that grow by one item at a time. */

#include <stdlib.h>
#include <string.h>

/* Adds an item to the array whose pointer `items` is the address of, and which only this function has
 * allocated: the room doubles whenever `n_items` is a power of two. Returns the new item, to be filled in,
 * or NULL if memory is out; then nothing has changed. The caller frees the array with free(3). */
static inline void *array_add(void *items, size_t *n_items, size_t item_size) {
        char *grown;
        size_t n = *n_items;

        memcpy(&grown, items, sizeof(grown));
        /* No overflow: half of it is there. */
        if ((n & (n - 1)) == 0)
                grown = realloc(grown, (n ? 2 * n : 1) * item_size);
        if (!grown)
                return NULL;
        memcpy(items, &grown, sizeof(grown));
        return grown + (*n_items)++ * item_size;
}
