/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/format/script.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "sources/format/mtu_command.h"
#include "sources/format/readers.h"
#include "sources/format/wrapper.h"

/* Of functions, `sh -c` and scripts that run scripts. */
#define DEPTH_MAX 4u

/* All that is read for one text, with loops and calls: commands, and so many bytes for another one. */
#define COMMANDS_MAX 50000u
#define BYTES_MAX 64u

/* Only so many variables are known. */
#define VARIABLES_MAX 256u

#define SCRIPT_CONDITION "a script decides at run time whether to set it"

/* The script that is being read. */
struct script {
        const struct source_parser *parser;
        struct mtu_source source;
        unsigned first_line; /* where its text begins */
        struct shell_variables variables;
        struct shell_function *functions;
        size_t n_functions;
        struct shell_command before; /* the command before this one */
        struct {
                const char *name; /* of the variable; NULL: none is compared */
                const char *value;
                bool is_equal;
        } compared;            /* by the command before this one */
        const char *bound;     /* the variable that && has made known, up to the end of the list; or NULL */
        const char *case_name; /* the variable of `case`, or NULL */
        unsigned block;        /* how deep the command is inside if, while, case and loops */
        unsigned outer;        /* the same of the call of the function that is being read */
        unsigned depth;
        unsigned *n_left; /* of COMMANDS_MAX */
};

static void read_text(struct script *script, const char *text, size_t size, unsigned line);
static void read_command(struct script *script, const struct shell_command *whole);

static bool is(const struct shell_word *word, const char *text) {
        return strcmp(word->text, text) == 0;
}

/* Variables ------------------------------------------------------------------------------------------- */

/* A copy of the variables, which the script may change. */
static struct shell_variables copy_of(struct pool *pool, const struct shell_variables *variables) {
        struct shell_variables copy = { .is_all = true };

        for (size_t i = 0; variables && i < variables->n_items; i++)
                shell_variables_add(pool, &copy, variables->items[i]);
        return copy;
}

/* `depth` is that of the block it is in; 0: it is run in any case. */
static void assign(struct script *script, struct shell_variable variable, unsigned depth) {
        const struct shell_variable *found =
                        shell_variables_find(&script->variables, variable.name, strlen(variable.name));
        struct shell_variable *item =
                        found ? &script->variables.items[found - script->variables.items] : NULL;

        variable.depth = depth;
        if (item)
                *item = variable;
        else if (script->variables.n_items < VARIABLES_MAX)
                shell_variables_add(source_pool(script->parser), &script->variables, variable);
}

/* Behind the block that sets a variable, only the running shell knows its value. */
static void leave_block(struct script *script, unsigned depth) {
        for (size_t i = 0; i < script->variables.n_items; i++)
                if (script->variables.items[i].depth > depth) {
                        script->variables.items[i].is_dynamic = true;
                        script->variables.items[i].depth = depth;
                }
}

/* NAME=VALUE…, also behind export and the like. False if it is another command. */
static bool read_assignments(struct script *script, const struct shell_command *command, unsigned depth) {
        size_t begin = text_is_among(command->words[0].text, "export local readonly declare typeset") ? 1
                                                                                                      : 0;
        size_t i = begin, size;
        const char *value;

        for (; i < command->n_words; i++) {
                value = shell_assignment(&command->words[i], &size);
                if (!value && begin == 0)
                        return false;
                /* What && or || decides is not known behind it. */
                if (value)
                        assign(script,
                               (struct shell_variable){ .name = pool_copy_part(source_pool(script->parser),
                                                                               command->words[i].text, size),
                                                        .value = value,
                                                        .is_dynamic = command->words[i].is_dynamic ||
                                                                      (command->conditional && depth == 0 &&
                                                                       !command->function) },
                               depth);
        }
        return true;
}

/* What conditions tell of variables --------------------------------------------------------------------- */

/* The variable that a word is, and nothing else: $NAME, ${NAME}, $1. NULL: none. */
static const char *variable_of(const struct script *script, const struct shell_word *word) {
        const char *name = word->is_dynamic ? text_after(word->text, "$") : NULL;
        size_t size;

        if (!name)
                return NULL;
        name += *name == '{' ? 1 : 0;
        size = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
        if (size == 0 || strcmp(name + size, word->text[1] == '{' ? "}" : "") != 0)
                return NULL;
        return pool_copy_part(source_pool(script->parser), name, size);
}

