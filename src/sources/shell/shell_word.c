/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/shell/shell_word.h"

#include <ctype.h>
#include <fnmatch.h>
#include <string.h>

#include "base/text.h"
#include "sources/parser/lines.h"
#include "sources/shell/shell_arithmetic.h"

/* Of defaults in defaults. */
#define NESTED_MAX 4

/* Puts in what was read from `begin` on, as it is written: only the running shell knows what it stands for.
 */
static void put_unknown(const struct shell *shell, struct growing_word *word, size_t begin) {
        word->is_dynamic = true;
        pool_text_put_part(&word->text, shell->text + begin, shell->position - begin);
}

struct shell shell_open(struct pool *pool, const char *text, size_t size,
                        const struct shell_variables *variables) {
        static const struct shell_variables none;

        return (struct shell){ .pool = pool,
                               .text = text,
                               .size = size,
                               .variables = variables ? variables : &none,
                               .line = 1 };
}

char shell_peek(const struct shell *shell, size_t ahead) {
        size_t at = shell->position + ahead;

        return at < shell->size ? shell->text[at] : '\0';
}

bool shell_at_end(const struct shell *shell) {
        return shell->position >= shell->size;
}

bool shell_at(const struct shell *shell, const char *characters) {
        char c = shell_peek(shell, 0);

        return c && strchr(characters, c);
}

char shell_take(struct shell *shell) {
        char c = shell->text[shell->position++];

        if (c == '\n')
                shell->line++;
        return c;
}

bool shell_take_any(struct shell *shell, const char *characters) {
        return shell_at(shell, characters) && shell_take(shell);
}

void shell_skip_comment(struct shell *shell) {
        while (!shell_at_end(shell) && shell_peek(shell, 0) != '\n')
                shell_take(shell);
}

bool shell_skip_continuation(struct shell *shell) {
        size_t newline = shell_peek(shell, 1) == '\r' ? 2 : 1;

        if (shell_peek(shell, 0) != '\\' || shell_peek(shell, newline) != '\n')
                return false;
        for (size_t i = 0; i <= newline; i++)
                shell_take(shell);
        return true;
}

void shell_skip_nested(struct shell *shell, char open, char close) {
        unsigned begin = shell->line, depth = 0;
        char quote = '\0';

        while (!shell_at_end(shell)) {
                char c = shell_take(shell);

                if (c == '\\' && quote != '\'' && !shell_at_end(shell))
                        shell_take(shell);
                else if (quote)
                        quote = c == quote ? '\0' : quote;
                else if (c == '\'' || c == '"')
                        quote = c;
                else if (c == open && open != close)
                        depth++;
                else if (c == close && (open == close ? depth++ > 0 : --depth == 0))
                        return;
        }
        shell->mistake = (struct shell_mistake){ begin, SHELL_OPEN_QUOTE };
}

static bool is_name(char c) {
        return isalnum((unsigned char)c) || c == '_';
}

size_t shell_name_size(const char *text) {
        size_t size = 0;

        while (is_name(text[size]))
                size++;
        return isdigit((unsigned char)*text) ? 0 : size;
}

bool shell_is_name(const char *text) {
        return *text && !text[shell_name_size(text)];
}

bool shell_word_is(const struct shell_word *word, const char *text) {
        return strcmp(word->text, text) == 0;
}

const char *shell_assignment(const struct shell_word *word, size_t *ret_name_size) {
        size_t size = shell_name_size(word->text), equals = size + (word->text[size] == '+' ? 1 : 0);

        if (size == 0 || word->text[equals] != '=')
                return NULL;
        *ret_name_size = size;
        return word->text + equals + 1;
}

/* What is known of a variable or an argument. */
struct known {
        const char *value; /* NULL: only the running shell can tell */
        bool is_set;       /* to something, known or not */
        bool is_assumed;   /* the environment may give another value */
};

