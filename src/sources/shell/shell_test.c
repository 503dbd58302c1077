/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/shell/shell_test.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "sources/shell/shell_state.h"

/* Of brackets and "!". */
#define NESTED_MAX 16u

struct test_reader {
        struct shell_flow *flow;
        const struct shell_word *words;
        size_t n_words;
        size_t position;
        unsigned n_nested;
        bool is_double; /* [[ */
        bool is_broken; /* it is not understood */
};

static struct shell_test read_or(struct test_reader *reader);

static enum shell_truth truth_of(bool is_true) {
        return is_true ? SHELL_TRUE : SHELL_FALSE;
}

static enum shell_truth negate(enum shell_truth truth) {
        return truth == SHELL_UNKNOWN ? truth : truth_of(truth == SHELL_FALSE);
}

static struct shell_test reverse(struct shell_test test) {
        return (struct shell_test){ .truth = negate(test.truth),
                                    .is_for_hook = test.is_for_hook,
                                    .if_true = test.if_false,
                                    .if_false = test.if_true };
}

const char *shell_test_variable(struct pool *pool, const struct shell_word *word) {
        const char *name = word->is_dynamic ? text_after(word->text, "$") : NULL;
        size_t size;

        if (!name)
                return NULL;
        name += *name == '{' ? 1 : 0;
        size = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
        if (size == 0 || strcmp(name + size, word->text[1] == '{' ? "}" : "") != 0)
                return NULL;
        return pool_copy_part(pool, name, size);
}

static bool is_known(const struct shell_word *word) {
        return !word->is_dynamic && !word->is_assumed;
}

const char *shell_test_among(struct shell_flow *flow, const struct shell_word *word) {
        const char *name = shell_test_variable(flow->pool, word);
        const struct shell_variable *variable =
                        name && !(flow->variables.arguments && isdigit((unsigned char)*name))
                                        ? shell_variables_find(&flow->variables, name)
                                        : NULL;

        return variable ? variable->among : NULL;
}

bool shell_test_is_for_hook(struct shell_flow *flow, const struct shell_word *word,
                            const struct shell_word *value) {
        return is_known(value) && !strstr(value->text, "down") && shell_test_among(flow, word);
}

/* Whether what is known of the word's value lets it match a pattern. */
static bool may_match(struct shell_flow *flow, const struct shell_word *word, const char *pattern) {
        const char *among = shell_test_among(flow, word);
        char *rest = pool_copy(flow->pool, among ? among : ""), *value;

        if (!among || *among == '!')
                return !among || !text_is_among(pattern, among + 1);
        rest += *among == '=';
        while ((value = lines_word(&rest)))
                if (fnmatch(pattern, value, 0) == 0)
                        return true;
        return false;
}

enum shell_truth shell_test_pattern(struct shell_flow *flow, const struct shell_word *word,
                                    const struct shell_word *pattern) {
        if (pattern->is_dynamic && strspn(pattern->text, "*") == strlen(pattern->text))
                return SHELL_TRUE;
        if (!pattern->is_assumed && !strpbrk(pattern->text, "$`(\\") &&
            !may_match(flow, word, pattern->text))
                return SHELL_FALSE;
        if (!is_known(word) || pattern->is_assumed || strpbrk(pattern->text, "$`(\\"))
                return SHELL_UNKNOWN;
        if (pattern->is_dynamic)
                return truth_of(fnmatch(pattern->text, word->text, 0) == 0);
        /* A known variable's value may be a pattern. */
        return strpbrk(pattern->text, "*?[") ? SHELL_UNKNOWN
                                             : truth_of(strcmp(word->text, pattern->text) == 0);
}

static const struct shell_word *peek(const struct test_reader *reader, size_t ahead) {
        static const struct shell_word none = { "", false };

        return reader->position + ahead < reader->n_words ? &reader->words[reader->position + ahead] : &none;
}

static bool has(const struct test_reader *reader, size_t ahead, const char *words) {
        const struct shell_word *word = peek(reader, ahead);

        return reader->position + ahead < reader->n_words && !word->is_dynamic && *word->text &&
               text_is_among(word->text, words);
}

