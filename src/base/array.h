/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Arrays that grow by one item at a time. */

#include <stdlib.h>
#include <string.h>

/* Makes room for one more item behind the `n_items` of `items`, which only this function has allocated: the
 * room doubles whenever `n_items` is a power of two. Returns the array, which may have moved, or NULL if
 * memory is out; `items` is still valid then. The caller frees it with free(3). */
static inline void *array_grow(void *items, size_t n_items, size_t item_size) {
        if (n_items & (n_items - 1))
                return items;
        /* No overflow: half of it is there. */
        return realloc(items, (n_items ? 2 * n_items : 1) * item_size);
}

/* Adds an item to the array whose pointer `items` is the address of. Returns the new item, to be filled in,
 * or NULL if memory is out; then nothing has changed. */
static inline void *array_add(void *items, size_t *n_items, size_t item_size) {
        char *grown;

        memcpy(&grown, items, sizeof(grown));
        grown = array_grow(grown, *n_items, item_size);
        if (!grown)
                return NULL;
        memcpy(items, &grown, sizeof(grown));
        return grown + (*n_items)++ * item_size;
}
