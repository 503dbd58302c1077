/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Memory that is freed as a whole; pieces are not freed one by one. An allocation that fails is recorded, so
 * that a caller checks once, at the end, whether all have succeeded. Each piece is an allocation of its own,
 * so that a sanitizer sees accesses beyond it. */

#include <stdbool.h>
#include <stddef.h>

struct pool_piece;

/* One that is all zeros is empty. */
struct pool {
        struct pool_piece *pieces;
        bool failed; /* out of memory, at least once */
};

/* For CLEANUP(), too. */
void pool_free(struct pool *pool);

/* `size` bytes that are all zeros, or NULL. */
void *pool_take(struct pool *pool, size_t size);

/* Adds an item to the array whose pointer `items` is the address of, and which only this function takes from
 * the pool: the room doubles whenever `n_items` is a power of two. Returns the new item, to be filled in, or
 * NULL; then nothing has changed. */
void *pool_add(struct pool *pool, void *items, size_t *n_items, size_t item_size);

/* Texts, each once. One that is all zeros is empty. */
struct pool_list {
        const char **items; /* in the order in which they were added */
        size_t n_items;
        size_t *slots; /* a hash table of their indices plus 1; 0: free */
        size_t n_slots;
};

/* Adds a copy of the text, unless it is there. */
void pool_list_add(struct pool *pool, struct pool_list *list, const char *text);

/* Texts with a NUL behind them. None of these returns NULL: if memory is out, the text is empty. */
char *pool_copy(struct pool *pool, const char *text);
char *pool_copy_part(struct pool *pool, const char *text, size_t size);
__attribute__((format(printf, 2, 3))) char *pool_print(struct pool *pool, const char *format, ...);
