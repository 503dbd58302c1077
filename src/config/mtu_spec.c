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

/* Writes what is wrong with the word to `fault` and returns false. */
__attribute__((format(printf, 3, 4))) static bool refuse_word(char *fault, struct word word,
                                                              const char *format, ...) {
        char text[MTU_SPEC_FAULT_SIZE - 72];

        TEXT_FORMAT(text, sizeof(text), format);
        snprintf(fault, MTU_SPEC_FAULT_SIZE, "\"%.*s\" %s", word.size < 64 ? (int)word.size : 64, word.text,
                 text);
        return false;
}

/* Reads what follows `auto`: nothing, or `-N`. */
static bool parse_auto(struct word word, struct mtu_spec *spec, char *fault) {
        char digits[sizeof("2147483647")] = "";
        uint64_t less = 0;

        spec->is_auto = true;
        if (word.size == strlen("auto"))
                return true;
        if (word.size <= strlen("auto-") + strlen("2147483647"))
                snprintf(digits, sizeof(digits), "%.*s", (int)(word.size - strlen("auto-")),
                         word.text + strlen("auto-"));
        spec->is_auto = word.text[strlen("auto")] == '-' &&
                        text_parse_number(digits, 1, MTU_LARGEST, &less) &&
                        strlen(digits) + strlen("auto-") == word.size;
        spec->less = (uint32_t)less;
        return spec->is_auto || refuse_word(fault, word,
                                            "is neither auto nor auto-N, which leaves N bytes free, for "
                                            "example auto-20");
}

static bool parse_mtu(struct word word, struct mtu_spec *spec, char *fault) {
        uint64_t number = 0;
        size_t digits = 0;

        if (text_part_is(word.text, word.size, "max"))
                return true;
        if (word.size >= strlen("auto") && memcmp(word.text, "auto", strlen("auto")) == 0)
                return parse_auto(word, spec, fault);
        while (digits < word.size && word.text[digits] >= '0' && word.text[digits] <= '9') {
                /* Stops growing far above any MTU and far below an overflow. */
                if (number <= MTU_LARGEST)
                        number = number * 10 + (uint64_t)(word.text[digits] - '0');
                digits++;
        }
        if (digits == word.size && word.text[0] != '0' && number >= MTU_SMALLEST && number <= MTU_LARGEST) {
                spec->mtu = (uint32_t)number;
                return true;
        }
        if (digits > 0 && digits + 1 == word.size && (word.text[digits] == 'k' || word.text[digits] == 'K'))
                return refuse_word(fault, word,
                                   "has a unit; write the bytes in full, for example 9000 (systemd-networkd "
                                   "reads 9K as 9216, people mostly mean 9000)");
        /* What begins with a 0 is octal or hexadecimal to some programs. */
        if (digits == 0 || (word.text[0] == '0' && word.size > 1))
                return refuse_word(fault, word,
                                   "is not a number of bytes; write it in decimal, for example 9000, or max "
                                   "or auto");
        if (digits < word.size)
                return refuse_word(fault, word,
                                   "has \"%.*s\" after the number; write the number of bytes alone",
                                   word.size - digits < 64 ? (int)(word.size - digits) : 64,
                                   word.text + digits);
        if (number == 0) {
                strcpy(fault, "0 is no MTU; remove the line to leave the device alone, or write max for the "
                              "device's largest");
                return false;
        }
        if (number < MTU_SMALLEST)
                return refuse_word(fault, word, "is below %d, the smallest MTU that IPv4 works with",
                                   MTU_SMALLEST);
        return refuse_word(fault, word, "is above %d, the largest MTU that the kernel can hold",
                           MTU_LARGEST);
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
                       refuse_word(fault, (struct word){ word.text + length, word.size - length },
                                   "is not a backend; the backends are " BACKEND_NAMES);
        }
        if (word.text[0] == '#' || word.text[0] == ';')
                return refuse_word(fault, word,
                                   "belongs to the value here; a comment needs a line of its own");
        return refuse_word(fault, word,
                           "is not an option; the options after the MTU are up, keep and backend=NAME");
}

bool mtu_spec_parse(const char *value, size_t size, struct mtu_spec *ret,
                    char fault[static MTU_SPEC_FAULT_SIZE]) {
        struct mtu_spec spec = { .mtu = MTU_MAX };
        struct word rest = { value, size }, word;

        if (!next_word(&rest, &word)) {
                strcpy(fault,
                       "there is no MTU after the \"=\"; write it in bytes, for example 9000, or max");
                return false;
        }
        if (!parse_mtu(word, &spec, fault))
                return false;
        while (next_word(&rest, &word))
                if (!parse_option(word, &spec, fault))
                        return false;
        *ret = spec;
        return true;
}

bool mtu_spec_equals(const struct mtu_spec *a, const struct mtu_spec *b) {
        return a->mtu == b->mtu && a->is_auto == b->is_auto && a->less == b->less && a->up == b->up &&
               a->keep == b->keep && a->has_backend == b->has_backend &&
               (!a->has_backend || a->backend == b->backend);
}

const char *mtu_spec_format(char buffer[static MTU_SPEC_TEXT_SIZE], const struct mtu_spec *spec) {
        char mtu[sizeof("auto-2147483647")] = "max";

        if (spec->is_auto && spec->less > 0)
                snprintf(mtu, sizeof(mtu), "auto-%" PRIu32, spec->less);
        else if (spec->is_auto)
                strcpy(mtu, "auto");
        else if (spec->mtu != MTU_MAX)
                snprintf(mtu, sizeof(mtu), "%" PRIu32, spec->mtu);
        snprintf(buffer, MTU_SPEC_TEXT_SIZE, "%s%s%s%s%s", mtu, spec->up ? " up" : "",
                 spec->keep ? " keep" : "", spec->has_backend ? " backend=" : "",
                 spec->has_backend ? backend_name(spec->backend) : "");
        return buffer;
}
