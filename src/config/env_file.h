/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Reads text in the syntax of systemd's EnvironmentFile=, one assignment at a time: systemd.exec(5);
 * parse_env_file_internal() in its src/basic/env-file.c, as of version 254: a comment that ends in a
 * backslash ends there. Finds the same values as systemd, and reports mistakes that systemd ignores. Does
 * not interpret keys or values. */

#include <stdbool.h>
#include <stddef.h>

/* The largest assignment with its continuation lines, in bytes; a larger one is rejected. */
#define ENV_FILE_LINE_MAX 4096

struct env_file {
        const char *text; /* not owned; may hold any byte */
        size_t size;
        size_t position;
        unsigned line; /* of `position`, counted from 1 */
};

enum env_file_item {
        ENV_FILE_END,
        ENV_FILE_ASSIGNMENT,
        /* The rest are mistakes; reading continues with the next line. */
        ENV_FILE_NO_EQUALS_SIGN,
        ENV_FILE_EMPTY_KEY,
        ENV_FILE_OPEN_QUOTE,
        ENV_FILE_NUL,
        ENV_FILE_TOO_LONG,
};

struct env_assignment {
        unsigned line;   /* where it begins */
        size_t key_size; /* the whole line's beginning if there is no "=" */
        size_t value_size;
        bool has_newline;   /* in its value: a quote was open at the end of a line */
        size_t key_begin;   /* its position in the text; this and the next in bytes, too */
        size_t value_begin; /* after the "="; 0 if none was read */
        size_t end;         /* after the last byte, a newline not counted; of a mistake, of its first line */
        char key[ENV_FILE_LINE_MAX + 1];   /* with a NUL */
        char value[ENV_FILE_LINE_MAX + 1]; /* the same; undefined for a mistake */
};

void env_file_open(struct env_file *ret, const char *text, size_t size);

/* The next assignment or mistake; `ret` is filled for both, as far as it was read. */
enum env_file_item env_file_next(struct env_file *reader, struct env_assignment *ret);

/* Treats `assignment` as a mistake that ends with its first line, and continues with the next line. For an
 * invalid value: a quote or a backslash at the end of its first line may have joined other lines by
 * mistake. */
void env_file_skip_line(struct env_file *reader, struct env_assignment *assignment);

/* The position after the newline (LF, CR LF or a lone CR) that `position` is at, or `position` itself. */
size_t env_file_skip_newline(const char *text, size_t size, size_t position);