static struct known look_up(const struct shell *shell, const char *name, size_t size) {
        const struct shell_command *arguments = shell->variables->arguments;
        const struct shell_variable *variable;
        bool is_argument = size > 0 && isdigit((unsigned char)*name);

        if (is_argument && size <= 2 && *name != '0' && arguments) {
                size_t n = (size_t)(size == 1 ? *name - '0' : 10 * (name[0] - '0') + name[1] - '0');
                const struct shell_word *word = n <= arguments->n_words ? &arguments->words[n - 1] : NULL;

                if (!word)
                        return (struct known){ .value = "" };
                return (struct known){ word->is_dynamic ? NULL : word->text, true, word->is_assumed };
        }
        variable = shell_variables_find_part(shell->variables, name, size);
        if (!variable)
                return (struct known){ .is_set = is_argument, .is_assumed = true };
        if (variable->is_dynamic)
                return (struct known){ .is_set = true };
        return (struct known){ variable->value, is_argument || (variable->value && *variable->value),
                               variable->is_assumed };
}

/* Puts in a default, which may have variables and quotes of its own. */
static void put_default(const struct shell *shell, struct growing_word *word, const char *text,
                        size_t size) {
        struct shell inner = *shell;

        inner.text = text;
        inner.size = size;
        inner.position = 0;
        inner.n_nested++;
        while (!shell_at_end(&inner)) {
                size_t before = inner.position;

                shell_read_word(&inner, word);
                if (inner.position == before)
                        pool_text_put_part(&word->text, &(char){ shell_take(&inner) }, 1);
        }
}

/* Notes that ${NAME:=DEFAULT} sets the variable. */
static void add_default(struct shell *shell, const char *name, size_t size, const struct growing_word *word,
                        size_t begin) {
        const char *value = word->text.text ? word->text.text + begin : "";
        const struct shell_word item = { pool_print(shell->pool, "%.*s=%s", (int)size, name, value),
                                         word->is_dynamic, word->is_assumed };

        pool_put(shell->pool, &shell->defaults, &shell->n_defaults, &item, sizeof(item));
}

/* Of a value of which a pattern takes something off: longer than a path, and each length is tried. */
#define STRIPPED_SIZE_MAX 256u

/* Puts in NAME%PATTERN, NAME%%PATTERN, NAME#PATTERN or NAME##PATTERN. False if it is something else. */
static bool put_stripped(struct shell *shell, struct growing_word *word, const char *value, const char *text,
                         size_t size) {
        bool is_long = size > 1 && text[1] == text[0], is_front = size > 0 && *text == '#';
        const char *pattern = pool_copy_part(shell->pool, text, size) + (is_long ? 2 : 1);
        char *front = pool_copy(shell->pool, value);
        size_t n = strlen(front);

        if (size == 0 || !strchr("%#", *text) || strpbrk(pattern, "$`\"'\\{(") || n > STRIPPED_SIZE_MAX)
                return false;
        for (size_t i = 0; i <= n; i++) {
                size_t removed = is_long ? n - i : i;
                bool is_found;

                front[removed] = '\0';
                is_found = fnmatch(pattern, is_front ? front : value + n - removed, 0) == 0;
                front[removed] = value[removed];
                if (is_found) {
                        pool_text_put_part(&word->text, is_front ? value + removed : value, n - removed);
                        return true;
                }
        }
        pool_text_put_part(&word->text, value, n);
        return true;
}

/* Puts in NAME/TEXT/BY or, for all of them, NAME//TEXT/BY. False if it is something else. */
static bool put_replaced(struct shell *shell, struct growing_word *word, const char *value, const char *text,
                         size_t size) {
        bool is_all = size > 1 && text[1] == '/';
        char *by = pool_copy_part(shell->pool, text, size), *from;
        const char *found;

        if (size < 2 || *text != '/' || strpbrk(by, "$`\"'\\{(*?[#%") ||
            strlen(value) > SHELL_WORD_SIZE_MAX / 2)
                return false;
        by += is_all ? 2 : 1;
        from = strsep(&by, "/");
        if (!*from)
                return false;
        while ((found = strstr(value, from))) {
                pool_text_put_part(&word->text, value, (size_t)(found - value));
                pool_text_put(&word->text, by ? by : "");
                value = found + strlen(from);
                if (!is_all || word->text.size > SHELL_WORD_SIZE_MAX)
                        break;
        }
        pool_text_put(&word->text, value);
        return true;
}