static bool read_number(const struct shell_word *word, long long *ret) {
        char *end;

        if (!is_known(word) || !*word->text)
                return false;
        errno = 0;
        *ret = strtoll(word->text, &end, 10);
        return !errno && !*end;
}

/* A -eq B and its kind. */
static enum shell_truth compare_numbers(const struct shell_word *one, const char *operation,
                                        const struct shell_word *other) {
        long long a, b;

        if (!read_number(one, &a) || !read_number(other, &b))
                return SHELL_UNKNOWN;
        if (text_is_among(operation, "-eq -ne"))
                return truth_of((a == b) == (strcmp(operation, "-eq") == 0));
        if (text_is_among(operation, "-lt -ge"))
                return truth_of((a < b) == (strcmp(operation, "-lt") == 0));
        return truth_of((a > b) == (strcmp(operation, "-gt") == 0));
}

static void add_fact(struct test_reader *reader, struct shell_facts *facts, const struct shell_word *word,
                     const char *value) {
        const char *name = shell_test_variable(reader->flow->pool, word);

        if (name && facts->n_items < SHELL_FACTS_MAX)
                facts->items[facts->n_items++] = (struct shell_fact){ .name = name, .value = value };
}

/* A = B and its kind. */
static struct shell_test compare_texts(struct test_reader *reader, const struct shell_word *one,
                                       bool is_equal, const struct shell_word *other) {
        struct shell_word rest = *one, other_rest = *other; /* of "x$IFACE" = xeth0 */
        struct shell_test test = { 0 };

        while (isalnum((unsigned char)*rest.text) && *rest.text == *other_rest.text) {
                rest.text++;
                other_rest.text++;
        }
        one = &rest;
        other = &other_rest;
        if (reader->is_double)
                test.truth = shell_test_pattern(reader->flow, one, other);
        else if (is_known(one) && is_known(other))
                test.truth = truth_of(strcmp(one->text, other->text) == 0);
        else if ((is_known(other) && !may_match(reader->flow, one, other->text)) ||
                 (is_known(one) && !may_match(reader->flow, other, one->text)))
                test.truth = SHELL_FALSE;
        if (test.truth == SHELL_UNKNOWN) {
                struct shell_facts *facts = is_equal ? &test.if_true : &test.if_false;

                test.is_for_hook = shell_test_is_for_hook(reader->flow, one, other) ||
                                   shell_test_is_for_hook(reader->flow, other, one);
                if (is_known(other) && !(reader->is_double && strpbrk(other->text, "*?[\\")))
                        add_fact(reader, facts, one, other->text);
                else if (is_known(one))
                        add_fact(reader, facts, other, one->text);
        }
        if (!is_equal)
                test.truth = negate(test.truth);
        return test;
}

/* -n WORD, or -z WORD */
static struct shell_test read_length(struct test_reader *reader, bool is_empty,
                                     const struct shell_word *word) {
        struct shell_test test = { 0 };

        if (is_known(word))
                test.truth = truth_of(!*word->text == is_empty);
        else
                add_fact(reader, is_empty ? &test.if_true : &test.if_false, word, "");
        return test;
}

/* test(1), by root */
static bool is_file(char option, mode_t mode) {
        if (option == 'x')
                return S_ISDIR(mode) || (mode & (S_IXUSR | S_IXGRP | S_IXOTH));
        return option == 'd' ? S_ISDIR(mode) : option == 'f' ? S_ISREG(mode) : strchr("er", option) && mode;
}

static struct shell_test read_primary(struct test_reader *reader) {
        const struct shell_word *first = peek(reader, 0);
        struct shell_test test = { 0 };

