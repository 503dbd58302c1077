/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/shell/shell_arithmetic.h"

#include <ctype.h>
#include <string.h>

#include "base/text.h"

#define DEPTH_MAX 16u

struct expression {
        const char *at, *end;
        const char *(*value_of)(void *userdata, const char *name, size_t size);
        void *userdata;
        unsigned depth;
        bool is_known;
};

static int64_t read_chain(struct expression *expression, bool is_product);

static char next(struct expression *expression) {
        while (expression->at < expression->end && isspace((unsigned char)*expression->at))
                expression->at++;
        return expression->at < expression->end ? *expression->at : '\0';
}

/* Nothing that counts is larger, and no product of two of these overflows. */
static int64_t keep(struct expression *expression, int64_t value) {
        expression->is_known &= value >= -INT32_MAX && value <= INT32_MAX;
        return expression->is_known ? value : 0;
}

/* A number is decimal: 010 and 0x10 are others in C. */
static int64_t number(struct expression *expression, const char *text) {
        uint64_t value = 0;

        expression->is_known &=
                        text && (*text != '0' || !text[1]) && text_parse_number(text, 0, INT32_MAX, &value);
        return expression->is_known ? (int64_t)value : 0;
}

/* NUMBER, NAME, $NAME, ${NAME}, $1, ( … ), -… */
static int64_t read_factor(struct expression *expression) {
        char c = next(expression), digits[16] = "";
        bool has_dollar = c == '$', has_brace;
        const char *name;
        int64_t value = 0;
        size_t size = 0;

        if (c == '(' || c == '-') {
                expression->at++;
                if (++expression->depth > DEPTH_MAX)
                        expression->is_known = false;
                if (expression->is_known)
                        value = c == '(' ? read_chain(expression, false) : -read_factor(expression);
                expression->depth--;
                if (c == '(' && next(expression) != ')')
                        expression->is_known = false;
                expression->at += c == '(' && expression->is_known;
                return keep(expression, value);
        }
        expression->at += has_dollar;
        has_brace = has_dollar && next(expression) == '{';
        name = expression->at += has_brace;
        while (name + size < expression->end && (isalnum((unsigned char)name[size]) || name[size] == '_'))
                size++;
        expression->at += size;
        if (has_brace && next(expression) != '}')
                expression->is_known = false;
        expression->at += has_brace && expression->is_known;
        if (size == 0)
                expression->is_known = false;
        if (!expression->is_known)
                return 0;
        if (has_dollar || !isdigit((unsigned char)*name))
                return number(expression, expression->value_of(expression->userdata, name, size));
        if (size < sizeof(digits))
                memcpy(digits, name, size);
        return number(expression, digits);
}

static int64_t compute(struct expression *expression, int64_t a, char operation, int64_t b) {
        if (strchr("/%", operation) && b == 0)
                expression->is_known = false;
        if (!expression->is_known)
                return 0;
        return keep(expression, operation == '+'   ? a + b
                                : operation == '-' ? a - b
                                : operation == '*' ? a * b
                                : operation == '/' ? a / b
                                                   : a % b);
}

/* A sum of products, or a product of factors. */
static int64_t read_chain(struct expression *expression, bool is_product) {
        int64_t value = is_product ? read_factor(expression) : read_chain(expression, true);
        char operation;

        while (expression->is_known && (operation = next(expression)) &&
               strchr(is_product ? "*/%" : "+-", operation)) {
                expression->at++;
                value = compute(expression, value, operation,
                                is_product ? read_factor(expression) : read_chain(expression, true));
        }
        return value;
}

bool shell_arithmetic(const char *text, size_t size,
                      const char *(*value_of)(void *userdata, const char *name, size_t size), void *userdata,
                      uint32_t *ret) {
        struct expression expression = { text, text + size, value_of, userdata, 0, true };
        int64_t value = read_chain(&expression, false);

        if (!expression.is_known || next(&expression) || value < 0)
                return false;
        *ret = (uint32_t)value;
        return true;
}