static void bind(struct script *script, const char *name, const char *value, unsigned depth) {
        assign(script, (struct shell_variable){ .name = name, .value = value }, depth);
}

/* [ "$NAME" = VALUE … */
static void read_comparison(struct script *script, const struct shell_command *command) {
        script->compared.name = NULL;
        if (!text_is_among(command->words[0].text, "[ [[ test"))
                return;
        for (size_t i = 1; i + 2 < command->n_words && !script->compared.name; i++) {
                const struct shell_word *operation = &command->words[i + 1], *value = &command->words[i + 2];

                if (value->is_dynamic || !text_is_among(operation->text, "= == !="))
                        continue;
                script->compared.name = variable_of(script, &command->words[i]);
                script->compared.value = value->text;
                script->compared.is_equal = !is(operation, "!=");
        }
        if (!script->compared.name || !script->compared.is_equal)
                return;
        if (command->end == 'A')
                script->bound = script->compared.name;
        if (command->end == 'A' || (command->end != 'O' && script->block > script->outer))
                bind(script, script->compared.name, script->compared.value, script->block);
}

/* Behind "if it is not VALUE, exit", it is VALUE. */
static void read_exit(struct script *script, const struct shell_command *command) {
        char end = script->before.end;
        bool is_list = end == 'A' || end == 'O';

        if (!script->compared.name || !text_is_among(command->words[0].text, "exit return continue") ||
            script->compared.is_equal != (end == 'O') || (!is_list && script->block == script->outer))
                return;
        bind(script, script->compared.name, script->compared.value, script->block - (is_list ? 0 : 1));
}

/* case "$NAME" in VALUE) */
static void read_pattern(struct script *script, const struct shell_command *command) {
        const struct shell_word *pattern = &command->words[command->n_words - 1];

        if (is(&command->words[0], "case") && command->n_words >= 3)
                script->case_name = variable_of(script, &command->words[1]);
        else if (command->n_words != 1)
                return;
        if (command->end == ')' && script->case_name && script->block > script->outer &&
            !pattern->is_dynamic && script->before.end != '|')
                bind(script, script->case_name, pattern->text, script->block);
}

/* shift [N]. Behind one that a condition decides about, the arguments are not known. */
static void shift(struct script *script, const struct shell_command *command) {
        const struct shell_command *arguments = script->variables.arguments;
        struct shell_command *rest =
                        arguments ? pool_take(source_pool(script->parser), sizeof(*rest)) : NULL;

        if (command->function)
                return; /* it is not called here */
        script->variables.arguments = command->conditional ? NULL : rest;
        if (rest)
                *rest = shell_command_rest(arguments,
                                           command->n_words > 1 ? strtoul(command->words[1].text, NULL, 10)
                                                                : 1);
}

/* Scripts that it runs ---------------------------------------------------------------------------------- */

static bool is_shell(const char *program) {
        return text_is_among(text_base_name(program), "sh bash dash ash ksh zsh");
}

/* -c, also behind other letters: -ec, -lc. */
static bool is_script_option(const char *word) {
        return word[0] == '-' && word[1] != '-' && word[1] && word[strlen(word) - 1] == 'c';
}

static bool is_shell_script(const char *text, size_t size) {
        const char *end = memchr(text, '\n', size);
        size_t length = end ? (size_t)(end - text) : size;

        return size > 2 && text[0] == '#' && text[1] == '!' && memmem(text, length, "sh", 2);
}

/* Programs of the system do what their names say. */
static bool is_of_system(const char *path) {
        static const char *const folders[] = { "/bin/",      "/sbin/", "/usr/bin/",
                                               "/usr/sbin/", "/lib/",  "/usr/lib" };

        for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
                if (text_after(path, folders[i]))
                        return true;
        return false;
}

/* What to do about what is not followed. */
#define LOOK_THERE ": look there, and write a line for each device whose MTU it sets"

/* Says that a program is not followed, if it may set an MTU. */
static void report_unfollowed(const struct script *script, const char *path, const char *why) {
        if (strcasestr(path, "mtu") || (script->parser->is_about_mtu && !is_of_system(path)))
                source_warn(script->parser, script->source.line, "runs %s, %s" LOOK_THERE, TEXT_SHOW(path),
                            why);
}

/* What the script's file has another file do. */
static struct mtu_source source_in(const struct script *script, const char *path) {
        struct mtu_source source = script->source;

