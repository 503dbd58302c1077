/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/shell/shell_flow.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "sources/parser/lines.h"
#include "sources/shell/program.h"
#include "sources/shell/shell_compound.h"
#include "sources/shell/shell_test.h"

/* Assignments ----------------------------------------------------------------------------------------- */

/* Whether `sudo -E` or the like, or nothing, is all of the text. */
static bool is_prefix(struct shell_flow *flow, const struct shell_word *word) {
        struct shell_command command = { 0 };
        char *rest = pool_copy(flow->pool, word->is_dynamic ? "$" : word->text), *part;

        while ((part = lines_word(&rest)))
                shell_command_add(flow->pool, &command, (struct shell_word){ part, false });
        return program_skip_wrappers(&command).n_words == 0;
}

static bool is_assignments(const struct shell_command *command) {
        for (size_t i = 0, size; i < command->n_words; i++)
                if (!shell_assignment(&command->words[i], &size))
                        return false;
        return true;
}

/* NAME=VALUE, or NAME+=VALUE. */
static void assign(struct shell_flow *flow, const struct shell_word *word) {
        size_t size = 0;
        struct shell_word value = { shell_assignment(word, &size), word->is_dynamic, word->is_assumed };
        const struct shell_variable *old =
                        word->text[size] == '+'
                                        ? shell_variables_find_part(&flow->variables, word->text, size)
                                        : NULL;

        if (old && old->value)
                value = (struct shell_word){ pool_print(flow->pool, "%s%s", old->value, value.text),
                                             value.is_dynamic || old->is_dynamic,
                                             value.is_assumed || old->is_assumed };
        value.is_dynamic |= strlen(value.text) > SHELL_WORD_SIZE_MAX ||
                            (word->text[size] == '+' && (old ? old->is_dynamic : !flow->variables.is_all));
        shell_known_assign(flow,
                           (struct shell_variable){ .name = pool_copy_part(flow->pool, word->text, size),
                                                    .value = value.text,
                                                    .is_dynamic = value.is_dynamic,
                                                    .is_assumed = value.is_assumed,
                                                    .among = shell_test_among(flow, &value),
                                                    .is_prefix = is_prefix(flow, &value) });
}

/* A variable of a function gets its former value back behind it. */
static void keep_local(struct shell_flow *flow, const char *name) {
        const struct shell_variable *found = shell_variables_find(&flow->variables, name);
        const struct shell_variable unset = { .name = name,
                                              .is_assumed = true,
                                              .is_prefix = flow->variables.is_all };

        pool_put(flow->pool, &flow->locals, &flow->n_locals, found ? found : &unset, sizeof(unset));
}

/* export NAME=VALUE… and the like. */
static void read_declaration(struct shell_flow *flow, const struct shell_command *command) {
        bool is_local = flow->outer.function.is_there &&
                        text_is_among(command->words[0].text, "local declare typeset");
        bool is_export = shell_word_is(&command->words[0], "export"), is_exported = true;

        for (size_t i = 1; i < command->n_words; i++) {
                const struct shell_word *word = &command->words[i];
                size_t size = strcspn(word->text, "+=");
                const char *name = pool_copy_part(flow->pool, word->text, size);

                if (*name == '-') {
                        is_export |= strchr(name, 'x') != NULL;
                        is_exported &= !(is_export && strchr(name, 'n'));
                        continue;
                }
                if (is_local)
                        keep_local(flow, name);
                if (shell_assignment(word, &size))
                        assign(flow, word);
                else if (is_local)
                        shell_known_assign(flow, (struct shell_variable){ .name = name,
                                                                          .value = "",
                                                                          .is_prefix = true });
                if (is_export)
                        shell_known_export(flow, name, is_exported);
        }
}

