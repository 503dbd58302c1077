/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "output/paragraph.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* No narrower: words would stand one below the other. */
#define NARROWEST 24

int paragraph_width(void) {
        struct winsize size;

        return isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/* Characters of a text in UTF-8: bytes that do not continue one. */
static int columns_of(const char *text, size_t size) {
        int columns = 0;

        for (size_t i = 0; i < size; i++)
                columns += ((unsigned char)text[i] & 0xc0) != 0x80;
        return columns;
}

void paragraph_flow(const char *text, int begin, int hanging) {
        int width = paragraph_width(), at = begin;
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
        paragraph_flow(text, indent, hanging);
        putchar('\n');
}