/* Puts in NAME, NAME[@], or the DEFAULT of NAME:-DEFAULT and NAME:=DEFAULT. */
static void put_variable(struct shell *shell, struct growing_word *word, size_t begin, const char *text,
                         size_t size) {
        size_t name = 0, after, begin_of_value = word->text.size;
        struct known known;
        bool is_array, is_value;
        char operation;

        while (name < size && is_name(text[name]))
                name++;
        known = look_up(shell, text, name);
        is_array = text_part_is(text + name, size - name, "[@]");
        after = name + (name < size && text[name] == ':' ? 1 : 0);
        operation = after < size ? text[after] : '\0';
        is_value = name == size || is_array || (known.is_set && operation && strchr("-=?", operation));
        word->is_assumed |= known.is_assumed;
        if (name > 0 && !known.is_set && shell->variables->is_all &&
            (operation == '-' || operation == '=') && shell->n_nested < NESTED_MAX) {
                put_default(shell, word, text + after + 1, size - after - 1);
                if (operation == '=')
                        add_default(shell, text, name, word, begin_of_value);
        } else if (known.value && is_value && word->text.size + strlen(known.value) <= SHELL_WORD_SIZE_MAX) {
                word->apart = is_array ? "\n" : word->apart;
                pool_text_put(&word->text, known.value);
        } else if (name == 0 || !known.value ||
                   (!put_stripped(shell, word, known.value, text + name, size - name) &&
                    !put_replaced(shell, word, known.value, text + name, size - name)))
                put_unknown(shell, word, begin);
}

/* Puts in the program whose path `which NAME` or the like prints; it may not be there. The commands have
 * been read from `begin` on, with `open` characters in front and one behind. False if they are others. */
static bool put_program(struct shell *shell, struct growing_word *word, size_t begin, size_t open) {
        size_t size = shell->position - begin;
        char *rest = pool_copy_part(shell->pool, shell->text + begin + open,
                                    size > open ? size - open - 1 : 0);
        const char *first = lines_word(&rest), *second = lines_word(&rest);
        const char *name = second;

        if (!first || !second)
                return false;
        if ((strcmp(first, "command") == 0 && strcmp(second, "-v") == 0) ||
            (strcmp(first, "type") == 0 && text_is_among(second, "-p -P")))
                name = lines_word(&rest);
        else if (strcmp(first, "which") != 0)
                return false;
        rest += strspn(rest, SHELL_BLANKS);
        if (!name || strpbrk(name, "$`\"'\\*?[;|&") || (*rest && !text_after(rest, "2>")))
                return false;
        word->is_assumed = true;
        pool_text_put(&word->text, name);
        return true;
}

/* Puts in what `basename PATH` prints. The commands are as above. */
static bool put_base_name(struct shell *shell, struct growing_word *word, size_t begin, size_t open) {
        struct growing_word name = { .text.pool = shell->pool }, path = { .text.pool = shell->pool };
        size_t size = shell->position - begin;
        struct shell inner;

        if (size <= open || shell->n_nested == NESTED_MAX)
                return false;
        inner = shell_open(shell->pool, shell->text + begin + open, size - open - 1, shell->variables);
        inner.n_nested = shell->n_nested + 1;
        shell_read_word(&inner, &name);
        while (shell_take_any(&inner, SHELL_BLANKS))
                ;
        shell_read_word(&inner, &path);
        while (shell_take_any(&inner, SHELL_BLANKS))
                ;
        if (!name.text.text || strcmp(name.text.text, "basename") != 0 || !path.text.text ||
            path.is_dynamic || !shell_at_end(&inner))
                return false;
        word->is_assumed |= path.is_assumed;
        pool_text_put(&word->text, text_base_name(path.text.text));
        return true;
}

