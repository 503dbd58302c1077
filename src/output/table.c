/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "output/table.h"

#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#include "base/array.h"
#include "base/log.h"
#include "base/text.h"
#include "output/terminal.h"

/* Running text is not broken into less than this: words would stand one below the other. In a table it gets
 * lines of its own then, so far behind the table's indent. */
#define NARROWEST 24
#define OWN_LINE 6

static bool is_ascii(const char *text, size_t size) {
        while (size > 0 && (unsigned char)*text < 0x80) {
                text++;
                size--;
        }
        return size == 0;
}

/* The columns of a text on a terminal. A locale is a file that is read: not for each cell. */
static int columns_of(const char *text, size_t size) {
        locale_t utf8, former;
        int columns = 0;

        if (is_ascii(text, size))
                return (int)size;
        utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
        former = uselocale(utf8);
        while (size > 0) {
                size_t length = text_utf8_length(text, size);
                wchar_t character;
                int wide = 1;

                /* Without such a locale it is one for each character. */
                if (length > 1 && mbtowc(&character, text, length) == (int)length)
                        wide = wcwidth(character);
                columns += wide >= 0 ? wide : 1;
                text += length > 0 ? length : 1;
                size -= length > 0 ? length : 1;
        }
        uselocale(former);
        if (utf8)
                freelocale(utf8);
        return columns;
}

/* Prints `text` where column `begin` has been reached; further lines begin at `hanging`. */
static void print_flowing(const char *text, int begin, int hanging) {
        int width = terminal_columns(STDOUT_FILENO), at = begin;
        bool is_first = true, is_broken = width - hanging >= NARROWEST;

        while (*text) {
                size_t size = strcspn(text, " ");
                int columns = columns_of(text, size);

                if (!is_first && is_broken && at + 1 + columns > width) {
                        printf("\n%*s", hanging, "");
                        at = hanging;
                } else if (!is_first) {
                        putchar(' ');
                        at++;
                }
                printf("%.*s", (int)size, text);
                is_first = false;
                at += columns;
                text += size;
                text += strspn(text, " ");
        }
}

void paragraph_print(const char *text, int indent, int hanging) {
        printf("%*s", indent, "");
        print_flowing(text, indent, hanging);
        putchar('\n');
}

void table_add(struct table *table, enum table_colour colour, const char *format, ...) {
        struct table_cell cell = { .colour = colour },
                          *cells = array_grow(table->cells, table->n_cells, sizeof(cell));
        va_list arguments;

        if (!cells) {
                table->is_broken = true;
                return;
        }
        table->cells = cells;
        va_start(arguments, format);
        if (vasprintf(&cell.text, format, arguments) < 0) {
                cell.text = NULL;
                table->is_broken = true;
        }
        if (cell.text)
                text_clean(cell.text);
        cell.columns = cell.text ? columns_of(cell.text, strlen(cell.text)) : 0;
        va_end(arguments);
        table->cells[table->n_cells++] = cell;
}

static bool is_coloured(void) {
        const char *no_colour = getenv("NO_COLOR");

        return terminal_is_capable(STDOUT_FILENO) && !(no_colour && *no_colour);
}

/* Prints what is in cell `i`; `begin` is the column that has been reached. */
static void print_text(const struct table *table, size_t i, int begin, bool is_last) {
        bool is_title = i < table->n_columns;
        int width;

        if (!is_last || !table->wraps_last) {
                fputs(table->cells[i].text, stdout);
                return;
        }
        width = terminal_columns(STDOUT_FILENO);
        if (width > 0 && width - begin < NARROWEST && !is_title) {
                begin = table->indent + OWN_LINE;
                printf("\n%*s", begin, "");
        }
        print_flowing(table->cells[i].text, begin, begin);
}

bool table_print(struct table *table) {
        static const char *const colours[] = { [TABLE_GREEN] = "\x1b[32m",
                                               [TABLE_YELLOW] = "\x1b[33m",
                                               [TABLE_RED] = "\x1b[1;31m",
                                               [TABLE_FAINT] = "\x1b[2m" };
        int widest[TABLE_COLUMNS_MAX] = { 0 }, begin = 0;
        bool has_colour = is_coloured(), is_whole = !table->is_broken;

        if (!is_whole)
                log_out_of_memory();

        for (size_t i = 0; i < table->n_cells; i++)
                if (table->cells[i].columns > widest[i % table->n_columns])
                        widest[i % table->n_columns] = table->cells[i].columns;
        for (size_t i = 0; i < table->n_cells && is_whole; i++) {
                const struct table_cell *cell = &table->cells[i];
                size_t column = i % table->n_columns;
                bool is_last = column + 1 == table->n_columns, is_number = table->is_number[column];
                bool is_coloured_cell = has_colour && cell->colour != TABLE_PLAIN;
                int padding = widest[column] - cell->columns;

                if (column == 0)
                        begin = printf("%*s", table->indent, "");
                printf("%*s%s", is_number ? padding : 0, "", is_coloured_cell ? colours[cell->colour] : "");
                print_text(table, i, begin, is_last);
                fputs(is_coloured_cell ? "\x1b[0m" : "", stdout);
                if (is_last)
                        putchar('\n');
                else
                        printf("%*s", is_number ? 2 : padding + 2, "");
                begin += widest[column] + 2;
        }
        for (size_t i = 0; i < table->n_cells; i++)
                free(table->cells[i].text);
        free(table->cells);
        *table = (struct table){ .n_columns = table->n_columns };
        return is_whole;
}