        if (!source.through) {
                source.through = source.file ? source.file : script->parser->file;
                source.through_line = source.line;
        }
        source.file = path;
        return source;
}

enum how {
        HOW_PROGRAM,
        HOW_SHELL,   /* sh FILE */
        HOW_SOURCED, /* . FILE: what it sets, it sets for the script */
};

/* Follows the script in `words[0]`, with its arguments behind it. */
static void follow(struct script *script, const struct shell_command *command, enum how how) {
        const struct script_files *files = script->parser->files;
        const char *path = command->words[0].text, *text = NULL;
        struct shell_command arguments = shell_command_rest(command, 1);
        struct source_parser parser = *script->parser;
        struct script inner = *script;
        size_t size = 0;

        if (how == HOW_PROGRAM && !strchr(path, '/')) {
                report_unfollowed(script, path, "of which the folder is not known");
                return;
        }
        if (strcmp(path, script->parser->file) == 0)
                return; /* it is being read */
        if (*path != '/' || !files || command->words[0].is_dynamic || script->depth == DEPTH_MAX) {
                if (how == HOW_SOURCED)
                        script->variables.is_all = false;
                report_unfollowed(script, path, "which is not followed");
                return;
        }
        if (!files->read(files->userdata, path, &text, &size)) {
                report_unfollowed(script, path, "which cannot be read here");
                return;
        }
        if (how == HOW_PROGRAM && !is_shell_script(text, size)) {
                report_unfollowed(script, path, "which is no shell script");
                return;
        }
        parser.file = path;
        parser.is_about_mtu = false;
        inner.parser = &parser;
        inner.source = source_in(script, path);
        inner.functions = NULL;
        inner.n_functions = 0;
        inner.depth++;
        if (how == HOW_SOURCED)
                inner.outer = script->block + (command->function ? 1 : 0);
        else {
                inner.variables = copy_of(source_pool(script->parser), &script->variables);
                inner.variables.arguments = &arguments;
        }
        read_text(&inner, text, size, 1);
        if (how == HOW_SOURCED)
                script->variables = inner.variables;
}

static void charge(const struct script *script, size_t size) {
        *script->n_left -=
                        *script->n_left > size / BYTES_MAX ? (unsigned)(size / BYTES_MAX) : *script->n_left;
}

/* What a command is known to read from its input: a here-document, <<<TEXT, echo TEXT |. `ret_line` is where
 * it begins; 0: it is all in the line of the source. */
static const char *find_input(const struct script *script, const struct shell_command *command,
                              size_t *ret_size, unsigned *ret_line) {
        const struct shell_command *before = &script->before;
        struct pool_text printed = { .pool = source_pool(script->parser) };
        struct shell_word given = command->input;
        char *text, *to;

        if (command->here) {
                charge(script, command->here_size);
                text = to = pool_copy_part(source_pool(script->parser), command->here, command->here_size);
                for (const char *from = text; *from; from++)
                        if (from[0] != '\\' || from[1] != '$')
                                *to++ = *from;
                *ret_size = (size_t)(to - text);
                *ret_line = script->first_line + command->here_line - 1;
                return text;
        }
        if (before->end == '|' && before->n_words > 1 && text_is_among(before->words[0].text, "echo printf"))
                for (size_t i = 1; i < before->n_words; i++) {
                        if (!printed.text && before->words[i].text[0] == '-')
                                continue;
                        pool_text_put(&printed, before->words[i].text);
                        pool_text_put(&printed, " ");
                        given = (struct shell_word){ printed.text,
                                                     given.is_dynamic || before->words[i].is_dynamic };
                }
        /* Of a value in it, the command says that it is not known. */
        if (!given.text || (given.is_dynamic && !strstr(given.text, "mtu ")))
                return NULL;
        text = pool_copy(source_pool(script->parser), given.text);
        keyfile_unescape(text); /* printf's \n */
        *ret_size = strlen(text);
        *ret_line = 0;
        return text;
}

/* Reads what a shell runs, with its arguments. */
static void read_inner(struct script *script, const struct shell_command *arguments, const char *text,
                       size_t size, unsigned line) {
        struct script inner = *script;

        inner.variables = copy_of(source_pool(script->parser), &script->variables);
        inner.variables.arguments = arguments;
        inner.depth++;
        read_text(&inner, text, size, line > 0 ? line : script->source.line);
}

