/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/format/shell.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#define BLANK " \t\r"
#define OPERATORS ";&|()\n<>"

/* No relevant command has more words; the rest are discarded. */
#define WORDS_MAX 1024

/* Of defaults in defaults. */
#define NESTED_MAX 4

/* No loop over more words is of interest. */
#define BRACES_MAX 256

/* A word that is being read. */
struct growing {
        struct pool_text text;
        bool is_dynamic;
        bool is_assumed;
        const char *apart; /* it is none or several words, apart by these characters: a variable without
                              quotes (POSIX XCU 2.6.5), an array; or NULL */
};

static void put(struct growing *word, const char *text, size_t size) {
        pool_text_put_part(&word->text, text, size);
}

/* Puts in what was read from `begin` on, as it is written: only the running shell knows what it stands for.
 */
static void put_unknown(const struct shell *shell, struct growing *word, size_t begin) {
        word->is_dynamic = true;
        put(word, shell->text + begin, shell->position - begin);
}

struct shell shell_open(struct pool *pool, const char *text, size_t size,
                        const struct shell_variables *variables) {
        return (struct shell){ .pool = pool, .text = text, .size = size, .variables = variables, .line = 1 };
}

/* Returns NUL at the end. A NUL in the text does not end it and is ignored. */
static char peek(const struct shell *shell, size_t ahead) {
        size_t at = shell->position + ahead;

        return at < shell->size ? shell->text[at] : '\0';
}

static bool at_end(const struct shell *shell) {
        return shell->position >= shell->size;
}

/* Whether one of the characters is next. */
static bool at(const struct shell *shell, const char *characters) {
        char c = peek(shell, 0);

        return c && strchr(characters, c);
}

static char take(struct shell *shell) {
        char c = shell->text[shell->position++];

        if (c == '\n')
                shell->line++;
        return c;
}

static void skip_comment(struct shell *shell) {
        while (!at_end(shell) && peek(shell, 0) != '\n')
                take(shell);
}

/* Skips a backslash with the newline behind it. */
static bool skip_continuation(struct shell *shell) {
        size_t newline = peek(shell, 1) == '\r' ? 2 : 1;

        if (peek(shell, 0) != '\\' || peek(shell, newline) != '\n')
                return false;
        for (size_t i = 0; i <= newline; i++)
                take(shell);
        return true;
}

/* Skips from the next `open` to behind its matching `close`. */
static void skip_nested(struct shell *shell, char open, char close) {
        unsigned begin = shell->line, depth = 0;
        char quote = '\0';

        while (!at_end(shell)) {
                char c = take(shell);

                if (c == '\\' && quote != '\'' && !at_end(shell))
                        take(shell);
                else if (quote)
                        quote = c == quote ? '\0' : quote;
                else if (c == '\'' || (c == '"' && open != '"'))
                        quote = c;
                else if (c == open && open != close)
                        depth++;
                else if (c == close && (open == close ? depth++ > 0 : --depth == 0))
                        return;
        }
        shell->open_quote = begin;
}

static bool is_name(char c) {
        return isalnum((unsigned char)c) || c == '_';
}

/* What is known of a variable or an argument. */
struct known {
        const char *value; /* NULL: only the running shell can tell */
        bool is_set;       /* to something, known or not */
        bool is_assumed;   /* the environment may give another value */
};

static struct known look_up(const struct shell *shell, const char *name, size_t size) {
        const struct shell_command *arguments = shell->variables ? shell->variables->arguments : NULL;
        const struct shell_variable *variable;
        bool is_argument = size > 0 && isdigit((unsigned char)*name);

        if (is_argument && size == 1 && *name != '0' && arguments) {
                size_t index = (size_t)(*name - '1');
                const struct shell_word *word = index < arguments->n_words ? &arguments->words[index] : NULL;

                if (!word)
                        return (struct known){ .value = "" };
                return (struct known){ word->is_dynamic ? NULL : word->text, true, word->is_assumed };
        }
        variable = shell->variables ? shell_variables_find(shell->variables, name, size) : NULL;
        if (!variable)
                return (struct known){ .is_set = is_argument, .is_assumed = true };
        if (variable->is_dynamic)
                return (struct known){ .is_set = true };
        return (struct known){ variable->value, is_argument || (variable->value && *variable->value),
                               variable->is_assumed };
}