/* Forgets the variables that ((…)) or `let` sets: NAME=, NAME+=, NAME++, ++NAME. */
static void read_arithmetic(struct shell_flow *flow, const char *text) {
        const char *begin = text;

        while (*text) {
                size_t size = shell_name_size(text);
                const char *next = text + size + strspn(text + size, " \t");
                bool is_comparison =
                                text_after(next, "==") || text_after(next, "<=") || text_after(next, ">=");
                bool is_set = !is_comparison && (next[strspn(next, "+-*/%&|^<>")] == '=' ||
                                                 text_after(next, "++") || text_after(next, "--"));

                is_set |= text - begin >= 2 && (text_after(text - 2, "++") || text_after(text - 2, "--"));
                if (size > 0 && is_set)
                        shell_known_forget(flow, pool_copy_part(flow->pool, text, size));
                text += size > 0 ? size : 1;
        }
}

/* Other builtins ------------------------------------------------------------------------------------- */

static struct shell_outcome run_test(struct shell_flow *flow, const struct shell_command *command) {
        const struct shell_test test = shell_test_read(flow, command);

        return flow->is_trial ? shell_outcome_either(flow) : shell_test_outcome(flow, &test);
}

/* Sets $1 and so on. NULL: they are not known. */
static void set_arguments(struct shell_flow *flow, const struct shell_command *rest) {
        struct shell_command *arguments = rest ? pool_take(flow->pool, sizeof(*arguments)) : NULL;

        if (arguments && !flow->is_trial) {
                *arguments = *rest;
                flow->variables.arguments = arguments;
        } else
                shell_variables_drop_arguments(&flow->variables);
}

static void run_shift(struct shell_flow *flow, const struct shell_command *command) {
        struct shell_command rest;

        if (flow->variables.arguments)
                rest = shell_command_rest(flow->variables.arguments,
                                          command->n_words > 1 ? strtoul(command->words[1].text, NULL, 10)
                                                               : 1);
        set_arguments(flow, flow->variables.arguments ? &rest : NULL);
}

/* Whether $IFS has the blank. */
static bool is_blank_of(const char *ifs, char c) {
        return c && strchr(" \t\n", c) && strchr(ifs, c);
}

/* Takes a field of a line and cuts it off; the last one is all that is left, without a delimiter behind one
 * field alone. */
static const char *take_field(char **line, const char *ifs, bool is_last) {
        char *begin = *line, *end, *rest;

        while (is_blank_of(ifs, *begin))
                begin++;
        end = begin + strcspn(begin, ifs);
        *line = end;
        while (is_blank_of(ifs, **line))
                (*line)++;
        if (**line && strchr(ifs, **line))
                (*line)++;
        for (rest = *line; is_blank_of(ifs, *rest); rest++)
                ;
        if (is_last && *rest)
                end = begin + strlen(begin);
        while (end > begin && is_blank_of(ifs, end[-1]))
                end--;
        *end = '\0';
        return begin;
}

/* read NAME… <<<TEXT, read -a NAME <<<TEXT. False: what it reads is not known. */
static bool run_read(struct shell_flow *flow, const struct shell_command *command) {
        const struct shell_word *input = &command->input;
        const struct shell_variable *own_ifs = shell_variables_find(&flow->variables, "IFS");
        const char *ifs = own_ifs && own_ifs->value ? own_ifs->value : " \t\n";
        struct pool_text fields = { .pool = flow->pool };
        bool is_array = false, is_raw = false;
        size_t i = 1;
        char *line;

        if (!input->text || input->is_dynamic || flow->is_trial || (own_ifs && own_ifs->is_dynamic))
                return false;
        for (; i < command->n_words && command->words[i].text[0] == '-'; i++) {
                if (command->words[i].text[strspn(command->words[i].text, "-ares")])
                        return false;
                is_array |= strchr(command->words[i].text, 'a') != NULL;
                is_raw |= strchr(command->words[i].text, 'r') != NULL;
        }
        if (!is_raw && strchr(input->text, '\\'))
                return false;
        line = pool_copy_part(flow->pool, input->text, strcspn(input->text, "\n"));
        for (size_t last = command->n_words - 1; i <= last; i++) {
                struct shell_variable variable = { .name = command->words[i].text,
                                                   .is_assumed = input->is_assumed };

                while (is_array && *line) {
                        pool_text_put(&fields, fields.size > 0 ? "\n" : "");
                        pool_text_put(&fields, take_field(&line, ifs, false));
                }
                variable.value = !is_array     ? take_field(&line, ifs, i == last)
                                 : fields.text ? fields.text
                                               : "";
                shell_known_assign(flow, variable);
        }
        return true;
}

