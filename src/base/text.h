/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Text from outside: checks for UTF-8, shows it in messages, and finds values in its lines. */

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/attributes.h"

/* The length in bytes (1 to 4) of the UTF-8 sequence at `text`, of which `size` bytes are there; 0 if it is
 * none: truncated, overlong, a surrogate, above U+10FFFF (RFC 3629, section 4). */
size_t text_utf8_length(const char *text, size_t size);

bool text_is_utf8(const char *text, size_t size);

/* The size of the byte order mark that some editors write first, which is no part of the text; 0: none. */
size_t text_mark_size(const char *text, size_t size);

/* Whether the text is UTF-8 without control characters, and so is safe in a message as it is. */
bool text_is_plain(const char *text);

/* Writes text so that it is harmless on a terminal and in a log: control characters, bytes that are not
 * UTF-8 and those of `special` as \xNN. Writes what fits in `room` bytes with its NUL, and returns how many
 * bytes of `text` that are. */
size_t text_escape(char *buffer, size_t room, const char *text, size_t size, const char *special);

/* For the functions by which text leaves the program: the whole text, escaped, with "..." at its end if it
 * does not fit in `room` bytes. Returns `buffer`. */
char *text_for_terminal(char *buffer, size_t room, const char *text);

/* The number of letters that must be added, removed, replaced or swapped to turn the misspelt `word` into
 * `meant`. UINT_MAX if these are more than a third of all letters, or if the digits differ: a
 * user who writes eth1 does not mean eth0. */
unsigned text_typos(const char *word, const char *meant);

/* For qsort(3) and bsearch(3): of texts, or of structs that begin with one, in the order of its bytes. */
int text_compare(const void *a, const void *b);

/* For tables. FNV-1a: short, and good enough for names. */
static inline uint32_t text_hash(const char *text) {
        uint32_t hash = 2166136261u;

        for (; *text; text++)
                hash = (hash ^ (unsigned char)*text) * 16777619u;
        return hash;
}

static inline bool text_is_newline(char c) {
        return c == '\n' || c == '\r';
}

static inline bool text_is_space(char c) {
        return c == ' ' || c == '\t' || text_is_newline(c);
}

/* Takes white space off both ends, in place. */
#define TEXT_SPACE " \t\r\n\v\f"
char *text_trim(char *text);

/* Writes `text` as a word of a shell's command line. One that is too long becomes '', which names nothing.
 * Returns `buffer`. */
#define TEXT_SHELL_WORD_SIZE 512
const char *text_shell_word(char buffer[static TEXT_SHELL_WORD_SIZE], const char *text);

/* Writes FILE:LINE, or FILE alone for line 0. Returns `buffer`. */
#define TEXT_PLACE_SIZE 640
const char *text_place(char buffer[static TEXT_PLACE_SIZE], const char *file, unsigned line);

/* The part of a path behind its last slash. */
const char *text_base_name(const char *path);

/* The part of `text` after `prefix`; NULL if it does not begin with that. */
const char *text_after(const char *text, const char *prefix);

/* Writes the decimal number at `end`, with a NUL. Returns the NUL's address, as stpcpy(3) does. */
#define TEXT_NUMBER_SIZE sizeof("18446744073709551615")
char *text_put_number(char end[static TEXT_NUMBER_SIZE], uint64_t number);

/* Accepts a whole decimal number only, from `least` to `largest`. */
NONNULL bool text_parse_number(const char *text, uint64_t least, uint64_t largest, uint64_t *ret);

/* A number of seconds, or one with s, min, h or d behind it: from 1 s to `largest_s`. */
NONNULL bool text_parse_seconds(const char *text, unsigned largest_s, unsigned *ret_s);

bool text_ends_in(const char *text, const char *suffix);

/* Whether the `size` bytes at `part` are this word. */
bool text_part_is(const char *part, size_t size, const char *word);

/* In a function whose last parameters are `format, ...`: vsnprintf(3) of these into the buffer. */
#define TEXT_FORMAT(buffer, size, format)                   \
        do {                                                \
                va_list arguments;                          \
                va_start(arguments, format);                \
                vsnprintf(buffer, size, format, arguments); \
                va_end(arguments);                          \
        } while (0)

/* Whether `word` is one of `words`, which are separated by white space. The second ignores case. */
bool text_is_among(const char *word, const char *words);
bool text_is_among_any_case(const char *word, const char *words);

/* The value of the line that begins with `key`, up to its newline: copied if it is not empty and fits, with
 * its NUL. The result is where it ends in `text`, or NULL. */
NONNULL const char *text_find_value(const char *text, const char *key, char *ret, size_t size);
/* The same for a decimal number below 2^32. */
NONNULL const char *text_find_number(const char *text, const char *key, uint32_t *ret);