/* Reads a word. word->text.text stays NULL if there is none. */
static void read_word(struct shell *shell, struct growing *word);

/* Puts in a default, which may have variables and quotes of its own. */
static void put_default(const struct shell *shell, struct growing *word, const char *text, size_t size) {
        struct shell inner = *shell;

        inner.text = text;
        inner.size = size;
        inner.position = 0;
        inner.n_nested++;
        while (!at_end(&inner)) {
                size_t before = inner.position;

                read_word(&inner, word);
                if (inner.position == before)
                        put(word, &(char){ take(&inner) }, 1);
        }
}

/* Notes that ${NAME:=DEFAULT} sets the variable. */
static void add_default(struct shell *shell, const char *name, size_t size, const struct growing *word,
                        size_t begin) {
        struct shell_word *item = pool_add(shell->pool, &shell->defaults, &shell->n_defaults, sizeof(*item));

        if (item)
                *item = (struct shell_word){ pool_print(shell->pool, "%.*s=%s", (int)size, name,
                                                        word->text.text ? word->text.text + begin : ""),
                                             word->is_dynamic, word->is_assumed };
}

/* Puts in NAME%PATTERN, NAME%%PATTERN, NAME#PATTERN or NAME##PATTERN. False if it is something else. */
static bool put_stripped(struct shell *shell, struct growing *word, const char *value, const char *text,
                         size_t size) {
        bool is_long = size > 1 && text[1] == text[0], is_front = size > 0 && *text == '#';
        const char *pattern = pool_copy_part(shell->pool, text, size) + (is_long ? 2 : 1);
        size_t n = strlen(value);

        if (size == 0 || !strchr("%#", *text) || strpbrk(pattern, "$`\"'\\{(") || n > SHELL_WORD_SIZE_MAX)
                return false;
        for (size_t i = 0; i <= n; i++) {
                size_t removed = is_long ? n - i : i;
                const char *part =
                                is_front ? pool_copy_part(shell->pool, value, removed) : value + n - removed;

                if (fnmatch(pattern, part, 0) == 0) {
                        put(word, is_front ? value + removed : value, n - removed);
                        return true;
                }
        }
        put(word, value, n);
        return true;
}

/* Puts in NAME/TEXT/BY or, for all of them, NAME//TEXT/BY. False if it is something else. */
static bool put_replaced(struct shell *shell, struct growing *word, const char *value, const char *text,
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
                put(word, value, (size_t)(found - value));
                put(word, by ? by : "", by ? strlen(by) : 0);
                value = found + strlen(from);
                if (!is_all || word->text.size > SHELL_WORD_SIZE_MAX)
                        break;
        }
        put(word, value, strlen(value));
        return true;
}

/* Puts in NAME, NAME[@], or the DEFAULT of NAME:-DEFAULT and NAME:=DEFAULT. */
static void put_variable(struct shell *shell, struct growing *word, size_t begin, const char *text,
                         size_t size) {
        size_t name = 0, after, begin_of_value = word->text.size;
        struct known known;
        bool is_array, is_value;
        char operation;

        while (name < size && is_name(text[name]))
                name++;
        known = look_up(shell, text, name);
        is_array = size - name == 3 && memcmp(text + name, "[@]", 3) == 0;
        after = name + (name < size && text[name] == ':' ? 1 : 0);
        operation = after < size ? text[after] : '\0';
        is_value = name == size || is_array || (known.is_set && operation && strchr("-=?", operation));
        word->is_assumed |= known.is_assumed;
        if (name > 0 && !known.is_set && shell->variables && shell->variables->is_all &&
            (operation == '-' || operation == '=') && shell->n_nested < NESTED_MAX) {
                put_default(shell, word, text + after + 1, size - after - 1);
                if (operation == '=')
                        add_default(shell, text, name, word, begin_of_value);
        } else if (known.value && is_value && word->text.size + strlen(known.value) <= SHELL_WORD_SIZE_MAX) {
                word->apart = is_array ? "\n" : word->apart;
                put(word, known.value, strlen(known.value));
        } else if (name == 0 || !known.value ||
                   (!put_stripped(shell, word, known.value, text + name, size - name) &&
                    !put_replaced(shell, word, known.value, text + name, size - name)))
                put_unknown(shell, word, begin);
}