/* Puts in what the commands print. */
static void put_output(struct shell *shell, struct growing_word *word, size_t begin, size_t open) {
        if (!put_program(shell, word, begin, open) && !put_base_name(shell, word, begin, open))
                put_unknown(shell, word, begin);
}

/* What a value is made of. */
struct computing {
        const struct shell *shell;
        struct growing_word *word;
};

static const char *value_of(void *userdata, const char *name, size_t size) {
        const struct computing *computing = userdata;
        const struct known known = look_up(computing->shell, name, size);

        computing->word->is_assumed |= known.is_assumed;
        return known.is_set ? known.value : NULL;
}

/* Puts in the result of $(( … )), which has been read from `begin` on. */
static bool put_sum(struct shell *shell, struct growing_word *word, size_t begin) {
        const char *text = shell->text + begin + strlen("$((");
        size_t size = shell->position - begin, around = strlen("$(())");
        uint32_t sum;

        if (size < around || text[-1] != '(' || text[size - around] != ')' ||
            !shell_arithmetic(text, size - around, value_of, &(struct computing){ shell, word }, &sum))
                return false;
        pool_text_put(&word->text, pool_print(shell->pool, "%u", sum));
        return true;
}

/* Puts in $* of an assignment, where no quotes part the arguments. False if it is elsewhere, or not known.
 */
static bool put_arguments(struct growing_word *word, const struct shell_command *arguments) {
        const struct shell_word begun = { word->text.text ? word->text.text : "" };
        size_t size;

        if (!arguments || !shell_assignment(&begun, &size))
                return false;
        for (size_t i = 0; i < arguments->n_words; i++)
                if (arguments->words[i].is_dynamic)
                        return false;
        for (size_t i = 0; i < arguments->n_words; i++) {
                pool_text_put(&word->text, i > 0 ? " " : "");
                pool_text_put(&word->text, arguments->words[i].text);
                word->is_assumed |= arguments->words[i].is_assumed;
        }
        return true;
}

/* Reads from a "$" on. */
static void read_dollar(struct shell *shell, struct growing_word *word) {
        const struct shell_command *arguments = shell->variables->arguments;
        size_t begin = shell->position, size;
        const char *name = shell->text + begin + 1;

        shell_take(shell);
        if (shell_at(shell, "(")) {
                shell_skip_nested(shell, '(', ')');
                if (!put_sum(shell, word, begin))
                        put_output(shell, word, begin, strlen("$("));
        } else if (shell_at(shell, "{")) {
                shell_skip_nested(shell, '{', '}');
                size = shell->position - begin - strlen("${");
                put_variable(shell, word, begin, name + 1, size - (size > 0 && name[size] == '}' ? 1 : 0));
        } else if (is_name(shell_peek(shell, 0))) {
                do
                        shell_take(shell);
                while (!isdigit((unsigned char)*name) && is_name(shell_peek(shell, 0)));
                put_variable(shell, word, begin, name, shell->position - begin - 1);
        } else if (shell_at(shell, "#") && arguments) {
                shell_take(shell);
                pool_text_put(&word->text, pool_print(shell->pool, "%zu", arguments->n_words));
        } else if (shell_take_any(shell, "*@")) {
                if (!put_arguments(word, arguments))
                        put_unknown(shell, word, begin);
        } else if (shell_take_any(shell, "#?-$!") || shell_at(shell, "'\""))
                put_unknown(shell, word, begin);
        else
                pool_text_put(&word->text, "$");
}

static void read_backquote(struct shell *shell, struct growing_word *word) {
        size_t begin = shell->position;

        shell_skip_nested(shell, '`', '`');
        put_output(shell, word, begin, strlen("`"));
}

