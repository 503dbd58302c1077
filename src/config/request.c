/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config/request.h"

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

static bool is_space(char c) {
        return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Takes the next word off `value`; false at the end. */
static bool next_word(struct word *value, struct word *ret) {
        while (value->size > 0 && is_space(*value->text)) {
                value->text++;
                value->size--;
        }
        *ret = (struct word){ value->text, 0 };
        while (value->size > 0 && !is_space(*value->text)) {
                value->text++;
                value->size--;
                ret->size++;
        }
        return ret->size > 0;
}

static bool word_is(struct word word, const char *text) {
        return strlen(text) == word.size && memcmp(word.text, text, word.size) == 0;
}

static bool parse_mtu(struct word word, uint32_t *ret, char *fault) {
        char quoted[TEXT_QUOTE_SIZE];
        uint64_t number = 0;
        size_t digits = 0;

        if (word_is(word, "max")) {
                *ret = MTU_MAX;
                return true;
        }
        text_quote(quoted, word.text, word.size);

        if (word.size >= 2 && word.text[0] == '-' && is_digit(word.text[1])) {
                snprintf(fault, REQUEST_FAULT_SIZE,
                         "%s is negative; an MTU is a number of bytes, for example 9000", quoted);
                return false;
        }
        while (digits < word.size && is_digit(word.text[digits])) {
                /* Stops growing far above any MTU and far below an overflow. */
                if (number <= MTU_LARGEST)
                        number = number * 10 + (uint64_t)(word.text[digits] - '0');
                digits++;
        }
        if (digits == 0) {
                snprintf(fault, REQUEST_FAULT_SIZE,
                         "%s is not a number; write the MTU in bytes, for example 9000, or max", quoted);
                return false;
        }
        if (digits + 1 == word.size && (word.text[digits] == 'k' || word.text[digits] == 'K')) {
                snprintf(fault, REQUEST_FAULT_SIZE,
                         "%s has a unit; write the bytes in full, for example 9000 (systemd-networkd reads "
                         "9K as "
                         "9216, people mostly mean 9000)",
                         quoted);
                return false;
        }
        if (word.text[0] == '0' && word.size > 1) {
                snprintf(fault, REQUEST_FAULT_SIZE,
                         "%s begins with a 0, which some programs take for octal or hexadecimal; write the "
                         "decimal "
                         "number without it",
                         quoted);
                return false;
        }
        if (digits < word.size) {
                char junk[TEXT_QUOTE_SIZE];
                text_quote(junk, word.text + digits, word.size - digits);
                snprintf(fault, REQUEST_FAULT_SIZE,
                         "%s has %s after the number; write the number of bytes alone", quoted, junk);
                return false;
        }
        if (number == 0) {
                snprintf(fault, REQUEST_FAULT_SIZE,
                         "0 is no MTU; remove the line to leave the device alone, or write max for the "
                         "device's "
                         "largest");
                return false;
        }
        if (number < MTU_SMALLEST) {
                snprintf(fault, REQUEST_FAULT_SIZE, "%s is below %d, the smallest MTU that IPv4 works with",
                         quoted, MTU_SMALLEST);
                return false;
        }
        if (number > MTU_LARGEST && digits > 10) {
                snprintf(fault, REQUEST_FAULT_SIZE,
                         "%s overflows any number the kernel has for it; no device takes "
                         "more than a few ten thousand",
                         quoted);
                return false;
        }
        if (number > MTU_LARGEST) {
                snprintf(fault, REQUEST_FAULT_SIZE,
                         "%s is above %d, the largest MTU that the kernel can hold", quoted, MTU_LARGEST);
                return false;
        }
        *ret = (uint32_t)number;
        return true;
}

static bool parse_option(struct word word, struct request *request, char *fault) {
        static const char backend[] = "backend=";
        const size_t length = sizeof(backend) - 1;
        char quoted[TEXT_QUOTE_SIZE];

        if (word_is(word, "up")) {
                request->up = true;
                return true;
        }
        if (word.size >= length && memcmp(word.text, backend, length) == 0) {
                request->has_backend = true;
                if (backend_from_name(word.text + length, word.size - length, &request->backend))
                        return true;
                snprintf(fault, REQUEST_FAULT_SIZE, "%s is not a backend; there are " BACKEND_NAMES,
                         text_quote(quoted, word.text + length, word.size - length));
                return false;
        }
        text_quote(quoted, word.text, word.size);
        if (word.text[0] == '#' || word.text[0] == ';')
                snprintf(fault, REQUEST_FAULT_SIZE,
                         "%s belongs to the value here; a comment needs a line of its own", quoted);
        else
                snprintf(fault, REQUEST_FAULT_SIZE,
                         "%s is not an option; after the MTU there may be up and backend=NAME", quoted);
        return false;
}

bool request_parse(const char *value, size_t size, struct request *ret,
                   char fault[static REQUEST_FAULT_SIZE]) {
        struct request request = { .mtu = MTU_MAX };
        struct word rest = { value, size }, word;

        if (!next_word(&rest, &word)) {
                snprintf(fault, REQUEST_FAULT_SIZE,
                         "there is no MTU after the \"=\"; write it in bytes, for example 9000, or max");
                return false;
        }
        if (!parse_mtu(word, &request.mtu, fault))
                return false;
        while (next_word(&rest, &word))
                if (!parse_option(word, &request, fault))
                        return false;
        *ret = request;
        return true;
}

bool request_equals(const struct request *a, const struct request *b) {
        return a->mtu == b->mtu && a->up == b->up && a->has_backend == b->has_backend &&
               (!a->has_backend || a->backend == b->backend);
}

const char *request_format(char buffer[static REQUEST_TEXT_SIZE], const struct request *request) {
        char mtu[sizeof("2147483647")] = "max";

        if (request->mtu != MTU_MAX)
                snprintf(mtu, sizeof(mtu), "%" PRIu32, request->mtu);
        snprintf(buffer, REQUEST_TEXT_SIZE, "%s%s%s%s", mtu, request->up ? " up" : "",
                 request->has_backend ? " backend=" : "",
                 request->has_backend ? backend_name(request->backend) : "");
        return buffer;
}