/* Puts in the program whose path `which NAME` or the like prints; it may not be there. The commands have
 * been read from `begin` on, with `open` characters in front and one behind. False if they are others. */
static bool put_program(struct shell *shell, struct growing *word, size_t begin, size_t open) {
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
        rest += strspn(rest, BLANK);
        if (!name || strpbrk(name, "$`\"'\\*?[;|&") || (*rest && !text_after(rest, "2>")))
                return false;
        word->is_assumed = true;
        put(word, name, strlen(name));
        return true;
}

/* Reads from a "$" on. */
static void read_dollar(struct shell *shell, struct growing *word) {
        const struct shell_command *arguments = shell->variables ? shell->variables->arguments : NULL;
        size_t begin = shell->position, size;
        const char *name = shell->text + begin + 1;

        take(shell);
        if (at(shell, "(")) {
                skip_nested(shell, '(', ')');
                if (!put_program(shell, word, begin, strlen("$(")))
                        put_unknown(shell, word, begin);
        } else if (at(shell, "{")) {
                skip_nested(shell, '{', '}');
                size = shell->position - begin - strlen("${");
                put_variable(shell, word, begin, name + 1, size - (size > 0 && name[size] == '}' ? 1 : 0));
        } else if (is_name(peek(shell, 0))) {
                do
                        take(shell);
                while (!isdigit((unsigned char)*name) && is_name(peek(shell, 0)));
                put_variable(shell, word, begin, name, shell->position - begin - 1);
        } else if (at(shell, "#") && arguments) {
                take(shell);
                pool_text_put(&word->text, pool_print(shell->pool, "%zu", arguments->n_words));
        } else if (at(shell, "*@#?-$!'\"")) {
                if (!at(shell, "'\""))
                        take(shell);
                put_unknown(shell, word, begin);
        } else
                put(word, "$", 1);
}

static void read_backquote(struct shell *shell, struct growing *word) {
        size_t begin = shell->position;

        skip_nested(shell, '`', '`');
        if (!put_program(shell, word, begin, strlen("`")))
                put_unknown(shell, word, begin);
}

static void read_single_quotes(struct shell *shell, struct growing *word) {
        unsigned begin = shell->line;

        take(shell);
        while (!at_end(shell)) {
                char c = take(shell);

                if (c == '\'')
                        return;
                put(word, &c, 1);
        }
        shell->open_quote = begin;
}

static void read_double_quotes(struct shell *shell, struct growing *word) {
        unsigned begin = shell->line;

        take(shell);
        while (!at_end(shell)) {
                char c = peek(shell, 0);

                if (c == '"') {
                        take(shell);
                        return;
                }
                if (c == '$')
                        read_dollar(shell, word);
                else if (c == '`')
                        read_backquote(shell, word);
                else if (!skip_continuation(shell)) {
                        take(shell);
                        if (c == '\\' && at(shell, "$`\"\\"))
                                c = take(shell);
                        put(word, &c, 1);
                }
        }
        shell->open_quote = begin;
}

/* Reads the elements of NAME=( … ) from the "(" on, and separates them by newlines. */
static void read_array(struct shell *shell, struct growing *word) {
        /* Of +=( … ), they are apart from those before as well. */
        bool is_first = word->text.size < 2 || word->text.text[word->text.size - 2] != '+';

        take(shell);
        shell->in_array = true;
        while (!at_end(shell)) {
                char c = peek(shell, 0);
                size_t before = shell->position;

                if (c == ')') {
                        take(shell);
                        break;
                }
                if (c == '#') {
                        skip_comment(shell);
                        continue;
                }
                if (strchr(BLANK OPERATORS, c)) {
                        take(shell);
                        continue;
                }
                if (!is_first)
                        put(word, "\n", 1);
                is_first = false;
                read_word(shell, word);
                if (shell->position == before)
                        take(shell);
        }
        shell->in_array = false;
}

/* Whether <( … ) or >( … ) begins, which stands for a file. */
static bool is_substitution(const struct shell *shell) {
        return at(shell, "<>") && peek(shell, 1) == '(' && !shell->in_test;
}

static void read_substitution(struct shell *shell, struct growing *word) {
        size_t begin = shell->position;

        take(shell);
        skip_nested(shell, '(', ')');
        put_unknown(shell, word, begin);
}

