/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Tables and running text on stdout. Text is UTF-8 in any locale, because the names of devices are. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attributes.h"

#define TABLE_COLUMNS_MAX 11

enum table_colour { TABLE_PLAIN, TABLE_GREEN, TABLE_YELLOW, TABLE_RED, TABLE_FAINT };

struct table_cell {
        char *text;  /* owned by the table; NULL: memory has been out */
        int columns; /* that it takes */
        enum table_colour colour;
};

/* Columns are padded to their widest cell. */
struct table {
        size_t n_columns;
        bool is_number[TABLE_COLUMNS_MAX]; /* set to the right */
        int indent;                        /* spaces before each row */
        size_t n_cells;
        struct table_cell *cells; /* private, and what follows */
        bool is_broken;           /* out of memory: what is there is not all */
};

/* Adds a cell: the next one of its row, or the first of the next row. `format` is as for printf(3); what is
 * not harmless on a terminal is escaped. */
__attribute__((format(printf, 3, 4))) void table_add(struct table *table, enum table_colour colour,
                                                     const char *format, ...);

/* The same for a text, and a number; `otherwise`, faintly, if the text is NULL, or the number 0. */
void table_add_text(struct table *table, const char *text, const char *otherwise);
void table_add_number(struct table *table, uint32_t number, const char *otherwise);

/* Prints all rows, with colour where stdout is a terminal and NO_COLOR is not set (no-color.org), and
 * empties the table. Where memory has been out it prints none of them, says so, and returns false. */
MUST_USE bool table_print(struct table *table);

/* Prints a paragraph behind `indent` spaces, and a newline. On a terminal it is broken at spaces, and
 * further lines begin at column `hanging`; otherwise it is one line. `format` is as for table_add(); what
 * does not fit into a generous buffer is cut. */
__attribute__((format(printf, 3, 4))) void paragraph_print(int indent, int hanging, const char *format, ...);
/* The same of a text as it is, with lines of `width` columns, also if stdout is no terminal. */
void paragraph_print_within(const char *text, int indent, int hanging, int width);
