/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/text.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

size_t text_utf8_length(const char *text, size_t size) {
        static const uint32_t smallest[] = { [2] = 0x80, [3] = 0x800, [4] = 0x10000 };
        unsigned first = size > 0 ? (unsigned char)text[0] : 0x80;
        uint32_t code;
        size_t length = 0;

        if (first < 0x80)
                return 1;
        /* As many ones at its beginning as bytes. */
        while (first << length & 0x80)
                length++;
        if (length < 2 || length > 4 || size < length)
                return 0;
        code = first & 0x7f >> length;
        for (size_t i = 1; i < length; i++) {
                unsigned char next = (unsigned char)text[i];

                if ((next & 0xc0) != 0x80)
                        return 0;
                code = code << 6 | (next & 0x3f);
        }
        return code < smallest[length] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? 0 : length;
}

bool text_is_utf8(const char *text, size_t size) {
        while (size > 0) {
                size_t length = text_utf8_length(text, size);
                if (length == 0)
                        return false;
                text += length;
                size -= length;
        }
        return true;
}

size_t text_mark_size(const char *text, size_t size) {
        static const char mark[] = "\xef\xbb\xbf";

        return size >= strlen(mark) && memcmp(text, mark, strlen(mark)) == 0 ? strlen(mark) : 0;
}

/* The length of the next character; 1 for a byte that is not UTF-8. `ret_is_plain`: it is UTF-8 and no
 * control character. `size` is not 0. */
static size_t next_character(const char *text, size_t size, bool *ret_is_plain) {
        unsigned char byte = (unsigned char)*text;
        size_t length = text_utf8_length(text, size);

        /* Some terminals obey U+0080 to U+009F. */
        *ret_is_plain = length > 0 && byte >= 0x20 && byte != 0x7f &&
                        !(length == 2 && byte == 0xc2 && (unsigned char)text[1] < 0xa0);
        return length > 0 ? length : 1;
}

bool text_is_plain(const char *text) {
        bool is_plain = true;

        /* Most texts end here: they are plain ASCII. */
        while (*text >= ' ' && *text < 0x7f)
                text++;
        while (is_plain && *text)
                text += next_character(text, strnlen(text, 4), &is_plain);
        return is_plain;
}

size_t text_escape(char *buffer, size_t room, const char *text, size_t size, const char *special) {
        size_t used = 0, taken = 0;

        while (taken < size) {
                unsigned char byte = (unsigned char)text[taken];
                bool is_plain;
                size_t step = next_character(text + taken, size - taken, &is_plain);

                is_plain = is_plain && !(byte && strchr(special, byte));
                if (used + (is_plain ? step : 4) >= room)
                        break;
                if (is_plain)
                        memcpy(buffer + used, text + taken, step);
                else
                        sprintf(buffer + used, "\\x%02x", byte);
                used += is_plain ? step : 4;
                taken += is_plain ? step : 1;
        }
        buffer[used] = '\0';
        return taken;
}

char *text_for_terminal(char *buffer, size_t room, const char *text) {
        static const char cut[] = "...";
        size_t size = strlen(text);

        if (size < room && text_is_plain(text))
                return strcpy(buffer, text);
        if (text_escape(buffer, room - strlen(cut), text, size, "") < size)
                strcat(buffer, cut);
        return buffer;
}

/* Whether two names that both have digits differ in a digit. */
static bool has_other_digits(const char *a, const char *b) {
        static const char digits[] = "0123456789";

        a += strcspn(a, digits);
        b += strcspn(b, digits);
        if (!*a || !*b)
                return false;
        while (*a && *a == *b) {
                a += 1 + strcspn(a + 1, digits);
                b += 1 + strcspn(b + 1, digits);
        }
        return *a != *b;
}

static unsigned least(unsigned a, unsigned b) {
        return a < b ? a : b;
}

/* Damerau-Levenshtein distance, in which no letter is changed twice. */
unsigned text_typos(const char *word, const char *meant) {
        enum { LONGEST = 31 };
        unsigned rows[LONGEST + 1][LONGEST + 1];
        size_t n = strlen(word), m = strlen(meant);

        if (n > LONGEST || m > LONGEST || has_other_digits(word, meant))
                return UINT_MAX;
        for (size_t i = 0; i <= n; i++)
                for (size_t j = 0; j <= m; j++) {
                        if (i == 0 || j == 0) {
                                rows[i][j] = (unsigned)(i + j);
                                continue;
                        }
                        rows[i][j] = least(rows[i - 1][j] + 1, rows[i][j - 1] + 1);
                        rows[i][j] = least(rows[i][j], rows[i - 1][j - 1] + (word[i - 1] != meant[j - 1]));
                        if (i > 1 && j > 1 && word[i - 1] == meant[j - 2] && word[i - 2] == meant[j - 1])
                                rows[i][j] = least(rows[i][j], rows[i - 2][j - 2] + 1);
                }
        return 3 * rows[n][m] <= (n > m ? n : m) ? rows[n][m] : UINT_MAX;
}

int text_compare(const void *a, const void *b) {
        return strcmp(*(char *const *)a, *(char *const *)b);
}

