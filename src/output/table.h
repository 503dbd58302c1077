/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* A table for people: columns padded to their widest cell. */

#include <stdbool.h>
#include <stddef.h>

#define TABLE_COLUMNS_MAX 10

enum table_colour { TABLE_PLAIN, TABLE_GREEN, TABLE_YELLOW, TABLE_RED, TABLE_FAINT };

struct table_cell {
        char *text; /* owned by the table */
        enum table_colour colour;
};

struct table {
        size_t n_columns;
        bool is_number[TABLE_COLUMNS_MAX]; /* set to the right */
        int indent;                        /* spaces before each row */
        bool wraps_last; /* the last column is running text; on a terminal it is broken at spaces */
        size_t n_cells;
        struct table_cell *cells; /* private, and what follows */
        size_t n_allocated;
        bool is_broken; /* out of memory: what is there is not all */
};

/* Adds a cell: the next one of its row, or the first of the next row. `format` is as for printf(3). */
__attribute__((format(printf, 3, 4))) void table_add(struct table *table, enum table_colour colour,
                                                     const char *format, ...);

/* Prints all rows on stdout, with colour where that is a terminal and NO_COLOR is not set (no-color.org),
 * and empties the table. False where memory has been out. */
bool table_print(struct table *table);