/* sh -c SCRIPT [NAME ARGUMENT…], sh FILE ARGUMENT…, sh <<SCRIPT; su [-] [USER] -c SCRIPT */
static void read_shell(struct script *script, const struct shell_command *command, bool is_su) {
        bool is_script = false;
        const char *text;
        unsigned line;
        size_t i = 1, size;

        for (; i < command->n_words && (strchr("-+", command->words[i].text[0]) || (is_su && !is_script));
             i++) {
                is_script |= is_script_option(command->words[i].text) ||
                             (is_su && is(&command->words[i], "--command"));
                i += strcmp(command->words[i].text, "-o") == 0 ? 1 : 0;
        }
        if (i >= command->n_words) {
                text = script->depth < DEPTH_MAX ? find_input(script, command, &size, &line) : NULL;
                if (text)
                        read_inner(script, &(struct shell_command){ 0 }, text, size, line);
                return;
        }
        if (!is_script) {
                const struct shell_command rest = shell_command_rest(command, i);

                follow(script, &rest, HOW_SHELL);
                return;
        }
        if (script->depth < DEPTH_MAX) {
                const struct shell_command arguments = shell_command_rest(command, i + 2);

                read_inner(script, &arguments, command->words[i].text, strlen(command->words[i].text), 0);
        }
}

static void call(struct script *script, const struct shell_function *function,
                 const struct shell_command *command) {
        const struct shell_command arguments = shell_command_rest(command, 1);
        const struct script saved = *script;

        if (script->depth == DEPTH_MAX)
                return;
        script->variables.arguments = &arguments;
        script->outer = script->block;
        script->depth++;
        read_text(script, function->text, function->size, saved.first_line + function->line - 1);
        script->depth--;
        script->outer = saved.outer;
        script->first_line = saved.first_line;
        script->functions = saved.functions;
        script->n_functions = saved.n_functions;
        script->variables.arguments = saved.variables.arguments;
}

static const struct shell_function *find_function(const struct script *script, const char *name) {
        for (size_t i = 0; i < script->n_functions; i++)
                if (strcmp(script->functions[i].name, name) == 0)
                        return &script->functions[i];
        return NULL;
}

/* Programs that act elsewhere, or only print. */
static const char elsewhere[] =
                "ssh docker podman kubectl lxc lxc-attach chroot unshare machinectl virsh "
                "echo printf logger log cat print die info warn error grep sed awk test [ [[";

/* Whether an unknown program is given a command that sets an MTU; one of no known name may be ip itself. */
static bool runs_ip(const struct shell_command *command) {
        bool is_ip = false;

        for (size_t i = 1; i < command->n_words; i++) {
                const struct shell_word *next = i + 1 < command->n_words ? &command->words[i + 1] : NULL;

                if (is_script_option(command->words[i].text) && next && strstr(next->text, "mtu "))
                        return true; /* screen -dm sh -c SCRIPT */
                if (is(&command->words[i], "mtu") &&
                    (is_ip || (command->words[0].is_dynamic && next &&
                               (next->is_dynamic || isdigit((unsigned char)*next->text)))))
                        return true;
                is_ip |= text_is_among(text_base_name(command->words[i].text), "ip ifconfig");
        }
        return false;
}

/* `line` is where the text begins; 0: it is all in the line of the source. */
static void read_batch_text(struct script *script, struct mtu_source source, const char *text, size_t size,
                            unsigned line, const struct shell_variables *variables) {
        struct pool *pool = source_pool(script->parser);
        struct shell shell = shell_open(pool, text, size, variables);
        struct shell_command words;

        while (*script->n_left > 0 && shell_next(&shell, &words)) {
                struct shell_command command = { 0 };

                (*script->n_left)--;
                shell_command_add(pool, &command, (struct shell_word){ "ip", false });
                for (size_t i = 0; i < words.n_words; i++)
                        shell_command_add(pool, &command, words.words[i]);
                if (line > 0)
                        source.line = line + words.line - 1;
                mtu_command_read(script->parser, source, &command, NULL);
        }
}

