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

/* The indent, beyond the table's, of running text on lines of its own: if it would be narrower than
 * TERMINAL_NARROWEST. */
#define OWN_LINE 6

/* printf(3) would be most of the work for a large table. */
static void print_spaces(int n) {
        while (n-- > 0)
                putchar_unlocked(' ');
}

/* Prints `text` from column `begin`; further lines begin at `hanging`. */
static void print_flowing(const char *text, int begin, int hanging, int width) {
        bool is_broken = width - hanging >= TERMINAL_NARROWEST;

        for (;;) {
                size_t size = terminal_fit(text, is_broken ? width - begin : 0);

                fwrite(text, 1, size, stdout);
                text += size + strspn(text + size, " ");
                if (!*text)
                        return;
                putchar('\n');
                print_spaces(hanging);
                begin = hanging;
        }
}

void paragraph_print_within(const char *text, int indent, int hanging, int width) {
        char escaped[8192];

        print_spaces(indent);
        print_flowing(text_for_terminal(escaped, sizeof(escaped), text), indent, hanging, width);
        putchar('\n');
}

void paragraph_print(int indent, int hanging, const char *format, ...) {
        char text[2048];

        TEXT_FORMAT(text, sizeof(text), format);
        paragraph_print_within(text, indent, hanging, terminal_columns(STDOUT_FILENO));
}

void table_add(struct table *table, enum table_colour colour, const char *format, ...) {
        struct table_cell *cell = array_add(&table->cells, &table->n_cells, sizeof(*cell));
        char formatted[4096], escaped[4096];
        const char *text = formatted;
        va_list arguments;

        table->is_broken |= !cell;
        if (!cell)
                return;
        va_start(arguments, format);
        /* Most cells need no formatting. */
        if (strcmp(format, "%s") == 0)
                text = va_arg(arguments, const char *);
        else if (vsnprintf(formatted, sizeof(formatted), format, arguments) < 0) {
                table->is_broken = true;
                text = "";
        }
        va_end(arguments);
        if (!text_is_plain(text))
                text = text_for_terminal(escaped, sizeof(escaped), text);
        *cell = (struct table_cell){ strdup(text), terminal_text_columns(text, strlen(text)), colour };
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

struct layout {
        int width;                      /* of the terminal; 0: there is none */
        int columns[TABLE_COLUMNS_MAX]; /* of the widest cell */
        bool is_hidden[TABLE_COLUMNS_MAX];
        size_t last; /* the last column that is shown */
};

/* Running text in the last column takes the remaining width, or lines of its own: only its title counts. */
static int width_of(const struct table *table, const struct layout *layout) {
        bool ends_in_text = table->is_text[layout->last] && table->n_cells > 0;
        int width = table->indent +
                    (ends_in_text ? table->cells[layout->last].columns : layout->columns[layout->last]);

        for (size_t i = 0; i < layout->last; i++)
                if (!layout->is_hidden[i])
                        width += layout->columns[i] + 2;
        return width;
}

/* The next column to hide; the number of columns if there is none. */
static size_t next_to_hide(const struct table *table, const struct layout *layout) {
        size_t next = table->n_columns;

        for (size_t i = 0; i < table->n_columns; i++)
                if (table->gives_way[i] > 0 && !layout->is_hidden[i] &&
                    (next == table->n_columns || table->gives_way[i] < table->gives_way[next]))
                        next = i;
        return next;
}

static void lay_out(const struct table *table, struct layout *ret) {
        *ret = (struct layout){ .width = terminal_columns(STDOUT_FILENO), .last = table->n_columns - 1 };
        for (size_t i = 0; i < table->n_cells; i++)
                if (table->cells[i].columns > ret->columns[i % table->n_columns])
                        ret->columns[i % table->n_columns] = table->cells[i].columns;
        while (ret->width > 0 && !table->is_wide && width_of(table, ret) > ret->width) {
                size_t next = next_to_hide(table, ret);

                if (next == table->n_columns)
                        break;
                ret->is_hidden[next] = true;
                while (ret->is_hidden[ret->last])
                        ret->last--;
        }
}

static int widest_word(const char *text) {
        int widest = 0;

        while (*text) {
                size_t size = strcspn(text, " ");
                int columns = terminal_text_columns(text, size);

                widest = columns > widest ? columns : widest;
                text += size + strspn(text + size, " ");
        }
        return widest;
}

/* Prints the last cell of a row, `gap` spaces after the one before it, from column `begin`. Running text has
 * lines of its own if there is no room for it. */
static void print_last(const struct table *table, const struct layout *layout, const struct table_cell *cell,
                       int gap, int begin) {
        bool is_title = cell < table->cells + table->n_columns && !strchr(cell->text, ' ');
        int room = layout->width - begin;

        if (table->is_text[layout->last] && layout->width > 0 && !is_title && cell->columns > room &&
            (room < TERMINAL_NARROWEST || widest_word(cell->text) > room)) {
                gap = begin = table->indent + OWN_LINE;
                putchar('\n');
        }
        print_spaces(*cell->text ? gap : 0);
        if (table->is_text[layout->last])
                print_flowing(cell->text, begin, begin, layout->width);
        else
                fputs(cell->text, stdout);
}

static void print_row(const struct table *table, const struct layout *layout, size_t first,
                      bool has_colour) {
        static const char *const colours[] = { [TABLE_GREEN] = "\x1b[32m",
                                               [TABLE_YELLOW] = "\x1b[33m",
                                               [TABLE_RED] = "\x1b[1;31m",
                                               [TABLE_FAINT] = "\x1b[2m" };
        int begin = table->indent, gap = table->indent;

        for (size_t i = 0; i <= layout->last; i++) {
                const struct table_cell *cell = &table->cells[first + i];
                bool is_coloured = has_colour && cell->colour != TABLE_PLAIN;
                int padding = layout->columns[i] - cell->columns;

                if (layout->is_hidden[i])
                        continue;
                if (table->is_number[i])
                        gap += padding;
                if (i < layout->last)
                        print_spaces(gap);
                if (is_coloured)
                        fputs(colours[cell->colour], stdout);
                if (i == layout->last)
                        print_last(table, layout, cell, gap, begin);
                else
                        fputs(cell->text, stdout);
                if (is_coloured)
                        fputs("\x1b[0m", stdout);
                gap = table->is_number[i] ? 2 : padding + 2;
                begin += layout->columns[i] + 2;
        }
        putchar('\n');
}

bool table_print(struct table *table) {
        const char *no_colour = getenv("NO_COLOR");
        bool has_colour = terminal_is_capable(STDOUT_FILENO) && !(no_colour && *no_colour);
        bool is_whole = !table->is_broken;
        struct layout layout;

        if (is_whole) {
                lay_out(table, &layout);
                for (size_t i = 0; i < table->n_cells; i += table->n_columns)
                        print_row(table, &layout, i, has_colour);
        } else
                log_out_of_memory();
        for (size_t i = 0; i < table->n_cells; i++)
                free(table->cells[i].text);
        free(table->cells);
        *table = (struct table){ .n_columns = table->n_columns };
        return is_whole;
}
