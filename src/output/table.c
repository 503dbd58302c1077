/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "output/table.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "output/paragraph.h"

void table_add(struct table *table, enum table_colour colour, const char *format, ...) {
        struct table_cell cell = { .colour = colour };
        va_list arguments;

        if (table->n_cells == table->n_allocated) {
                size_t n = table->n_allocated ? 2 * table->n_allocated : 64;
                struct table_cell *cells = reallocarray(table->cells, n, sizeof(*cells));

                if (!cells) {
                        table->is_broken = true;
                        return;
                }
                table->cells = cells;
                table->n_allocated = n;
        }
        va_start(arguments, format);
        if (vasprintf(&cell.text, format, arguments) < 0) {
                cell.text = NULL;
                table->is_broken = true;
        }
        va_end(arguments);
        table->cells[table->n_cells++] = cell;
}

/* Columns on a terminal, a character each. */
static int width(const char *text) {
        size_t size = text ? strlen(text) : 0;
        int columns = 0;

        while (size > 0) {
                size_t length = text_utf8_length(text, size);

                if (length == 0)
                        length = 1;
                text += length;
                size -= length;
                columns++;
        }
        return columns;
}

static const char *colour_begin(enum table_colour colour) {
        switch (colour) {
        case TABLE_GREEN:
                return "\x1b[32m";
        case TABLE_YELLOW:
                return "\x1b[33m";
        case TABLE_RED:
                return "\x1b[1;31m";
        case TABLE_FAINT:
                return "\x1b[2m";
        case TABLE_PLAIN:
                break;
        }
        return "";
}

static bool is_coloured(void) {
        const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");

        return isatty(STDOUT_FILENO) && !(no_colour && *no_colour) &&
               !(terminal && strcmp(terminal, "dumb") == 0);
}

static void print_spaces(int n) {
        while (n-- > 0)
                putchar(' ');
}

/* Less room than this is none for running text: it gets a line of its own. */
#define NARROWEST 24
#define OWN_LINE 6

/* Where the running text of a row begins. */
static int text_column(const struct table *table, int begin, bool is_title) {
        int width = paragraph_width();

        if (width == 0 || width - begin >= NARROWEST || is_title)
                return begin;
        printf("\n%*s", table->indent + OWN_LINE, "");
        return table->indent + OWN_LINE;
}

/* `column` is where it begins, for running text; otherwise -1. */
static void print_cell(const struct table_cell *cell, int wide, bool is_number, bool is_last,
                       bool has_colour, int column) {
        int padding = wide - width(cell->text);
        bool coloured = has_colour && cell->colour != TABLE_PLAIN;

        if (is_number)
                print_spaces(padding);
        if (coloured)
                fputs(colour_begin(cell->colour), stdout);
        if (cell->text && column >= 0)
                paragraph_flow(cell->text, column, column);
        else if (cell->text)
                fputs(cell->text, stdout);
        if (coloured)
                fputs("\x1b[0m", stdout);
        if (!is_last)
                print_spaces(is_number ? 2 : padding + 2);
}

bool table_print(struct table *table) {
        int widest[TABLE_COLUMNS_MAX] = { 0 }, begin = table->indent;
        bool has_colour = is_coloured(), is_whole = !table->is_broken;

        for (size_t i = 0; i < table->n_cells; i++) {
                size_t column = i % table->n_columns;
                int wide = width(table->cells[i].text);

                if (wide > widest[column])
                        widest[column] = wide;
        }
        for (size_t i = 0; i + 1 < table->n_columns; i++)
                begin += widest[i] + 2;
        for (size_t i = 0; i < table->n_cells; i++) {
                size_t column = i % table->n_columns;
                bool is_last = column + 1 == table->n_columns;

                int text = -1;

                if (column == 0)
                        print_spaces(table->indent);
                if (is_last && table->wraps_last)
                        text = text_column(table, begin, i < table->n_columns);
                print_cell(&table->cells[i], widest[column], table->is_number[column], is_last, has_colour,
                           text);
                if (is_last)
                        putchar('\n');
                free(table->cells[i].text);
        }
        free(table->cells);
        *table = (struct table){ .n_columns = table->n_columns };
        return is_whole;
}
