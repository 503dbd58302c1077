/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/pool.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

struct pool_piece {
        struct pool_piece *next;
        max_align_t data[];
};

void pool_free(struct pool *pool) {
        while (pool->pieces) {
                struct pool_piece *next = pool->pieces->next;

                free(pool->pieces);
                pool->pieces = next;
        }
        pool->failed = false;
}

void *pool_take(struct pool *pool, size_t size) {
        struct pool_piece *piece = calloc(1, sizeof(*piece) + size);

        if (!piece) {
                pool->failed = true;
                return NULL;
        }
        piece->next = pool->pieces;
        pool->pieces = piece;
        return piece->data;
}

void *pool_add(struct pool *pool, void *items, size_t *n_items, size_t item_size) {
        size_t n = *n_items;
        char *old, *grown;

        memcpy(&old, items, sizeof(old));
        grown = n & (n - 1) ? old : pool_take(pool, (n ? 2 * n : 1) * item_size);
        if (!grown)
                return NULL;
        if (grown != old && n > 0)
                memcpy(grown, old, n * item_size);
        memcpy(items, &grown, sizeof(grown));
        return grown + (*n_items)++ * item_size;
}

/* Callers write at most a NUL at the end of it. */
static char *empty_text(void) {
        static char empty[1];

        return empty;
}

char *pool_copy_part(struct pool *pool, const char *text, size_t size) {
        char *copy = pool_take(pool, size + 1);

        return copy ? memcpy(copy, text, size) : empty_text();
}

char *pool_copy(struct pool *pool, const char *text) {
        return pool_copy_part(pool, text, strlen(text));
}

char *pool_print(struct pool *pool, const char *format, ...) {
        va_list arguments;
        char *text;
        int size;

        va_start(arguments, format);
        size = vsnprintf(NULL, 0, format, arguments);
        va_end(arguments);
        text = pool_take(pool, (size_t)size + 1);
        if (!text)
                return empty_text();
        va_start(arguments, format);
        vsnprintf(text, (size_t)size + 1, format, arguments);
        va_end(arguments);
        return text;
}

/* The place of the text's index in the table, or the free one where it belongs. */
static size_t *find_slot(const struct pool_list *list, const char *text) {
        for (size_t i = text_hash(text);; i++) {
                size_t *slot = &list->slots[i & (list->n_slots - 1)];

                if (*slot == 0 || strcmp(list->items[*slot - 1], text) == 0)
                        return slot;
        }
}

/* For as many texts again, and more. */
static bool grow_table(struct pool *pool, struct pool_list *list) {
        size_t n_slots = list->n_slots > 0 ? 4 * list->n_slots : 16;
        size_t *slots = pool_take(pool, n_slots * sizeof(*slots));

        if (!slots)
                return false;
        list->slots = slots;
        list->n_slots = n_slots;
        for (size_t i = 0; i < list->n_items; i++)
                *find_slot(list, list->items[i]) = i + 1;
        return true;
}

void pool_list_add(struct pool *pool, struct pool_list *list, const char *text) {
        const char **item;
        size_t *slot;

        if (2 * list->n_items >= list->n_slots && !grow_table(pool, list))
                return;
        slot = find_slot(list, text);
        item = *slot == 0 ? pool_add(pool, &list->items, &list->n_items, sizeof(*item)) : NULL;
        if (!item)
                return;
        *item = pool_copy(pool, text);
        *slot = list->n_items;
}
