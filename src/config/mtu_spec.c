/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config/mtu_spec.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

struct word {
        const char *text;
        size_t size;
};

static bool is_digit(char c) {
        return c >= '0' && c <= '9';
}

/* Takes the next word off `value`; false at the end. */
static bool next_word(struct word *value, struct word *ret) {
        while (value->size > 0 && text_is_space(*value->text)) {
                value->text++;
                value->size--;
        }
        *ret = (struct word){ value->text, 0 };
        while (value->size > 0 && !text_is_space(*value->text)) {
                value->text++;
                value->size--;
                ret->size++;
        }
        return ret->size > 0;
}

/* Writes the reason to `fault` and returns false. */
__attribute__((format(printf, 2, 3))) static bool set_fault(char *fault, const char *format, ...) {
        TEXT_FORMAT(fault, MTU_SPEC_FAULT_SIZE, format);
        return false;
}

/* How much of a word a message shows, as the precision of printf(3). */
static int shown_size(size_t size) {
        return size < 64 ? (int)size : 64;
}

static bool parse_mtu(struct word word, uint32_t *ret, char *fault) {
        int size = shown_size(word.size);
        uint64_t number = 0;
        size_t digits = 0;

        if (text_part_is(word.text, word.size, "max")) {
                *ret = MTU_MAX;
                return true;
        }
        while (digits < word.size && is_digit(word.text[digits])) {
                /* Stops growing far above any MTU and far below an overflow. */
                if (number <= MTU_LARGEST)
                        number = number * 10 + (uint64_t)(word.text[digits] - '0');
                digits++;
        }
        if (digits == word.size && word.text[0] != '0' && number >= MTU_SMALLEST && number <= MTU_LARGEST) {
                *ret = (uint32_t)number;
                return true;
        }
        if (word.size >= 2 && word.text[0] == '-' && is_digit(word.text[1]))
                return set_fault(fault,
                                 "\"%.*s\" is negative; an MTU is a number of bytes, for example 9000", size,
                                 word.text);
        if (digits == 0)
                return set_fault(
                                fault,
                                "\"%.*s\" is not a number; write the MTU in bytes, for example 9000, or max",
                                size, word.text);
        if (digits + 1 == word.size && (word.text[digits] == 'k' || word.text[digits] == 'K'))
                return set_fault(fault,
                                 "\"%.*s\" has a unit; write the bytes in full, for example 9000 "
                                 "(systemd-networkd reads 9K as 9216, people mostly mean 9000)",
                                 size, word.text);
        if (word.text[0] == '0' && word.size > 1)
                return set_fault(fault,
                                 "\"%.*s\" begins with a 0, which some programs take for octal or "
                                 "hexadecimal; "
                                 "write the decimal number without it",
                                 size, word.text);
        if (digits < word.size)
                return set_fault(fault,
                                 "\"%.*s\" has \"%.*s\" after the number; write the number of bytes alone",
                                 size, word.text, shown_size(word.size - digits), word.text + digits);
        if (number == 0)
                return set_fault(fault,
                                 "0 is no MTU; remove the line to leave the device alone, or write max "
                                 "for the device's largest");
        if (number < MTU_SMALLEST)
                return set_fault(fault, "\"%.*s\" is below %d, the smallest MTU that IPv4 works with", size,
                                 word.text, MTU_SMALLEST);
        return set_fault(fault, "\"%.*s\" is above %d, the largest MTU that the kernel can hold", size,
                         word.text, MTU_LARGEST);
}

static bool parse_option(struct word word, struct mtu_spec *spec, char *fault) {
        static const char backend[] = "backend=";
        const size_t length = sizeof(backend) - 1;

        if (text_part_is(word.text, word.size, "up")) {
                spec->up = true;
                return true;
        }
        if (text_part_is(word.text, word.size, "keep")) {
                spec->keep = true;
                return true;
        }
        if (word.size >= length && memcmp(word.text, backend, length) == 0) {
                spec->has_backend = true;
                return backend_from_name(word.text + length, word.size - length, &spec->backend) ||
                       set_fault(fault, "\"%.*s\" is not a backend; the backends are " BACKEND_NAMES,
                                 shown_size(word.size - length), word.text + length);
        }
        if (word.text[0] == '#' || word.text[0] == ';')
                return set_fault(fault,
                                 "\"%.*s\" belongs to the value here; a comment needs a line of its own",
                                 shown_size(word.size), word.text);
        return set_fault(
                        fault,
                        "\"%.*s\" is not an option; the options after the MTU are up, keep and backend=NAME",
                        shown_size(word.size), word.text);
}

bool mtu_spec_parse(const char *value, size_t size, struct mtu_spec *ret,
                    char fault[static MTU_SPEC_FAULT_SIZE]) {
        struct mtu_spec spec = { .mtu = MTU_MAX };
        struct word rest = { value, size }, word;

        if (!next_word(&rest, &word))
                return set_fault(fault,
                                 "there is no MTU after the \"=\"; write it in bytes, for example 9000, "
                                 "or max");
        if (!parse_mtu(word, &spec.mtu, fault))
                return false;
        while (next_word(&rest, &word))
                if (!parse_option(word, &spec, fault))
                        return false;
        *ret = spec;
        return true;
}

bool mtu_spec_equals(const struct mtu_spec *a, const struct mtu_spec *b) {
        return a->mtu == b->mtu && a->up == b->up && a->keep == b->keep &&
               a->has_backend == b->has_backend && (!a->has_backend || a->backend == b->backend);
}

const char *mtu_spec_format(char buffer[static MTU_SPEC_TEXT_SIZE], const struct mtu_spec *spec) {
        char mtu[sizeof("2147483647")] = "max";

        if (spec->mtu != MTU_MAX)
                snprintf(mtu, sizeof(mtu), "%" PRIu32, spec->mtu);
        snprintf(buffer, MTU_SPEC_TEXT_SIZE, "%s%s%s%s%s", mtu, spec->up ? " up" : "",
                 spec->keep ? " keep" : "", spec->has_backend ? " backend=" : "",
                 spec->has_backend ? backend_name(spec->backend) : "");
        return buffer;
}