/* Commands that set variables. False if it is another one. */
static bool run_setter(struct shell_flow *flow, const struct shell_command *command) {
        const char *name = command->words[0].text;
        const struct shell_command rest = shell_command_rest(command, 2);

        if (text_is_among(name, "export local readonly declare typeset"))
                read_declaration(flow, command);
        else if (strcmp(name, "shift") == 0)
                run_shift(flow, command);
        else if (strcmp(name, "set") == 0) {
                const char *option = command->n_words > 1 ? command->words[1].text : "";

                if (strcmp(option, "interfaces") == 0)
                        return false; /* VyOS */
                if (strcmp(option, "--") == 0)
                        set_arguments(flow, &rest);
                if ((strchr("-+", *option) && strchr(option, 'a')) ||
                    (command->n_words > 2 && shell_word_is(&command->words[2], "allexport")))
                        flow->exports_all = *option == '-';
        } else if (strcmp(name, "read") == 0 && run_read(flow, command))
                ;
        else if (text_is_among(name, "read mapfile readarray getopts unset") ||
                 (strcmp(name, "printf") == 0 && command->n_words > 2 &&
                  shell_word_is(&command->words[1], "-v"))) {
                for (size_t i = 1; i < command->n_words && (i < 3 || *name != 'p'); i++)
                        if (shell_name_size(command->words[i].text) > 0)
                                shell_known_forget(flow, command->words[i].text);
        } else if (text_is_among(name, "let") || text_after(name, "(("))
                for (size_t i = 0; i < command->n_words; i++)
                        read_arithmetic(flow, command->words[i].text);
        else
                return false;
        return true;
}

/* NAME=VALUE…; it fails where a command in a value does. */
static struct shell_outcome run_assignments(struct shell_flow *flow, const struct shell_command *command) {
        bool is_known = !flow->is_trial;

        for (size_t i = 0; i < command->n_words; i++) {
                is_known &= !command->words[i].is_dynamic || !strpbrk(command->words[i].text, "(`");
                assign(flow, &command->words[i]);
        }
        return is_known ? shell_outcome_certain(flow, true) : shell_outcome_either(flow);
}

/* Whether `command -v NAME` or its kind finds a program that this machine has. */
static bool finds_program(const struct shell_flow *flow, const struct shell_command *command) {
        static const char *const folders[] = { "",           "/usr/local/sbin/", "/usr/local/bin/",
                                               "/usr/sbin/", "/usr/bin/",        "/sbin/",
                                               "/bin/" };
        const struct shell_word *name = &command->words[command->n_words - 1];
        bool is_question = text_is_among(command->words[0].text, "type which hash"),
             is_command = strcmp(command->words[0].text, "command") == 0;
        size_t n_options = 0;

        for (; n_options + 2 < command->n_words && command->words[n_options + 1].text[0] == '-'; n_options++)
                is_question |= is_command && strpbrk(command->words[n_options + 1].text, "vV");
        if (n_options + 2 != command->n_words || name->is_dynamic || !is_question ||
            (n_options > 0 && strcmp(command->words[0].text, "hash") == 0))
                return false;
        for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
                mode_t mode = flow->mode(flow, pool_print(flow->pool, "%s%s", folders[i], name->text));

                if (S_ISREG(mode) && (mode & 0111))
                        return true;
        }
        return false;
}