/* ip -batch FILE, or "-" for its input: a here-document, <<<TEXT, echo TEXT |. */
static void read_batch(struct script *script, const struct shell_command *command,
                       const struct shell_word *file) {
        const struct script_files *files = script->parser->files;
        const char *text;
        unsigned line;
        size_t size;

        if (!is(file, "-")) {
                if (*file->text == '/' && !file->is_dynamic && files &&
                    files->read(files->userdata, file->text, &text, &size))
                        read_batch_text(script, source_in(script, file->text), text, size, 1, NULL);
                else
                        source_warn(script->parser, script->source.line,
                                    "runs the commands in %s by ip -batch, which cannot be read "
                                    "here" LOOK_THERE,
                                    TEXT_SHOW(file->text));
                return;
        }
        text = find_input(script, command, &size, &line);
        if (text)
                read_batch_text(script, script->source, text, size, line,
                                line > 0 ? &script->variables : NULL);
        else if (source_mentions_mtu(script->parser->text, script->parser->size))
                source_warn(script->parser, script->source.line,
                            "runs the commands that ip -batch reads from its input, which is not "
                            "followed" LOOK_THERE);
}

/* Takes off what wraps a command, and reads what it runs. */
static void read_command(struct script *script, const struct shell_command *whole) {
        struct shell_command command = *whole;
        const char *name;
        size_t n;

        while (command.n_words > 0 && (n = wrapper_size(&command)) > 0)
                command = shell_command_rest(&command, n);
        if (command.n_words == 0)
                return;
        name = text_base_name(command.words[0].text);
        if (is_shell(name) || strcmp(name, "su") == 0)
                read_shell(script, &command, !is_shell(name));
        else if (strcmp(name, "shift") == 0)
                shift(script, &command);
        else if (text_is_among(name, ". source") && command.n_words > 1) {
                const struct shell_command rest = shell_command_rest(&command, 1);

                follow(script, &rest, HOW_SOURCED);
        } else if (find_function(script, name) && command.end != ')' && command.end != '(')
                call(script, find_function(script, name), &command);
        else if (runs_ip(&command) && !text_is_among(name, elsewhere) && !text_is_among(name, "ip ifconfig"))
                source_warn(script->parser, script->source.line,
                            "runs a command that sets an MTU by %s, which setmtu does not know" LOOK_THERE,
                            TEXT_SHOW(name));
        else if (strchr(command.words[0].text, '/') &&
                 (!is_of_system(command.words[0].text) || strcasestr(name, "mtu")))
                follow(script, &command, HOW_PROGRAM);
        else if (mtu_command_batch(&command))
                read_batch(script, &command, mtu_command_batch(&command));
        else
                mtu_command_read(script->parser, script->source, &command,
                                 script->before.end == '|' ? &script->before : NULL);
}

/* Whole texts ------------------------------------------------------------------------------------------- */

/* for NAME in WORD…, where all words are known. */
static bool is_known_loop(const struct shell_command *command) {
        if (command->n_words < 3 || !is(&command->words[0], "for") || !is(&command->words[2], "in"))
                return false;
        for (size_t i = 3; i < command->n_words; i++)
                if (command->words[i].is_dynamic)
                        return false;
        return true;
}

static bool read_block(struct script *script, struct shell *shell, unsigned depth_min,
                       struct shell_command *command, bool is_more);

/* Reads the body once for each word. Returns as read_block(). */
static bool read_loop(struct script *script, struct shell *shell, struct shell_command *command) {
        const struct shell_command head = *command;
        struct shell body = *shell;
        unsigned n_loops = shell->n_loops;
        bool is_more = true, is_read = false;

        for (size_t i = 3; i < head.n_words; i++) {
                char *rest = pool_copy(shell->pool, head.words[i].text), *value;

                while ((value = lines_word(&rest))) {
                        body = *shell;
                        body.n_loops += body.depth == n_loops + 1 ? 1 : 0;
                        body.n_sure += body.depth == body.n_sure + 1 ? 1 : 0;
                        is_read = true;
                        assign(script, (struct shell_variable){ .name = head.words[1].text, .value = value },
                               shell_block(&body, body.depth));
                        is_more = read_block(script, &body, shell->depth, command,
                                             shell_next(&body, command));
                }
        }
        while (!is_read && is_more && body.depth >= shell->depth)
                is_more = shell_next(&body, command);
        *shell = body;
        shell->n_loops = n_loops;
        return is_more;
}

/* Whether && behind the command is no condition: "sleep 5 && ip link set …". */
static bool is_sequel(const struct shell_command *before) {
        return before->end == 'A' && before->n_words > 0 &&
               text_is_among(text_base_name(before->words[0].text), "sleep ip ifconfig modprobe cd");
}

