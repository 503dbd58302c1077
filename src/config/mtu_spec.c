/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config/mtu_spec.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

static const char *const backend_names[BACKEND_COUNT] = {
        [BACKEND_AUTO] = "auto",         [BACKEND_UNIT] = "unit",
        [BACKEND_LINK] = "link",         [BACKEND_NETWORK] = "network",
        [BACKEND_NETWORKD] = "networkd", [BACKEND_NETWORKMANAGER] = "networkmanager",
};

const char *backend_name(enum backend backend) {
        return backend_names[backend];
}

bool backend_from_name(const char *name, enum backend *ret) {
        for (unsigned i = 0; i < BACKEND_COUNT; i++)
                if (strcmp(name, backend_names[i]) == 0) {
                        *ret = (enum backend)i;
                        return true;
                }
        return false;
}

/* More than any valid word, and what messages show of another one. */
#define WORD_SIZE 65

/* Takes the next word off `value`, cut if it is too long; false at the end. */
static bool next_word(const char **value, char word[static WORD_SIZE]) {
        const char *from = *value;
        size_t size = 0;

        while (text_is_space(*from))
                from++;
        for (; *from && !text_is_space(*from); from++)
                if (size < WORD_SIZE - 1)
                        word[size++] = *from;
        word[size] = '\0';
        *value = from;
        return size > 0;
}

/* Writes what is wrong with the word to `fault` and returns false. */
__attribute__((format(printf, 3, 4))) static bool refuse_word(char *fault, const char *word,
                                                              const char *format, ...) {
        char text[MTU_SPEC_FAULT_SIZE - 72];

        TEXT_FORMAT(text, sizeof(text), format);
        snprintf(fault, MTU_SPEC_FAULT_SIZE, "\"%s\" %s", word, text);
        return false;
}

/* `rest`: what follows `auto`, which is nothing, or `-N`. */
static bool parse_auto(const char *word, const char *rest, struct mtu_spec *spec, char *fault) {
        uint64_t less = 0;

        if (*rest && (*rest != '-' || rest[1] == '0' || !text_parse_number(rest + 1, 1, MTU_LARGEST, &less)))
                return refuse_word(fault, word,
                                   "is neither auto nor auto-N, which leaves N bytes free, for example "
                                   "auto-20");
        spec->is_auto = true;
        spec->less = (uint32_t)less;
        return true;
}

static bool parse_mtu(const char *word, struct mtu_spec *spec, char *fault) {
        const char *rest;
        uint64_t number;
        size_t digits;

        /* What begins with a 0 is octal or hexadecimal to some programs. */
        if (*word != '0' && text_parse_number(word, MTU_SMALLEST, MTU_LARGEST, &number)) {
                spec->mtu = (uint32_t)number;
                return true;
        }
        if (strcmp(word, "max") == 0)
                return true;
        rest = text_after(word, "auto");
        if (rest)
                return parse_auto(word, rest, spec, fault);
        digits = strspn(word, "0123456789");
        if (digits > 0 && (strcmp(word + digits, "k") == 0 || strcmp(word + digits, "K") == 0))
                return refuse_word(fault, word,
                                   "has a unit; write the bytes in full, for example 9000 (systemd-networkd "
                                   "reads 9K as 9216, people mostly mean 9000)");
        if (digits == 0 || (*word == '0' && word[1]))
                return refuse_word(fault, word,
                                   "is not a number of bytes; write it in decimal, for example 9000, or max "
                                   "or auto");
        if (word[digits])
                return refuse_word(fault, word,
                                   "has \"%s\" after the number; write the number of bytes alone",
                                   word + digits);
        if (*word == '0') {
                strcpy(fault, "0 is no MTU; remove the line to leave the device alone, or write max for the "
                              "device's largest");
                return false;
        }
        if (text_parse_number(word, 0, MTU_SMALLEST, &number))
                return refuse_word(fault, word, "is below %d, the smallest MTU that IPv4 works with",
                                   MTU_SMALLEST);
        return refuse_word(fault, word, "is above %d, the largest MTU that the kernel can hold",
                           MTU_LARGEST);
}

static bool parse_option(const char *word, struct mtu_spec *spec, char *fault) {
        const char *backend = text_after(word, "backend=");

        if (strcmp(word, "up") == 0)
                return spec->up = true;
        if (strcmp(word, "keep") == 0)
                return spec->keep = true;
        if (backend) {
                spec->has_backend = true;
                return backend_from_name(backend, &spec->backend) ||
                       refuse_word(fault, backend, "is not a backend; the backends are " BACKEND_NAMES);
        }
        if (*word == '#' || *word == ';')
                return refuse_word(fault, word,
                                   "belongs to the value here; a comment needs a line of its own");
        return refuse_word(fault, word,
                           "is not an option; the options after the MTU are up, keep and backend=NAME");
}

bool mtu_spec_parse(const char *value, struct mtu_spec *ret, char fault[static MTU_SPEC_FAULT_SIZE]) {
        struct mtu_spec spec = { .mtu = MTU_MAX };
        char word[WORD_SIZE];

        if (!next_word(&value, word)) {
                strcpy(fault,
                       "there is no MTU after the \"=\"; write it in bytes, for example 9000, or max");
                return false;
        }
        if (!parse_mtu(word, &spec, fault))
                return false;
        while (next_word(&value, word))
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