static void read_word(struct shell *shell, struct growing *word) {
        size_t begin = word->text.size;

        while (!at_end(shell)) {
                char c = peek(shell, 0);

                if (skip_continuation(shell))
                        continue;
                if (c == '(' && !shell->in_array && word->text.size > begin &&
                    word->text.text[word->text.size - 1] == '=') {
                        read_array(shell, word);
                        return;
                }
                if (is_substitution(shell)) {
                        read_substitution(shell, word);
                        continue;
                }
                if (at(shell, BLANK OPERATORS))
                        return;
                if (!word->text.text)
                        put(word, "", 0);
                if (c == '\'')
                        read_single_quotes(shell, word);
                else if (c == '"')
                        read_double_quotes(shell, word);
                else if (c == '$') {
                        size_t before = word->text.size;

                        read_dollar(shell, word);
                        if (word->text.size == before || strpbrk(word->text.text + before, BLANK "\n"))
                                word->apart = BLANK "\n";
                } else if (c == '`')
                        read_backquote(shell, word);
                else {
                        take(shell);
                        if (c == '\\' && !at_end(shell))
                                c = take(shell);
                        else if (c && strchr("*?[{", c))
                                word->is_dynamic = true;
                        if (c)
                                put(word, &c, 1);
                }
        }
}

static void read_here_documents(struct shell *shell, struct shell_command *command) {
        for (unsigned i = 0; i < shell->n_delimiters; i++) {
                command->here = shell->text + shell->position;
                command->here_size = shell->size - shell->position;
                command->here_line = shell->line;
                while (!at_end(shell)) {
                        const char *line = shell->text + shell->position;
                        size_t left = shell->size - shell->position;
                        const char *end = memchr(line, '\n', left);
                        size_t length = end ? (size_t)(end - line) : left;

                        shell->position += length + (end ? 1 : 0);
                        shell->line += end ? 1 : 0;
                        while (length > 0 && *line == '\t') {
                                line++;
                                length--;
                        }
                        if (length == strlen(shell->delimiters[i]) &&
                            memcmp(line, shell->delimiters[i], length) == 0) {
                                command->here_size = (size_t)(line - command->here);
                                break;
                        }
                }
        }
        shell->n_delimiters = 0;
}

/* The same, of documents that begin on the next line, without going there. */
static void find_here_documents(const struct shell *shell, struct shell_command *command) {
        struct shell ahead = *shell;

        while (shell->n_delimiters > 0 && !at_end(&ahead) && take(&ahead) != '\n')
                ;
        read_here_documents(&ahead, command);
}

static void skip_blanks(struct shell *shell) {
        while (skip_continuation(shell) || at(shell, BLANK))
                if (at(shell, BLANK))
                        take(shell);
}

/* Reads from "<" or ">" on. `descriptor` is the number in front of it, as in `2>`, or -1. */
static void read_redirection(struct shell *shell, int descriptor, struct shell_command *command) {
        struct growing word = { .text.pool = shell->pool };
        const struct pool_text *text = &word.text;
        char c = take(shell);
        bool is_here = false, is_string = c == '<' && peek(shell, 0) == '<' && peek(shell, 1) == '<';

        if (c == '<' && peek(shell, 0) == '<') {
                take(shell);
                is_here = peek(shell, 0) != '<';
                if (!is_here || peek(shell, 0) == '-')
                        take(shell);
        } else if (at(shell, ">&|"))
                take(shell);
        skip_blanks(shell);
        read_word(shell, &word);
        if (!text->text)
                return;
        if (is_here && shell->n_delimiters < 4 && text->size < sizeof(shell->delimiters[0]))
                memcpy(shell->delimiters[shell->n_delimiters++], text->text, text->size + 1);
        if (is_string)
                command->input = (struct shell_word){ text->text, word.is_dynamic };
        if (c == '>' && (descriptor == -1 || descriptor == 1))
                command->output = (struct shell_word){ text->text, word.is_dynamic };
}

bool shell_word_is(const struct shell_word *word, const char *text) {
        return strcmp(word->text, text) == 0;
}

void shell_command_add(struct pool *pool, struct shell_command *command, struct shell_word word) {
        struct shell_word *item = NULL;

        if (command->n_words < WORDS_MAX)
                item = pool_add(pool, &command->words, &command->n_words, sizeof(*item));
        if (item)
                *item = word;
}