/* Reads commands until one is less deep, which is in `command` then. False at the end of the text. */
static bool read_block(struct script *script, struct shell *shell, unsigned depth_min,
                       struct shell_command *command, bool is_more) {
        while (is_more && shell->depth >= depth_min && *script->n_left > 0) {
                const struct shell_function *function =
                                command->function ? find_function(script, command->function) : NULL;

                (*script->n_left)--;
                script->block = shell_block(shell, shell->depth);
                leave_block(script, shell_block(shell, shell->lowest));
                if (is_known_loop(command)) {
                        is_more = read_loop(script, shell, command);
                        continue;
                }
                if (!(function && function->is_called) &&
                    !read_assignments(script, command, script->block + (command->function ? 1 : 0))) {
                        const char *condition = script->source.condition;

                        script->source.line = script->first_line + command->line - 1;
                        if (command->conditional && (script->block > script->outer || command->function ||
                                                     !is_sequel(&script->before)))
                                script->source.condition = SCRIPT_CONDITION;
                        read_command(script, command);
                        script->source.condition = condition;
                }
                if (script->bound && command->end != 'A') {
                        /* Behind `if A && B; then`, A is true. */
                        if (command->end == 'O' || shell->head == 0 || shell->head != shell->depth)
                                assign(script,
                                       (struct shell_variable){ .name = script->bound, .is_dynamic = true },
                                       script->block);
                        script->bound = NULL;
                }
                read_exit(script, command);
                read_comparison(script, command);
                read_pattern(script, command);
                script->before = *command;
                is_more = shell_next(shell, command);
        }
        return is_more;
}

/* Finds the functions of a text, and which of them it calls. */
static void find_functions(struct script *script, const char *text, size_t size) {
        struct shell shell = shell_open(source_pool(script->parser), text, size, NULL);
        struct shell_command command;

        while (shell_next(&shell, &command))
                ;
        if (shell.n_functions == 0)
                return;
        script->functions = shell.functions;
        script->n_functions = shell.n_functions;
        shell = shell_open(source_pool(script->parser), text, size, NULL);
        while (shell_next(&shell, &command))
                for (size_t i = 0; command.end != ')' && command.end != '(' && i < script->n_functions; i++)
                        script->functions[i].is_called |= is(&command.words[0], script->functions[i].name);
}

static void read_text(struct script *script, const char *text, size_t size, unsigned line) {
        struct shell shell = shell_open(source_pool(script->parser), text, size, &script->variables);
        struct shell_command command;
        bool is_more;

        shell.outer = script->outer;
        charge(script, size);
        if (*script->n_left == 0)
                return;
        script->first_line = line;
        script->before.end = '\0';
        find_functions(script, text, size);
        is_more = shell_next(&shell, &command);
        while (is_more && *script->n_left > 0)
                is_more = read_block(script, &shell, 0, &command, is_more);
        /* Scripts and crontabs are about anything. */
        if (source_mentions_mtu(text, size))
                shell_check_end(&shell, script->parser, line);
}

/* A command, or where that is NULL, a text. */
static void read_all(const struct source_parser *parser, struct mtu_source source,
                     const struct shell_command *command, const char *text, size_t size,
                     const struct shell_variables *variables) {
        unsigned n_left = COMMANDS_MAX;
        struct script script = { .parser = parser,
                                 .source = source,
                                 .variables = copy_of(source_pool(parser), variables),
                                 .n_left = &n_left };

        if (command && command->conditional)
                script.source.condition = SCRIPT_CONDITION;
        if (command)
                read_command(&script, command);
        else
                read_text(&script, text, size, source.line);
        if (n_left == 0 && (parser->is_about_mtu || (text && source_mentions_mtu(text, size))))
                source_fail(parser, source.line, "runs more than %u commands; the rest is not read",
                            COMMANDS_MAX);
}

void script_read(const struct source_parser *parser, struct mtu_source source, const char *text, size_t size,
                 const struct shell_variables *variables) {
        read_all(parser, source, NULL, text, size, variables);
}

void script_read_command(const struct source_parser *parser, struct mtu_source source,
                         const struct shell_command *command, const struct shell_variables *variables) {
        read_all(parser, source, command, NULL, 0, variables);
}

void source_script_read(const struct source_parser *parser) {
        script_read(parser, (struct mtu_source){ .kind = SOURCE_SCRIPT, .line = 1 }, parser->text,
                    parser->size, NULL);
}