/* What a shell does itself. False if it is another command. */
static bool run_builtin(struct shell_flow *flow, const struct shell_command *command,
                        struct shell_outcome *ret) {
        const char *name = command->words[0].text;

        if (is_assignments(command))
                *ret = run_assignments(flow, command);
        else if (text_is_among(name, "[ [[ test"))
                *ret = run_test(flow, command);
        else if (text_is_among(name, "true : false"))
                *ret = flow->is_trial ? shell_outcome_either(flow)
                                      : shell_outcome_certain(flow, *name != 'f');
        else if (text_is_among(name, "break continue"))
                *ret = shell_outcome_leave(flow, !flow->outer.loop.is_there ? NULL
                                                 : *name == 'b'             ? &flow->outer.loop.ends
                                                                            : &flow->outer.loop.round_ends);
        else if (text_is_among(name, "return exit"))
                *ret = shell_outcome_leave(flow, *name == 'r' && flow->outer.function.is_there
                                                                 ? &flow->outer.function.ends
                                                                 : &flow->outer.text_ends);
        else if (finds_program(flow, command))
                *ret = flow->is_trial ? shell_outcome_either(flow) : shell_outcome_certain(flow, true);
        else if (run_setter(flow, command))
                *ret = shell_outcome_either(flow);
        else
                return false;
        return true;
}

/* Simple commands ------------------------------------------------------------------------------------- */

static struct shell_outcome run_words(struct shell_flow *flow, const struct shell_command *command);

static struct shell_function *find_function(const struct shell_flow *flow, const char *name) {
        for (size_t i = flow->n_functions; i > 0; i--)
                if (strcmp(flow->functions[i - 1].name, name) == 0)
                        return &flow->functions[i - 1];
        return NULL;
}

/* Gives the variables that were kept since then their former values. */
static void put_back(const struct shell_flow *flow, size_t n_locals, struct shell_variables *variables) {
        for (size_t i = flow->n_locals; i > n_locals; i--)
                shell_variables_set(flow->pool, variables, flow->locals[i - 1]);
}

/* `arguments` is NULL if they are not known. */
static struct shell_outcome call(struct shell_flow *flow, struct shell_function *function,
                                 const struct shell_command *arguments) {
        const struct shell_frame frame = flow->frame;
        const struct shell_command *own_arguments = flow->variables.arguments;
        const struct shell_block loop = flow->outer.loop, around = flow->outer.function;
        size_t n_locals = flow->n_locals;
        struct shell_outcome outcome;

        function->is_called = true;
        if (frame.depth == SHELL_DEPTH_MAX)
                return shell_outcome_either(flow);
        set_arguments(flow, arguments);
        flow->frame = (struct shell_frame){ .place = function->place,
                                            .depth = frame.depth + 1,
                                            .line = frame.line };
        flow->outer.loop.is_there = false;
        flow->outer.function = (struct shell_block){ true, shell_known_unreachable(flow) };
        outcome = shell_outcome_split(flow, shell_compound_read(flow, function->text, function->size,
                                                                function->line, NULL));
        flow->frame = frame;
        outcome.yes = shell_known_merge(flow, &outcome.yes, &flow->outer.function.ends);
        outcome.no = shell_known_merge(flow, &outcome.no, &flow->outer.function.ends);
        flow->outer.loop = loop;
        flow->outer.function = around;
        put_back(flow, n_locals, &outcome.yes);
        put_back(flow, n_locals, &outcome.no);
        flow->n_locals = n_locals;
        outcome.yes.arguments = outcome.no.arguments = own_arguments;
        return outcome;
}

/* Whether a program prints a part of the text: $(…) or `…`, and not only $((…)). */
static bool prints_commands(const char *text) {
        for (const char *at = text; (at = strpbrk(at, "$`")); at++)
                if (*at == '`' || (at[1] == '(' && at[2] != '('))
                        return true;
        return false;
}