char *text_trim(char *text) {
        size_t length;

        text += strspn(text, TEXT_SPACE);
        length = strlen(text);
        while (length > 0 && strchr(TEXT_SPACE, text[length - 1]))
                length--;
        text[length] = '\0';
        return text;
}

const char *text_shell_word(char buffer[static TEXT_SHELL_WORD_SIZE], const char *text) {
        size_t used = 0;

        if (*text &&
            text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:@%+=,-")] ==
                            '\0') {
                snprintf(buffer, TEXT_SHELL_WORD_SIZE, "%s",
                         strlen(text) < TEXT_SHELL_WORD_SIZE ? text : "''");
                return buffer;
        }
        buffer[used++] = '\'';
        for (; *text && used < TEXT_SHELL_WORD_SIZE - 6; text++)
                if (*text == '\'') {
                        memcpy(buffer + used, "'\\''", 4);
                        used += 4;
                } else
                        buffer[used++] = *text;
        if (*text)
                used = 1;
        buffer[used++] = '\'';
        buffer[used] = '\0';
        return buffer;
}

const char *text_place(char buffer[static TEXT_PLACE_SIZE], const char *file, unsigned line) {
        char *end = stpncpy(buffer, file, TEXT_PLACE_SIZE - sizeof(":") - TEXT_NUMBER_SIZE);

        *end = '\0';
        if (line > 0)
                text_put_number(stpcpy(end, ":"), line);
        return buffer;
}

const char *text_base_name(const char *path) {
        const char *slash = strrchr(path, '/');

        return slash ? slash + 1 : path;
}

const char *text_after(const char *text, const char *prefix) {
        for (; *prefix; text++, prefix++)
                if (*text != *prefix)
                        return NULL;
        return text;
}

char *text_put_number(char end[static TEXT_NUMBER_SIZE], uint64_t number) {
        char digits[TEXT_NUMBER_SIZE], *first = digits + sizeof(digits) - 1;

        *first = '\0';
        do
                *--first = (char)('0' + number % 10);
        while (number /= 10);
        return stpcpy(end, first);
}

bool text_ends_in(const char *text, const char *suffix) {
        size_t length = strlen(text), suffix_length = strlen(suffix);

        return length >= suffix_length && strcmp(text + length - suffix_length, suffix) == 0;
}

bool text_part_is(const char *part, size_t size, const char *word) {
        return strlen(word) == size && memcmp(part, word, size) == 0;
}

static bool is_among(const char *word, const char *words,
                     int (*compare)(const char *one, const char *other, size_t size)) {
        size_t size = strlen(word), length;

        for (; *(words += strspn(words, " \t\r\n")); words += length) {
                length = strcspn(words, " \t\r\n");
                if (length == size && compare(words, word, size) == 0)
                        return true;
        }
        return false;
}

bool text_is_among(const char *word, const char *words) {
        return is_among(word, words, strncmp);
}

bool text_is_among_any_case(const char *word, const char *words) {
        return is_among(word, words, strncasecmp);
}

const char *text_find_value(const char *text, const char *key, char *ret, size_t size) {
        const char *value;
        size_t length = 0;

        while (!(value = text_after(text, key)) && (text = strchr(text, '\n')))
                text++;
        while (value && value[length] && value[length] != '\n')
                length++;
        if (length == 0 || length >= size)
                return NULL;
        memcpy(ret, value, length);
        ret[length] = '\0';
        return value + length;
}

/* The decimal number that a text begins with, and where it ends; false if there is none below 2^64. */
static bool take_number(const char *text, uint64_t *ret, const char **ret_end) {
        const char *c = text;

        for (*ret = 0; *c >= '0' && *c <= '9'; c++)
                if (__builtin_mul_overflow(*ret, 10u, ret) ||
                    __builtin_add_overflow(*ret, (unsigned)(*c - '0'), ret))
                        return false;
        *ret_end = c;
        return c > text;
}

bool text_parse_number(const char *text, uint64_t least, uint64_t largest, uint64_t *ret) {
        uint64_t number;
        const char *end;

        if (!take_number(text, &number, &end) || *end || number < least || number > largest)
                return false;
        *ret = number;
        return true;
}

bool text_parse_seconds(const char *text, unsigned largest_s, unsigned *ret_s) {
        static const struct {
                const char *name;
                unsigned seconds;
        } units[] = { { "", 1 }, { "s", 1 }, { "min", 60 }, { "h", 3600 }, { "d", 86400 } };
        uint64_t number;
        const char *end;

        if (!take_number(text, &number, &end))
                return false;
        for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
                if (strcmp(end, units[i].name) == 0 && number >= 1 &&
                    number <= largest_s / units[i].seconds) {
                        *ret_s = (unsigned)number * units[i].seconds;
                        return true;
                }
        return false;
}

const char *text_find_number(const char *text, const char *key, uint32_t *ret) {
        char digits[TEXT_NUMBER_SIZE];
        const char *end = text_find_value(text, key, digits, sizeof(digits));
        uint64_t number;

        if (!end || !text_parse_number(digits, 0, UINT32_MAX, &number))
                return NULL;
        *ret = (uint32_t)number;
        return end;
}
