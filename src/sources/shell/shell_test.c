/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/shell/shell_test.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "sources/parser/lines.h"
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

/* Whether the word is what a hook gets, and the value another one than it gets when a device goes down. */
static bool is_for_hook(struct shell_flow *flow, const struct shell_word *word,
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

/* Whether the word matches a pattern of `case` or, with [[, of `==`. */
static enum shell_truth match_pattern(struct shell_flow *flow, const struct shell_word *word,
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

static void add_fact(struct shell_flow *flow, struct shell_test *test, const struct shell_word *word,
                     const char *value, const char *values) {
        const char *name = shell_test_variable(flow->pool, word);

        if (name) {
                const struct shell_fact fact = { name, value, values, false };

                test->if_true = (struct shell_facts){ .items = { fact }, .n_items = 1 };
                test->if_false = test->if_true;
                test->if_false.items[0].is_not = true;
        }
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

static const char *values_of(struct pool *pool, const struct shell_fact *fact) {
        return fact->value ? shell_values_add(pool, "", fact->value) : fact->values;
}

/* What holds if one or the other does: facts that are the same, and one whose values are those of both. */
static struct shell_facts one_of(struct pool *pool, const struct shell_facts *one,
                                 const struct shell_facts *other) {
        struct shell_facts facts = { .n_items = 0 };
        unsigned n_different = 0;

        for (size_t i = 0; i < one->n_items && one->n_items == other->n_items; i++) {
                const struct shell_fact *fact = &one->items[i], *beside = &other->items[i];
                const char *values = values_of(pool, fact), *more = values_of(pool, beside);
                char *rest = pool_copy(pool, more ? more : ""), *value;

                if (strcmp(fact->name, beside->name) != 0 || fact->is_not || beside->is_not || !values ||
                    !more)
                        return (struct shell_facts){ .n_items = 0 };
                n_different += strcmp(values, more) != 0;
                while ((value = lines_word(&rest)) && values)
                        values = shell_values_add(pool, values, value);
                if (!values || n_different > 1)
                        return (struct shell_facts){ .n_items = 0 };
                facts.items[facts.n_items++] = (struct shell_fact){ .name = fact->name, .values = values };
        }
        return facts;
}

/* A || B is !(!A && !B). */
static struct shell_test either(struct pool *pool, struct shell_test test, struct shell_test other) {
        const struct shell_facts facts = one_of(pool, &test.if_true, &other.if_true);

        if (test.truth == SHELL_FALSE || other.truth == SHELL_FALSE)
                return test.truth == SHELL_FALSE ? other : test;
        test = reverse(both(reverse(test), reverse(other)));
        test.if_true = facts;
        return test;
}

static size_t count(const char *text, char c) {
        size_t n = 0;

        for (; *text; text++)
                n += *text == c;
        return n;
}

/* Cuts a word behind the text, and its mark. */
static struct shell_word cut(struct pool *pool, const struct shell_word *word, size_t size) {
        struct shell_word first = *word;

        first.text = pool_copy_part(pool, word->text, size);
        first.is_dynamic &= strpbrk(first.text, "$`*?[(\\") != NULL;
        return first;
}

/* "$1:$2" and eth0:up: cuts both words behind the first variable, and takes the rest without the mark as the
 * words. False: there is no such variable, which part is which is not known, or there are too many. */
static bool take_first(struct pool *pool, struct shell_word *one, struct shell_word *other,
                       struct shell_word *ret_one, struct shell_word *ret_other) {
        size_t size = strcspn(one->text, ":/,- "), other_size;
        char mark = one->text[size];

        if (!mark || !one->is_dynamic || count(one->text, mark) > SHELL_FACTS_MAX ||
            count(one->text, mark) != count(other->text, mark) || (mark == '-' && strchr(other->text, '*')))
                return false;
        *ret_one = cut(pool, one, size);
        if (!shell_test_variable(pool, ret_one))
                return false;
        other_size = strcspn(other->text, (char[]){ mark, 0 });
        *ret_other = cut(pool, other, other_size);
        one->text += size + 1;
        *one = cut(pool, one, strlen(one->text));
        other->text += other_size + 1;
        *other = cut(pool, other, strlen(other->text));
        return true;
}

/* Whether the word is the other one, which may be a pattern. */
static struct shell_test match(struct shell_flow *flow, struct shell_word one, struct shell_word other,
                               bool is_pattern) {
        struct shell_test test = { 0 };
        struct shell_word first, other_first;

        /* "x$IFACE" = xeth0 */
        while ((isalnum((unsigned char)*one.text) || (*one.text && strchr(":/,-_. ", *one.text))) &&
               *one.text == *other.text) {
                one.text++;
                other.text++;
        }
        if (take_first(flow->pool, &one, &other, &first, &other_first))
                return both(match(flow, first, other_first, is_pattern),
                            match(flow, one, other, is_pattern));
        if (is_pattern)
                test.truth = match_pattern(flow, &one, &other);
        else if (is_known(&one) && is_known(&other))
                test.truth = truth_of(strcmp(one.text, other.text) == 0);
        else if ((is_known(&other) && !may_match(flow, &one, other.text)) ||
                 (is_known(&one) && !may_match(flow, &other, one.text)))
                test.truth = SHELL_FALSE;
        if (test.truth != SHELL_UNKNOWN)
                return test;
        if (is_pattern && other.is_dynamic && !other.is_assumed && !is_known(&one)) {
                const struct shell_word values = { shell_values_add_pattern(flow->pool, "", other.text) };

                test.is_for_hook = values.text && is_for_hook(flow, &one, &values);
                if (values.text)
                        add_fact(flow, &test, &one, NULL, values.text);
                return test;
        }
        test.is_for_hook = is_for_hook(flow, &one, &other) || is_for_hook(flow, &other, &one);
        if (is_known(&other) && !(is_pattern && strpbrk(other.text, "*?[\\")))
                add_fact(flow, &test, &one, other.text, NULL);
        else if (is_known(&one))
                add_fact(flow, &test, &other, one.text, NULL);
        return test;
}

struct shell_test shell_test_case(struct shell_flow *flow, const struct shell_word *word,
                                  const struct shell_word *patterns, size_t n) {
        struct shell_test test = { .truth = SHELL_FALSE };

        for (size_t i = 0; i < n; i++)
                test = either(flow->pool, test, match(flow, *word, patterns[i], true));
        return test;
}

/* -n WORD, or -z WORD */
static struct shell_test read_length(struct test_reader *reader, bool is_empty,
                                     const struct shell_word *word) {
        struct shell_test test = { 0 };

        if (is_known(word))
                test.truth = truth_of(!*word->text == is_empty);
        else {
                add_fact(reader->flow, &test, word, "", NULL);
                test = is_empty ? test : reverse(test);
        }
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
                        test = match(reader->flow, *first, *other, reader->is_double);
                if (*operation == '!')
                        return reverse(test);
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
                const struct shell_word *operand = peek(reader, 1);

                reader->position += 2;
                if (strchr("nz", first->text[1]))
                        return read_length(reader, first->text[1] == 'z', operand);
                if (is_known(operand) &&
                    is_file(first->text[1], reader->flow->mode(reader->flow, operand->text)))
                        test.truth = SHELL_TRUE;
                return test;
        }
        reader->position++;
        return read_length(reader, false, first);
}

static struct shell_test read_and(struct test_reader *reader) {
        struct shell_test test = read_primary(reader);

        while (has(reader, 0, reader->is_double ? "&&" : "-a"))
                test = both(test, (reader->position++, read_primary(reader)));
        return test;
}

static struct shell_test read_or(struct test_reader *reader) {
        struct shell_test test = read_and(reader);

        while (has(reader, 0, reader->is_double ? "||" : "-o"))
                test = either(reader->flow->pool, test, (reader->position++, read_and(reader)));
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

struct shell_outcome shell_test_outcome(struct shell_flow *flow, const struct shell_test *test) {
        struct shell_outcome outcome = shell_outcome_either(flow);

        if (test->truth != SHELL_UNKNOWN)
                return shell_outcome_certain(flow, test->truth == SHELL_TRUE);
        outcome.is_for_hook = test->is_for_hook;
        if (test->if_true.n_items + test->if_false.n_items == 0)
                return outcome;
        outcome = shell_outcome_split(flow, outcome);
        shell_known_hold(flow, &outcome.yes, &test->if_true);
        shell_known_hold(flow, &outcome.no, &test->if_false);
        return outcome;
}