/* eval WORD… */
static struct shell_outcome run_eval(struct shell_flow *flow, const struct shell_command *command) {
        struct pool_text text = { .pool = flow->pool };
        struct shell_outcome outcome;

        for (size_t i = 1; i < command->n_words; i++) {
                pool_text_put(&text, i > 1 ? " " : "");
                pool_text_put(&text, command->words[i].text);
        }
        /* What a program prints may set any variable, and run anything. */
        if (text.text && prints_commands(text.text)) {
                flow->variables.is_all = false;
                return shell_outcome_either(flow);
        }
        if (!text.text || flow->frame.depth == SHELL_DEPTH_MAX)
                return shell_outcome_either(flow);
        flow->frame.depth++;
        outcome = shell_compound_read(flow, text.text, text.size, flow->frame.line, NULL);
        flow->frame.depth--;
        return outcome;
}

/* NAME=$(COMMAND): what it sets, it sets for itself. */
static void run_substitutions(struct shell_flow *flow, const struct shell_command *command) {
        for (size_t i = 0, size; i < command->n_words && flow->frame.depth < SHELL_DEPTH_MAX; i++) {
                const char *value = shell_assignment(&command->words[i], &size),
                           *text = value ? text_after(value, "$(") : NULL;
                const struct shell_variables before = flow->variables;
                const struct shell_outer outer = flow->outer;

                if (!text || !command->words[i].is_dynamic || *text == '(' || !text_ends_in(text, ")"))
                        continue;
                flow->frame.depth++;
                flow->variables = shell_known_copy(flow, &before);
                flow->outer.trap.text = NULL;
                (void)shell_compound_read(flow, text, strlen(text) - 1, flow->frame.line, NULL);
                flow->variables = before;
                flow->outer = outer;
                flow->frame.depth--;
        }
}

/* NAME=VALUE COMMAND: it is set for the command alone. */
static struct shell_outcome run_with(struct shell_flow *flow, const struct shell_command *command) {
        struct shell_command rest = *command;
        size_t n_locals = flow->n_locals, size;

        while (shell_assignment(&rest.words[0], &size)) {
                const char *name = pool_copy_part(flow->pool, rest.words[0].text, size);

                keep_local(flow, name);
                assign(flow, &rest.words[0]);
                shell_known_export(flow, name, true);
                rest = shell_command_rest(&rest, 1);
        }
        shell_outcome_join(flow, run_words(flow, &rest));
        put_back(flow, n_locals, &flow->variables);
        flow->n_locals = n_locals;
        return shell_outcome_either(flow);
}

/* trap TEXT SIGNAL…: for EXIT, it is remembered; "-", or a signal alone, takes it back. Other signals are
 * for what does not happen. */
static struct shell_outcome run_trap(struct shell_flow *flow, const struct shell_command *command) {
        size_t i = command->n_words > 1 && shell_word_is(&command->words[1], "--") ? 2 : 1;
        bool is_reset = i < command->n_words &&
                        (shell_word_is(&command->words[i], "-") || i + 1 == command->n_words),
             is_for_exit = false;

        for (size_t j = is_reset ? i : i + 1; j < command->n_words; j++)
                is_for_exit |= text_is_among(command->words[j].text, "EXIT 0");
        if (is_for_exit && !flow->is_trial && !flow->is_silent && !text_after(command->words[i].text, "-p"))
                flow->outer.trap = (struct shell_trap){ .text = is_reset ? NULL : command->words[i].text,
                                                        .place = flow->frame.place,
                                                        .line = flow->frame.line,
                                                        .is_conditional = flow->is_conditional };
        return shell_outcome_certain(flow, true);
}

static struct shell_outcome run_words(struct shell_flow *flow, const struct shell_command *command) {
        const char *name = command->words[0].text;
        const struct shell_command arguments = shell_command_rest(command, 1);
        struct shell_function *function = find_function(flow, name);
        struct shell_command program;
        struct shell_outcome outcome;
        size_t size;

