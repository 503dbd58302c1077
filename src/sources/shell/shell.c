/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/shell/shell.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* No relevant command has more words; the rest are discarded. */
#define WORDS_MAX 1024

/* No loop over more words is of interest. */
#define BRACES_MAX 256

/* Of the variables of a file only the last ones are expanded; enough for any file. */
#define KNOWN_MAX 256

static void read_here_documents(struct shell *shell, struct shell_command *command) {
        for (unsigned i = 0; i < shell->n_delimiters; i++) {
                command->here = shell->text + shell->position;
                command->here_size = shell->size - shell->position;
                command->here_line = shell->line;
                command->is_literal = shell->is_literal;
                while (!shell_at_end(shell)) {
                        const char *line = shell->text + shell->position;
                        size_t left = shell->size - shell->position;
                        const char *end = memchr(line, '\n', left);
                        size_t length = end ? (size_t)(end - line) : left;

                        shell->position += length + (end ? 1 : 0);
                        shell->line += end ? 1 : 0;
                        while (shell->has_tabs[i] && length > 0 && *line == '\t') {
                                line++;
                                length--;
                        }
                        if (text_part_is(line, length, shell->delimiters[i])) {
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

        while (shell->n_delimiters > 0 && !shell_at_end(&ahead) && shell_take(&ahead) != '\n')
                ;
        read_here_documents(&ahead, command);
}

static void skip_blanks(struct shell *shell) {
        while (shell_skip_continuation(shell) || shell_take_any(shell, SHELL_BLANKS))
                ;
}

/* Reads from "<" or ">" on. `descriptor` is the number in front of it, as in `2>`, or -1. */
static void read_redirection(struct shell *shell, int descriptor, struct shell_command *command) {
        struct growing_word word = { .text.pool = shell->pool };
        const struct pool_text *text = &word.text;
        char c = shell_take(shell);
        bool is_double = c == '<' && shell_take_any(shell, "<"),
             is_string = is_double && shell_take_any(shell, "<"), is_here = is_double && !is_string,
             has_tabs = shell_take_any(shell, is_here ? "-" : ">&|");
        const char *begin;
        size_t size;

        skip_blanks(shell);
        begin = shell->text + shell->position;
        shell_read_word(shell, &word);
        if (!text->text)
                return;
        size = (size_t)(shell->text + shell->position - begin);
        if (is_here)
                shell->is_literal = memchr(begin, '\'', size) || memchr(begin, '"', size) ||
                                    memchr(begin, '\\', size);
        if (is_here && shell->n_delimiters < 4 && text->size < sizeof(shell->delimiters[0])) {
                shell->has_tabs[shell->n_delimiters] = has_tabs;
                memcpy(shell->delimiters[shell->n_delimiters++], text->text, text->size + 1);
        }
        if (is_string)
                command->input = (struct shell_word){ text->text, word.is_dynamic, word.is_assumed };
        if (c == '>' && (descriptor == -1 || descriptor == 1))
                command->output = (struct shell_word){ text->text, word.is_dynamic };
}

void shell_command_add(struct pool *pool, struct shell_command *command, struct shell_word word) {
        if (command->n_words < WORDS_MAX)
                pool_put(pool, &command->words, &command->n_words, &word, sizeof(word));
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
        const struct shell_command *arguments = shell->variables->arguments;
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

/* Whether the word that begins at `begin` is reserved, in front of a command (POSIX XCU 2.4). */
static void find_reserved(const struct shell *shell, size_t begin, const char *word,
                          struct shell_command *command) {
        static const char ends[] = "then elif else fi do done esac }", others[] = "if while until { !";
        size_t size = shell->position - begin;

        if (!text_part_is(shell->text + begin, size, word))
                return;
        command->is_end = text_is_among(word, shell->in_pattern ? "esac" : ends);
        command->is_reserved = command->is_end || (!shell->in_pattern && text_is_among(word, others));
}

/* Reads ((…)), which only the running shell evaluates. False if the brackets are others. */
static bool read_arithmetic(struct shell *shell, struct shell_command *command) {
        const struct shell before = *shell;

        shell_skip_nested(shell, '(', ')');
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
        char c = shell_take(shell);

        command->end = c;
        if ((c == '&' && shell_take_any(shell, "&")) || (c == '|' && shell_take_any(shell, "|")))
                command->end = c == '&' ? 'A' : 'O';
        else if (c == '|')
                shell_take_any(shell, "&");
        if (c == ';' && shell_take_any(shell, ";"))
                command->end = shell_take_any(shell, "&") ? 'T' : 'E';
        else if (c == ';' && shell_take_any(shell, "&"))
                command->end = 'F';
        if (c == '\n')
                read_here_documents(shell, command);
        else
                find_here_documents(shell, command);
}

/* Reads what is no operator between [[ and ]]. False if it is not there. */
static bool read_test_operator(struct shell *shell, struct shell_command *command) {
        char c = shell_peek(shell, 0);
        bool is_double = (c == '&' || c == '|') && shell_peek(shell, 1) == c;

        if (!shell->in_test || !shell_at(shell, SHELL_OPERATORS) || c == ';')
                return false;
        if (c != '\n')
                shell_command_add(shell->pool, command,
                                  (struct shell_word){ pool_copy_part(shell->pool,
                                                                      shell->text + shell->position,
                                                                      is_double ? 2 : 1),
                                                       false });
        shell_take(shell);
        if (is_double)
                shell_take(shell);
        return true;
}

/* Reads a word at the front or behind others. False if a reserved word ends the command. */
static bool read_next_word(struct shell *shell, struct shell_command *command) {
        struct growing_word word = { .text.pool = shell->pool };
        size_t begin = shell->position;

        shell_read_word(shell, &word);
        if (!word.text.text)
                return true;
        if (word.text.size == 1 && isdigit((unsigned char)*word.text.text) && shell_at(shell, "<>")) {
                read_redirection(shell, *word.text.text - '0', command);
                return true;
        }
        add_word(shell, command, (struct shell_word){ word.text.text, word.is_dynamic, word.is_assumed },
                 word.apart);
        if (command->n_words == 1) {
                shell->in_test = strcmp(word.text.text, "[[") == 0;
                find_reserved(shell, begin, word.text.text, command);
        }
        shell->in_test = shell->in_test && strcmp(word.text.text, "]]") != 0;
        return !command->is_reserved &&
               (command->n_words != 2 || strcmp(command->words[0].text, "function") != 0);
}

/* Behind ]] and )), a reserved word needs no operator in front of it. */
static bool is_test_over(const struct shell *shell, const struct shell_command *command) {
        const char *first = command->n_words > 0 ? command->words[0].text : "";

        return text_after(first, "((") || (strcmp(first, "[[") == 0 && !shell->in_test);
}

static bool read_command(struct shell *shell, struct shell_command *ret) {
        for (;;) {
                char c;

                skip_blanks(shell);
                if (shell_at_end(shell))
                        return ret->n_words > 0;
                c = shell_peek(shell, 0);
                if (c == '#') {
                        shell_skip_comment(shell);
                        continue;
                }
                if (read_test_operator(shell, ret))
                        continue;
                if (ret->n_words == 0)
                        ret->line = shell->line;
                if ((shell_at(shell, "<>") || (c == '&' && shell_peek(shell, 1) == '>')) &&
                    !shell_begins_file(shell)) {
                        if (c == '&')
                                shell_take(shell);
                        read_redirection(shell, -1, ret);
                        continue;
                }
                if (c == '(' && shell_peek(shell, 1) == '(' &&
                    (ret->n_words == 0 || strcmp(ret->words[0].text, "for") == 0) &&
                    read_arithmetic(shell, ret))
                        continue;
                if (shell_at(shell, SHELL_OPERATORS) && !shell_begins_file(shell)) {
                        read_operator(shell, ret);
                        return true;
                }
                if (is_test_over(shell, ret) || !read_next_word(shell, ret))
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

void shell_report(const struct source_parser *parser, const struct shell_mistake *mistake, unsigned line) {
        if (mistake->line > 0)
                source_fail(parser, line + mistake->line - 1, "%s", mistake->text);
}

static bool is_assignments(const struct shell_command *command) {
        size_t size;

        for (size_t i = 0; i < command->n_words; i++)
                if (!shell_assignment(&command->words[i], &size) || command->words[i].text[size] != '=')
                        return false;
        return true;
}

struct shell_variables shell_file_read(const struct source_parser *parser) {
        struct shell_variables variables = { 0 }, known = { 0 };
        struct pool *pool = source_pool(parser);
        struct shell shell = shell_open(pool, parser->text, parser->size, &known);
        struct shell_command command;

        while (shell_next(&shell, &command)) {
                if (!is_assignments(&command))
                        continue;
                if (variables.n_items + command.n_words > SOURCES_MAX) {
                        source_fail(parser, command.line, "is the one after %zu variables" SOURCE_CUT,
                                    variables.n_items);
                        return variables;
                }
                for (size_t i = 0; i < command.n_words; i++) {
                        struct shell_variable variable = { .line = command.line,
                                                           .is_dynamic = command.words[i].is_dynamic };
                        size_t size = 0;

                        variable.value = shell_assignment(&command.words[i], &size);
                        variable.name = pool_copy_part(pool, command.words[i].text, size);
                        shell_variables_add(pool, &variables, variable);
                }
                known = variables;
                if (known.n_items > KNOWN_MAX) {
                        known.items += known.n_items - KNOWN_MAX;
                        known.n_items = KNOWN_MAX;
                }
        }
        shell_report(parser, &shell.mistake, 1);
        return variables;
}

bool shell_begins_function(const struct shell *shell, const struct shell_command *command) {
        struct shell ahead = *shell;
        struct shell_command next;

        return command->n_words == 1 && command->end == '(' && !command->is_reserved &&
               shell_read(&ahead, &next) && next.n_words == 0 && next.end == ')';
}

bool shell_begins_endless(const struct shell *shell) {
        struct shell ahead = *shell;
        struct shell_command command;

        return shell_read(&ahead, &command) && command.n_words == 1 &&
               text_is_among(command.words[0].text, "true :");
}