struct shell_command shell_command_rest(const struct shell_command *command, size_t n) {
        struct shell_command rest = *command;

        n = n < rest.n_words ? n : rest.n_words;
        rest.words += n;
        rest.n_words -= n;
        return rest;
}

/* Adds `begin`, `part` and `end` as one word. */
static void add_joined(struct shell *shell, struct shell_command *command, const char *begin,
                       const char *part, const char *end) {
        shell_command_add(shell->pool, command,
                          (struct shell_word){ pool_print(shell->pool, "%s%s%s", begin, part, end), false });
}

/* Adds the words of BEGIN{A,B}END or BEGIN{1..9}END. False if it is something else. */
static bool add_braces(struct shell *shell, struct shell_command *command, const char *word) {
        char *begin = pool_copy(shell->pool, word), *inside = strchr(begin, '{'), *end, *part;
        long first, last;

        end = inside ? strchr(inside, '}') : NULL;
        if (!end || strpbrk(word, "$`*?["))
                return false;
        *inside++ = '\0';
        *end++ = '\0';
        if (strchr(inside, ',')) {
                while ((part = strsep(&inside, ",")))
                        add_joined(shell, command, begin, part, end);
                return true;
        }
        first = strtol(inside, &part, 10);
        if (part == inside || !text_after(part, "..") || (*inside == '0' && part > inside + 1))
                return false;
        inside = part + strlen("..");
        last = strtol(inside, &part, 10);
        if (part == inside || *part || last < first || last - first >= BRACES_MAX)
                return false;
        for (; first <= last; first++)
                add_joined(shell, command, begin, pool_print(shell->pool, "%ld", first), end);
        return true;
}

/* Adds a word, or those that it stands for: "$@", of a variable without quotes and, in `for`, {A,B}. */
static void add_word(struct shell *shell, struct shell_command *command, struct shell_word word,
                     const char *apart) {
        const struct shell_command *arguments = shell->variables ? shell->variables->arguments : NULL;
        char *rest, *part;
        size_t size;

        if (apart && !shell->in_test && !word.is_dynamic && !shell_assignment(&word, &size)) {
                rest = pool_copy(shell->pool, word.text);
                while ((part = strsep(&rest, apart)))
                        if (*part)
                                shell_command_add(shell->pool, command,
                                                  (struct shell_word){ part, false, word.is_assumed });
        } else if (arguments && word.is_dynamic && text_is_among(word.text, "$@ $*"))
                for (size_t i = 0; i < arguments->n_words; i++)
                        shell_command_add(shell->pool, command, arguments->words[i]);
        else if (!word.is_dynamic || command->n_words == 0 || strcmp(command->words[0].text, "for") != 0 ||
                 !add_braces(shell, command, word.text))
                shell_command_add(shell->pool, command, word);
}

/* Whether the word that begins at `begin` is reserved (POSIX XCU 2.4), in front of a command. */
static bool is_reserved(const struct shell *shell, size_t begin, const char *word) {
        size_t size = shell->position - begin;

        return strlen(word) == size && memcmp(shell->text + begin, word, size) == 0 &&
               text_is_among(word, shell->in_pattern
                                                   ? "esac"
                                                   : "if then elif else fi while until do done esac { } !");
}

/* Reads ((…)), which only the running shell evaluates. False if the brackets are others. */
static bool read_arithmetic(struct shell *shell, struct shell_command *command) {
        const struct shell before = *shell;

        skip_nested(shell, '(', ')');
        if (shell->position < before.position + 4 || shell->text[shell->position - 2] != ')') {
                *shell = before;
                return false;
        }
        shell_command_add(shell->pool, command,
                          (struct shell_word){ pool_copy_part(shell->pool, shell->text + before.position,
                                                              shell->position - before.position),
                                               true });
        return true;
}

/* Reads an operator, which ends the command. */
static void read_operator(struct shell *shell, struct shell_command *command) {
        char c = take(shell);

        command->end = c;
        if ((c == '&' || c == '|') && peek(shell, 0) == c) {
                take(shell);
                command->end = c == '&' ? 'A' : 'O';
        } else if (c == '|' && peek(shell, 0) == '&')
                take(shell);
        else if (c == ';' && at(shell, ";&")) {
                while (at(shell, ";&"))
                        take(shell);
                command->end = 'E';
        }
        if (c == '\n')
                read_here_documents(shell, command);
        else
                find_here_documents(shell, command);
}