        if (function)
                return call(flow, function, &arguments);
        run_substitutions(flow, command);
        if (run_builtin(flow, command, &outcome))
                return outcome;
        if (shell_assignment(&command->words[0], &size))
                return run_with(flow, command);
        if (strcmp(name, "eval") == 0)
                return run_eval(flow, command);
        if (strcmp(name, "trap") == 0)
                return run_trap(flow, command);
        flow->is_open |= command->words[0].is_dynamic;
        if (!flow->is_trial && !flow->is_silent)
                flow->run(flow, command);
        if (strcmp(name, "exec") == 0 && command->n_words > 1 && !flow->is_conditional)
                flow->outer.trap.text = NULL;
        if (strcmp(name, "exec") == 0 && command->n_words > 1)
                return shell_outcome_leave(flow, &flow->outer.text_ends);
        outcome = shell_outcome_either(flow);
        program = program_skip_wrappers(command);
        outcome.is_expected = program.n_words > 0 && text_is_among(text_base_name(program.words[0].text),
                                                                   "sleep ip ifconfig iw modprobe cd");
        return outcome;
}

static struct shell_outcome run_simple(struct shell_flow *flow, const struct shell_command *command) {
        struct shell_outcome outcome;

        if (flow->variables.is_unreachable || command->n_words == 0 || *flow->n_left == 0)
                return shell_outcome_either(flow);
        (*flow->n_left)--;
        flow->frame.line = flow->frame.first_line + command->line - 1;
        for (size_t i = 0; i < command->n_defaults; i++)
                assign(flow, &command->defaults[i]);
        outcome = run_words(flow, command);
        flow->before = *command;
        return outcome;
}

/* Whole texts ----------------------------------------------------------------------------------------- */

/* Finds the functions that the text calls, maybe where it does not come to it, or mentions. A trap for
 * another signal than EXIT is for what does not happen. */
static void find_calls(const struct shell_flow *flow, const char *text, size_t size) {
        struct shell shell = shell_open(flow->pool, text, size, NULL);
        struct shell_command command;
        struct shell_function *function;

        while (flow->n_functions > 0 && shell_next(&shell, &command)) {
                const struct shell_word *last = &command.words[command.n_words - 1];
                bool is_trap = shell_word_is(&command.words[0], "trap") &&
                               !text_is_among(last->text, "EXIT 0");

                for (size_t i = 0; i < command.n_words; i++) {
                        function = command.end == ')' || command.end == '('
                                                   ? NULL
                                                   : find_function(flow, command.words[i].text);
                        if (function && (i == 0 || is_trap))
                                function->is_called = true;
                        else if (function)
                                function->is_mentioned = true;
                }
        }
}

/* Reads functions that nothing is known to call, unless that is sure. */
static void read_uncalled(struct shell_flow *flow, bool is_closed) {
        flow->is_conditional = true;
        for (size_t i = 0; i < flow->n_functions; i++)
                if (!flow->functions[i].is_called && (!is_closed || flow->functions[i].is_mentioned))
                        shell_outcome_join(flow, call(flow, &flow->functions[i], NULL));
}

struct shell_mistake shell_flow_read(struct shell_flow *flow, const char *text, size_t size, unsigned line,
                                     bool is_sourced) {
        bool is_program = flow->variables.arguments != NULL;
        struct shell_mistake mistake;

        flow->run_simple = run_simple;
        shell_outcome_join(flow, shell_compound_read(flow, text, size, line, &mistake));
        /* A text that calls none of its functions may be there for others to read. */
        for (size_t i = 0; i < flow->n_functions; i++)
                is_program |= flow->functions[i].is_called;
        find_calls(flow, text, size);
        if (is_sourced)
                return mistake;
        flow->variables = shell_known_merge(flow, &flow->variables, &flow->outer.text_ends);
        shell_compound_end(flow);
        read_uncalled(flow, is_program && !flow->is_open);
        return mistake;
}