static void read_single_quotes(struct shell *shell, struct growing_word *word) {
        unsigned begin = shell->line;

        shell_take(shell);
        while (!shell_at_end(shell)) {
                char c = shell_take(shell);

                if (c == '\'')
                        return;
                pool_text_put_part(&word->text, &c, 1);
        }
        shell->mistake = (struct shell_mistake){ begin, SHELL_OPEN_QUOTE };
}

static void read_double_quotes(struct shell *shell, struct growing_word *word) {
        unsigned begin = shell->line;

        shell_take(shell);
        while (!shell_at_end(shell)) {
                char c = shell_peek(shell, 0);

                if (shell_take_any(shell, "\""))
                        return;
                if (c == '$')
                        read_dollar(shell, word);
                else if (c == '`')
                        read_backquote(shell, word);
                else if (!shell_skip_continuation(shell)) {
                        shell_take(shell);
                        if (c == '\\' && shell_at(shell, "$`\"\\"))
                                c = shell_take(shell);
                        pool_text_put_part(&word->text, &c, 1);
                }
        }
        shell->mistake = (struct shell_mistake){ begin, SHELL_OPEN_QUOTE };
}

/* Reads the elements of NAME=( … ) from the "(" on, and separates them by newlines. */
static void read_array(struct shell *shell, struct growing_word *word) {
        /* Of +=( … ), they are apart from those before as well. */
        bool is_first = word->text.size < 2 || word->text.text[word->text.size - 2] != '+';

        shell_take(shell);
        shell->in_array = true;
        while (!shell_at_end(shell)) {
                char c = shell_peek(shell, 0);

                if (shell_take_any(shell, ")"))
                        break;
                if (c == '#') {
                        shell_skip_comment(shell);
                        continue;
                }
                if (!c || shell_at(shell, SHELL_BLANKS SHELL_OPERATORS)) {
                        shell_take(shell);
                        continue;
                }
                if (!is_first)
                        pool_text_put(&word->text, "\n");
                is_first = false;
                shell_read_word(shell, word);
        }
        shell->in_array = false;
}

bool shell_begins_file(const struct shell *shell) {
        return shell_at(shell, "<>") && shell_peek(shell, 1) == '(' && !shell->in_test;
}

static void read_substitution(struct shell *shell, struct growing_word *word) {
        size_t begin = shell->position;

        shell_take(shell);
        shell_skip_nested(shell, '(', ')');
        put_unknown(shell, word, begin);
}

/* Where a value without quotes is split: $IFS. */
static const char *separators(const struct shell *shell) {
        const char *known = shell_variables_value(shell->variables, "IFS");

        return known ? known : SHELL_BLANKS "\n";
}

void shell_read_word(struct shell *shell, struct growing_word *word) {
        size_t begin = word->text.size;

        while (!shell_at_end(shell)) {
                char c = shell_peek(shell, 0);

                if (shell_skip_continuation(shell))
                        continue;
                if (c == '(' && !shell->in_array && word->text.size > begin &&
                    word->text.text[word->text.size - 1] == '=') {
                        read_array(shell, word);
                        return;
                }
                if (shell_begins_file(shell)) {
                        read_substitution(shell, word);
                        continue;
                }
                if (shell_at(shell, SHELL_BLANKS SHELL_OPERATORS))
                        return;
                if (!word->text.text)
                        pool_text_put(&word->text, "");
                if (c == '\'')
                        read_single_quotes(shell, word);
                else if (c == '"')
                        read_double_quotes(shell, word);
                else if (c == '$') {
                        size_t before = word->text.size;

                        read_dollar(shell, word);
                        if (word->text.size == before ||
                            strpbrk(word->text.text + before, separators(shell)))
                                word->apart = separators(shell);
                } else if (c == '`')
                        read_backquote(shell, word);
                else {
                        shell_take(shell);
                        if (c == '\\' && !shell_at_end(shell))
                                c = shell_take(shell);
                        else if (c && strchr("*?[{", c))
                                word->is_dynamic = true;
                        if (c)
                                pool_text_put_part(&word->text, &c, 1);
                }
        }
}
