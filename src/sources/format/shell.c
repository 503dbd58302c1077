/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/format/shell.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define BLANK " \t\r"
#define OPERATORS ";&|()\n<>"

/* No relevant command has more words; the rest are discarded. */
#define WORDS_MAX 1024

/* Variables are not expanded in a longer word: each A=$A$A doubles it. */
#define WORD_SIZE_MAX 4096

/* Of defaults in defaults. */
#define NESTED_MAX 4

/* No loop over more words is of interest. */
#define BRACES_MAX 256

/* A word that is being read. */
struct growing {
        struct pool_text text;
        bool is_dynamic;
        bool is_split; /* a variable without quotes makes it none or several words (POSIX XCU 2.6.5) */
};

static void put(struct growing *word, const char *text, size_t size) {
        pool_text_put_part(&word->text, text, size);
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

static char take(struct shell *shell) {
        char c = shell->text[shell->position++];

        if (c == '\n')
                shell->line++;
        return c;
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

unsigned shell_block(const struct shell *shell, unsigned depth) {
        return shell->outer + (depth > shell->n_loops ? depth : 0);
}

static void leave_branch(struct shell *shell) {
        if (shell->depth > 0 && shell->depth - 1 < shell->lowest)
                shell->lowest = shell->depth - 1;
}

/* The value of a variable or an argument. NULL: not known. `ret_is_set`: it is set, whether known or not. */
static const char *value_of(const struct shell *shell, const char *name, size_t size, bool *ret_is_set) {
        const struct shell_command *arguments = shell->variables ? shell->variables->arguments : NULL;
        const struct shell_variable *variable;

        *ret_is_set = size > 0 && isdigit((unsigned char)*name);
        if (*ret_is_set && size == 1 && *name != '0' && arguments) {
                size_t index = (size_t)(*name - '1');

                *ret_is_set = index < arguments->n_words;
                if (*ret_is_set && !arguments->words[index].is_dynamic)
                        return arguments->words[index].text;
                return *ret_is_set ? NULL : "";
        }
        variable = shell->variables ? shell_variables_find(shell->variables, name, size) : NULL;
        /* Behind the block that sets it, its value is not known. */
        if (variable && variable->depth > shell_block(shell, shell->lowest)) {
                *ret_is_set = true;
                return NULL;
        }
        *ret_is_set |= variable && (variable->is_dynamic || (variable->value && *variable->value));
        return variable && !variable->is_dynamic ? variable->value : NULL;
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

/* Puts in NAME, NAME[@], or the DEFAULT of NAME:-DEFAULT and NAME:=DEFAULT. */
static void put_variable(const struct shell *shell, struct growing *word, size_t begin, const char *text,
                         size_t size) {
        size_t name = 0, after;
        const char *value;
        bool is_set, is_array;

        while (name < size && is_name(text[name]))
                name++;
        is_array = size - name == 3 && memcmp(text + name, "[@]", 3) == 0;
        value = value_of(shell, text, name, &is_set);
        after = name + (name < size && text[name] == ':' ? 1 : 0);
        if (name > 0 && !is_set && shell->variables && shell->variables->is_all && after < size &&
            (text[after] == '-' || text[after] == '=') && shell->n_nested < NESTED_MAX) {
                put_default(shell, word, text + after + 1, size - after - 1);
                return;
        }
        if (value &&
            (name == size || is_array ||
             (is_set && after < size && (text[after] == '-' || text[after] == '=' || text[after] == '?'))) &&
            word->text.size + strlen(value) <= WORD_SIZE_MAX) {
                word->is_split |= is_array;
                put(word, value, strlen(value));
                return;
        }
        word->is_dynamic = true;
        put(word, shell->text + begin, shell->position - begin);
}

/* Reads from a "$" on. */
static void read_dollar(struct shell *shell, struct growing *word) {
        size_t begin = shell->position, name, size = 0;

        take(shell);
        if (peek(shell, 0) == '(') {
                skip_nested(shell, '(', ')');
        } else if (peek(shell, 0) == '{') {
                name = shell->position + 1;
                skip_nested(shell, '{', '}');
                size = shell->position - name;
                if (size > 0 && shell->text[shell->position - 1] == '}')
                        size--;
                put_variable(shell, word, begin, shell->text + name, size);
                return;
        } else if (is_name(peek(shell, 0))) {
                name = shell->position;
                if (isdigit((unsigned char)peek(shell, 0)))
                        take(shell);
                else
                        while (is_name(peek(shell, 0)))
                                take(shell);
                put_variable(shell, word, begin, shell->text + name, shell->position - name);
                return;
        } else if (!at_end(shell) && strchr("*@#?-$!", peek(shell, 0)))
                take(shell);
        else if (peek(shell, 0) != '\'' && peek(shell, 0) != '"') {
                put(word, "$", 1);
                return;
        }
        word->is_dynamic = true;
        put(word, shell->text + begin, shell->position - begin);
}

static void read_backquote(struct shell *shell, struct growing *word) {
        size_t begin = shell->position;

        skip_nested(shell, '`', '`');
        word->is_dynamic = true;
        put(word, shell->text + begin, shell->position - begin);
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
                        if (c == '\\' && !at_end(shell) && strchr("$`\"\\", peek(shell, 0)))
                                c = take(shell);
                        put(word, &c, 1);
                }
        }
        shell->open_quote = begin;
}

/* Reads the elements of NAME=( … ) from the "(" on, and separates them by newlines. */
static void read_array(struct shell *shell, struct growing *word) {
        bool is_first = true;

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
                        while (!at_end(shell) && peek(shell, 0) != '\n')
                                take(shell);
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
                if (c && strchr(BLANK OPERATORS, c))
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
                        word->is_split |= word->text.size == before ||
                                          strpbrk(word->text.text + before, BLANK "\n");
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

static void skip_blanks(struct shell *shell) {
        while (!at_end(shell) &&
               (skip_continuation(shell) || (peek(shell, 0) && strchr(BLANK, peek(shell, 0)))))
                if (peek(shell, 0) && strchr(BLANK, peek(shell, 0)))
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
        } else if (!at_end(shell) && strchr(">&|", peek(shell, 0)))
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

/* Whether `for` has been read, maybe behind `do` or `then`. */
static bool is_loop(const struct shell_command *command) {
        for (size_t i = 0; i < command->n_words && i < 2; i++)
                if (strcmp(command->words[i].text, "for") == 0)
                        return true;
        return false;
}

/* Adds a word, or those that it stands for: "$@", of a variable without quotes and, in `for`, {A,B}. */
static void add_word(struct shell *shell, struct shell_command *command, struct shell_word word,
                     bool is_split) {
        const struct shell_command *arguments = shell->variables ? shell->variables->arguments : NULL;
        char *rest, *part;
        size_t size;

        if (is_split && !word.is_dynamic && !shell_assignment(&word, &size)) {
                rest = pool_copy(shell->pool, word.text);
                while ((part = lines_word(&rest)))
                        shell_command_add(shell->pool, command, (struct shell_word){ part, false });
        } else if (arguments && word.is_dynamic && text_is_among(word.text, "$@ $*"))
                for (size_t i = 0; i < arguments->n_words; i++)
                        shell_command_add(shell->pool, command, arguments->words[i]);
        else if (!word.is_dynamic || !is_loop(command) || !add_braces(shell, command, word.text))
                shell_command_add(shell->pool, command, word);
}

static void drop_first(struct shell_command *command) {
        command->n_words--;
        memmove(command->words, command->words + 1, command->n_words * sizeof(*command->words));
}

/* Its text begins here, or behind its first brace. */
static void begin_function(struct shell *shell, const char *name) {
        shell->in_function = true;
        shell->function = (struct shell_function){ .name = name,
                                                   .text = shell->text + shell->position,
                                                   .line = shell->line };
}

/* `end` is the position of its last brace. */
static void end_function(struct shell *shell, size_t end) {
        struct shell_function *function;

        shell->in_function = false;
        shell->function.size = (size_t)(shell->text + end - shell->function.text);
        function = pool_add(shell->pool, &shell->functions, &shell->n_functions, sizeof(*function));
        if (function)
                *function = shell->function;
}

/* Removes reserved words from the front of a complete command, and counts what they open and close. */
static void read_reserved(struct shell *shell, struct shell_command *command) {
        while (command->n_words > 0 && !command->words[0].is_dynamic) {
                const char *word = command->words[0].text;

                if (text_is_among(word, "if while until"))
                        shell->head = shell->depth + 1;
                if (strcmp(word, "while") == 0 && shell->depth == shell->n_sure && command->n_words == 2 &&
                    text_is_among(command->words[1].text, "true :") &&
                    (command->end == ';' || command->end == '\n'))
                        shell->n_sure++;
                else if (text_is_among(word, "then do"))
                        shell->head = 0;
                if (text_is_among(word, "if while until for case select"))
                        shell->depth++;
                else if (text_is_among(word, "fi done esac")) {
                        shell->n_sure -= shell->n_sure > 0 && shell->depth == shell->n_sure ? 1 : 0;
                        shell->depth -= shell->depth > 0 ? 1 : 0;
                } else if (strcmp(word, "function") == 0) {
                        begin_function(shell, command->words[command->n_words > 1 ? 1 : 0].text);
                        shell->braces += strcmp(command->words[command->n_words - 1].text, "{") == 0;
                        return;
                } else if (!text_is_among(word, "then do else elif ! time"))
                        return;

                if (text_is_among(word, "for case select"))
                        return;
                drop_first(command);
        }
}

/* Removes a lone { or } from the front. They are words, not operators. */
static void read_brace(struct shell *shell, struct shell_command *command) {
        const char *word = command->words[0].text;
        bool is_open = strcmp(word, "{") == 0;

        if (!is_open && strcmp(word, "}") != 0)
                return;
        if (is_open && shell->in_function && shell->braces == 0)
                begin_function(shell, shell->function.name);
        if (is_open)
                shell->braces++;
        else
                shell->braces -= shell->braces > 0 ? 1 : 0;
        if (!is_open && shell->in_function && shell->braces == 0)
                end_function(shell, shell->position - 1);
        drop_first(command);
}

/* Reads a command, which may have no words. False at the end. */
static bool read_command(struct shell *shell, struct shell_command *command) {
        bool conditional = shell->after_condition;

        shell->after_condition = false;
        for (;;) {
                struct growing word = { .text.pool = shell->pool };
                size_t begin;
                char c;

                skip_blanks(shell);
                if (at_end(shell))
                        break;
                c = peek(shell, 0);
                if (c == '#') {
                        while (!at_end(shell) && peek(shell, 0) != '\n')
                                take(shell);
                        continue;
                }
                if (c == '<' || c == '>' || (c == '&' && peek(shell, 1) == '>')) {
                        if (c == '&')
                                take(shell);
                        read_redirection(shell, -1, command);
                        continue;
                }
                if (c && strchr(OPERATORS, c)) {
                        take(shell);
                        command->end = c;
                        if (c == ';' && peek(shell, 0) == ';')
                                leave_branch(shell);
                        if ((c == '&' || c == '|') && peek(shell, 0) == c) {
                                take(shell);
                                command->end = c == '&' ? 'A' : 'O';
                                shell->after_condition = true;
                        }
                        if (c == '\n')
                                read_here_documents(shell, command);
                        if (c == '(' && peek(shell, 0) == ')' && command->n_words == 1)
                                begin_function(shell, command->words[0].text);
                        break;
                }
                begin = shell->position;
                if (command->n_words == 0)
                        command->line = shell->line;
                read_word(shell, &word);
                if (shell->position == begin) { /* a NUL */
                        take(shell);
                        continue;
                }
                if (!word.text.text)
                        continue;
                if (word.text.size == 1 && isdigit((unsigned char)*word.text.text) &&
                    (peek(shell, 0) == '<' || peek(shell, 0) == '>')) {
                        read_redirection(shell, *word.text.text - '0', command);
                        continue;
                }
                add_word(shell, command, (struct shell_word){ word.text.text, word.is_dynamic },
                         word.is_split);
                if (command->n_words != 1)
                        continue;
                if (text_is_among(word.text.text, "else elif fi done esac"))
                        leave_branch(shell);
                /* The word after a { begins a command, as after a ";". */
                read_brace(shell, command);
        }
        /* The command after && may be on the next line. */
        if (command->n_words == 0 && conditional)
                shell->after_condition = true;
        read_reserved(shell, command);
        command->function = shell->in_function ? shell->function.name : NULL;
        command->conditional = conditional || shell->in_function ||
                               shell->depth - (shell->head > 0 && shell->depth == shell->head ? 1 : 0) >
                                               shell->n_sure;
        return command->n_words > 0 || !at_end(shell);
}

bool shell_next(struct shell *shell, struct shell_command *ret) {
        bool is_more;

        shell->lowest = shell->depth;
        do {
                *ret = (struct shell_command){ 0 };
                is_more = read_command(shell, ret);
        } while (is_more && ret->n_words == 0);
        return ret->n_words > 0;
}

const char *shell_assignment(const struct shell_word *word, size_t *ret_name_size) {
        size_t size = 0;

        while (is_name(word->text[size]))
                size++;
        if (size == 0 || isdigit((unsigned char)word->text[0]) || word->text[size] != '=')
                return NULL;
        *ret_name_size = size;
        return word->text + size + 1;
}

void shell_check_end(const struct shell *shell, const struct source_parser *parser, unsigned line) {
        if (shell->open_quote > 0)
                source_fail(parser, line + shell->open_quote - 1,
                            "a quote or bracket that begins here has no end; what comes after it is not "
                            "understood");
}