/* Reads what is no operator between [[ and ]]. False if it is not there. */
static bool read_test_operator(struct shell *shell, struct shell_command *command) {
        char c = peek(shell, 0);
        bool is_double = (c == '&' || c == '|') && peek(shell, 1) == c;

        if (!shell->in_test || !at(shell, OPERATORS) || c == ';')
                return false;
        if (c != '\n')
                shell_command_add(shell->pool, command,
                                  (struct shell_word){ pool_copy_part(shell->pool,
                                                                      shell->text + shell->position,
                                                                      is_double ? 2 : 1),
                                                       false });
        take(shell);
        if (is_double)
                take(shell);
        return true;
}

/* Reads a word at the front or behind others. False if a reserved word ends the command. */
static bool read_next_word(struct shell *shell, struct shell_command *command) {
        struct growing word = { .text.pool = shell->pool };
        size_t begin = shell->position;

        read_word(shell, &word);
        if (shell->position == begin) { /* a NUL */
                take(shell);
                return true;
        }
        if (!word.text.text)
                return true;
        if (word.text.size == 1 && isdigit((unsigned char)*word.text.text) && at(shell, "<>")) {
                read_redirection(shell, *word.text.text - '0', command);
                return true;
        }
        add_word(shell, command, (struct shell_word){ word.text.text, word.is_dynamic, word.is_assumed },
                 word.apart);
        if (command->n_words == 1) {
                shell->in_test = strcmp(word.text.text, "[[") == 0;
                command->is_reserved = is_reserved(shell, begin, word.text.text);
        }
        shell->in_test = shell->in_test && strcmp(word.text.text, "]]") != 0;
        return !command->is_reserved &&
               (command->n_words != 2 || strcmp(command->words[0].text, "function") != 0);
}

static bool read_command(struct shell *shell, struct shell_command *ret) {
        for (;;) {
                char c;

                skip_blanks(shell);
                if (at_end(shell))
                        return ret->n_words > 0;
                c = peek(shell, 0);
                if (c == '#') {
                        skip_comment(shell);
                        continue;
                }
                if (read_test_operator(shell, ret))
                        continue;
                if (ret->n_words == 0)
                        ret->line = shell->line;
                if ((at(shell, "<>") || (c == '&' && peek(shell, 1) == '>')) && !is_substitution(shell)) {
                        if (c == '&')
                                take(shell);
                        read_redirection(shell, -1, ret);
                        continue;
                }
                if (c == '(' && peek(shell, 1) == '(' &&
                    (ret->n_words == 0 || strcmp(ret->words[0].text, "for") == 0) &&
                    read_arithmetic(shell, ret))
                        continue;
                if (at(shell, OPERATORS) && !is_substitution(shell)) {
                        read_operator(shell, ret);
                        return true;
                }
                if (!read_next_word(shell, ret))
                        return true;
        }
}

bool shell_read(struct shell *shell, struct shell_command *ret) {
        bool is_read;

        *ret = (struct shell_command){ 0 };
        shell->in_test = false;
        shell->defaults = NULL;
        shell->n_defaults = 0;
        is_read = read_command(shell, ret);
        ret->defaults = shell->defaults;
        ret->n_defaults = shell->n_defaults;
        return is_read;
}

bool shell_next(struct shell *shell, struct shell_command *ret) {
        while (shell_read(shell, ret))
                if (ret->n_words > 0 && !ret->is_reserved)
                        return true;
        return false;
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

const char *shell_assignment(const struct shell_word *word, size_t *ret_name_size) {
        size_t size = shell_name_size(word->text), equals = size + (word->text[size] == '+' ? 1 : 0);

        if (size == 0 || word->text[equals] != '=')
                return NULL;
        *ret_name_size = size;
        return word->text + equals + 1;
}

void shell_report_quote(const struct source_parser *parser, unsigned quote_line, unsigned line) {
        if (quote_line > 0)
                source_fail(parser, line + quote_line - 1,
                            "a quote or bracket that begins here has no end; what comes after it is not "
                            "understood");
}