        if (reader->position >= reader->n_words) {
                reader->is_broken = true;
                return test;
        }
        if (has(reader, 1, "= == != =~ < > -eq -ne -lt -le -gt -ge -nt -ot -ef")) {
                const char *operation = peek(reader, 1)->text;
                const struct shell_word *other = peek(reader, 2);

                reader->is_broken |= reader->position + 3 > reader->n_words;
                reader->position += 3;
                if (text_is_among(operation, "= == !="))
                        return compare_texts(reader, first, *operation == '=', other);
                if (text_is_among(operation, "-eq -ne -lt -le -gt -ge"))
                        test.truth = compare_numbers(first, operation, other);
                return test;
        }
        if (has(reader, 0, "!"))
                return reverse((reader->position++, read_primary(reader)));
        if (has(reader, 0, "(") && reader->n_nested < NESTED_MAX) {
                reader->position++;
                reader->n_nested++;
                test = read_or(reader);
                reader->n_nested--;
                reader->is_broken |= !has(reader, 0, ")");
                reader->position++;
                return test;
        }
        if (first->text[0] == '-' && first->text[1] && !first->text[2] && !first->is_dynamic &&
            reader->position + 1 < reader->n_words) {
                reader->position += 2;
                if (strchr("nz", first->text[1]))
                        return read_length(reader, first->text[1] == 'z', peek(reader, (size_t)-1));
                if (is_known(peek(reader, (size_t)-1)) &&
                    is_file(first->text[1],
                            reader->flow->mode(reader->flow, peek(reader, (size_t)-1)->text)))
                        test.truth = SHELL_TRUE;
                return test;
        }
        reader->position++;
        return read_length(reader, false, first);
}

static void add_facts(struct shell_facts *facts, const struct shell_facts *more) {
        for (size_t i = 0; i < more->n_items && facts->n_items < SHELL_FACTS_MAX; i++)
                facts->items[facts->n_items++] = more->items[i];
}

static struct shell_test both(struct shell_test test, struct shell_test other) {
        test.is_for_hook = (test.is_for_hook || test.truth != SHELL_UNKNOWN) &&
                           (other.is_for_hook || other.truth != SHELL_UNKNOWN);
        add_facts(&test.if_true, &other.if_true);
        test.if_false.n_items = 0;
        if (test.truth == SHELL_TRUE || other.truth == SHELL_FALSE)
                test.truth = other.truth;
        return test;
}

static struct shell_test read_and(struct test_reader *reader) {
        struct shell_test test = read_primary(reader);

        while (has(reader, 0, reader->is_double ? "&&" : "-a"))
                test = both(test, (reader->position++, read_primary(reader)));
        return test;
}

/* That of two facts about one variable, one or the other holds. */
static struct shell_facts one_of(struct pool *pool, const struct shell_facts *one,
                                 const struct shell_facts *other) {
        struct shell_fact fact = one->items[0];
        const char *values = fact.value ? shell_values_add(pool, "", fact.value) : fact.values;

        if (one->n_items != 1 || other->n_items != 1 || strcmp(fact.name, other->items[0].name) != 0 ||
            !other->items[0].value)
                return (struct shell_facts){ .n_items = 0 };
        values = shell_values_add(pool, values, other->items[0].value);
        fact = (struct shell_fact){ .name = fact.name, .values = values };
        return (struct shell_facts){ .items = { fact }, .n_items = values ? 1 : 0 };
}

/* A || B is !(!A && !B). */
static struct shell_test read_or(struct test_reader *reader) {
        struct shell_test test = read_and(reader);

        while (has(reader, 0, reader->is_double ? "||" : "-o")) {
                const struct shell_facts facts = test.if_true;
                struct shell_test other = (reader->position++, read_and(reader));

                test = reverse(both(reverse(test), reverse(other)));
                test.if_true = one_of(reader->flow->pool, &facts, &other.if_true);
        }
        return test;
}

struct shell_test shell_test_read(struct shell_flow *flow, const struct shell_command *command) {
        const char *name = command->words[0].text;
        struct test_reader reader = { .flow = flow,
                                      .words = command->words + 1,
                                      .n_words = command->n_words - 1,
                                      .is_double = strcmp(name, "[[") == 0 };
        struct shell_test test;

        if (strcmp(name, "test") != 0) {
                if (reader.n_words == 0 ||
                    strcmp(reader.words[reader.n_words - 1].text, reader.is_double ? "]]" : "]") != 0)
                        return (struct shell_test){ 0 };
                reader.n_words--;
        }
        test = read_or(&reader);
        return reader.is_broken || reader.position != reader.n_words ? (struct shell_test){ 0 } : test;
}
