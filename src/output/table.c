/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "output/table.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/log.h"
#include "base/terminal.h"
#include "base/text.h"

/* Text is not broken into lines of fewer columns than this. */
#define NARROWEST 24

/* Each character counts as one column. */
static int columns_of(const char *text, size_t size) {
        int columns = 0;

        while (size-- > 0)
                columns += (*text++ & 0xc0) != 0x80;
        return columns;
}

/* How many bytes of a text fit into a line, broken at a space; at least one word. */
static size_t fitting_size(const char *text, int columns) {
        size_t fits = strcspn(text, " ");

        while (text[fits]) {
                size_t word = fits + strspn(text + fits, " "), end = word + strcspn(text + word, " ");

                if (columns_of(text, end) > columns)
                        break;
                fits = end;
        }
        return fits;
}

void paragraph_print_within(const char *text, int indent, int hanging, int width) {
        bool is_broken = width - hanging >= NARROWEST;
        char escaped[8192];

        text = text_for_terminal(escaped, sizeof(escaped), text);
        do {
                size_t size = is_broken ? fitting_size(text, width - indent) : strlen(text);

                printf("%*s%.*s\n", indent, "", (int)size, text);
                text += size + strspn(text + size, " ");
                indent = hanging;
        } while (*text);
}

void paragraph_print(int indent, int hanging, const char *format, ...) {
        char text[2048];

        TEXT_FORMAT(text, sizeof(text), format);
        paragraph_print_within(text, indent, hanging, terminal_columns(STDOUT_FILENO));
}

void table_add(struct table *table, enum table_colour colour, const char *format, ...) {
        struct table_cell *cell = array_add(&table->cells, &table->n_cells, sizeof(*cell));
        char text[4096], escaped[4096];

        table->is_broken |= !cell;
        if (!cell)
                return;
        TEXT_FORMAT(text, sizeof(text), format);
        text_for_terminal(escaped, sizeof(escaped), text);
        *cell = (struct table_cell){ strdup(escaped), columns_of(escaped, strlen(escaped)), colour };
        table->is_broken |= !cell->text;
}

void table_add_text(struct table *table, const char *text, const char *otherwise) {
        table_add(table, text ? TABLE_PLAIN : TABLE_FAINT, "%s", text ? text : otherwise);
}

void table_add_number(struct table *table, uint32_t number, const char *otherwise) {
        if (number > 0)
                table_add(table, TABLE_PLAIN, "%u", number);
        else
                table_add_text(table, NULL, otherwise);
}

static void print_row(const struct table *table, const int *widths, const struct table_cell *cells,
                      bool has_colour) {
        static const char *const colours[] = { [TABLE_GREEN] = "\x1b[32m",
                                               [TABLE_YELLOW] = "\x1b[33m",
                                               [TABLE_RED] = "\x1b[1;31m",
                                               [TABLE_FAINT] = "\x1b[2m" };
        int gap = table->indent;

        for (size_t i = 0; i < table->n_columns; i++) {
                const char *colour = has_colour ? colours[cells[i].colour] : NULL;
                int padding = widths[i] - cells[i].columns;

                if (table->is_number[i])
                        gap += padding;
                /* No row ends in spaces. */
                printf("%*s%s%s%s", i + 1 < table->n_columns || *cells[i].text ? gap : 0, "",
                       colour ? colour : "", cells[i].text, colour ? "\x1b[0m" : "");
                gap = table->is_number[i] ? 2 : padding + 2;
        }
        putchar('\n');
}

bool table_print(struct table *table) {
        const char *no_colour = getenv("NO_COLOR");
        bool has_colour = terminal_is_capable(STDOUT_FILENO) && !(no_colour && *no_colour);
        bool is_whole = !table->is_broken;
        int widths[TABLE_COLUMNS_MAX] = { 0 };

        for (size_t i = 0; i < table->n_cells; i++)
                if (table->cells[i].columns > widths[i % table->n_columns])
                        widths[i % table->n_columns] = table->cells[i].columns;
        for (size_t i = 0; is_whole && i < table->n_cells; i += table->n_columns)
                print_row(table, widths, &table->cells[i], has_colour);
        if (!is_whole)
                log_out_of_memory();
        for (size_t i = 0; i < table->n_cells; i++)
                free(table->cells[i].text);
        free(table->cells);
        *table = (struct table){ .n_columns = table->n_columns };
        return is_whole;
}
