/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Prints each assignment that our reader sees in FILE as KEY=VALUE, one a line, for status with what
 * systemd makes of the same file. Bytes that do not print, backslashes and newlines are written as \xNN. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/whole_file.h"
#include "config/env_file.h"

static void print_bytes(const char *text, size_t size) {
        for (size_t i = 0; i < size; i++) {
                unsigned char byte = (unsigned char)text[i];

                if (byte < 0x20 || byte >= 0x7f || byte == '\\')
                        printf("\\x%02x", byte);
                else
                        putchar(byte);
        }
}

int main(int argc, char *argv[]) {
        CLEANUP(cleanup_free) char *text = NULL;
        struct env_assignment assignment;
        struct env_file reader;
        enum env_file_item item;
        size_t size;
        int r;

        if (argc != 2) {
                fputs("usage: env-dump FILE\n", stderr);
                return 2;
        }
        r = whole_file_read(argv[1], 1024 * 1024, &text, &size);
        if (r < 0) {
                fprintf(stderr, "%s: %s\n", argv[1], strerror(-r));
                return 1;
        }
        env_file_open(&reader, text, size);
        while ((item = env_file_next(&reader, &assignment)) != ENV_FILE_END) {
                if (item != ENV_FILE_ASSIGNMENT) {
                        fprintf(stderr, "%s:%u: refused (%d)\n", argv[1], assignment.line, (int)item);
                        continue;
                }
                print_bytes(assignment.key, assignment.key_size);
                putchar('=');
                print_bytes(assignment.value, assignment.value_size);
                putchar('\n');
        }
        return 0;
}
