/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/shell/shell_flow.h"

#include <string.h>

#include "base/text.h"
#include "sources/shell/shell_builtin.h"
#include "sources/shell/shell_compound.h"
#include "sources/shell/wrapper.h"

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
        shell_builtin_set_arguments(flow, arguments);
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
        struct shell_outcome outcome;

        while (shell_assignment(&rest.words[0], &size)) {
                const char *name = pool_copy_part(flow->pool, rest.words[0].text, size);

                shell_builtin_keep(flow, name);
                shell_builtin_assign(flow, &rest.words[0]);
                shell_known_export(flow, name, true);
                rest = shell_command_rest(&rest, 1);
        }
        outcome = run_words(flow, &rest);
        shell_outcome_join(flow, &outcome);
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
        if (shell_builtin_run(flow, command, &outcome))
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
        program = wrapper_skip(command);
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
                shell_builtin_assign(flow, &command->defaults[i]);
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
        for (size_t i = 0; i < flow->n_functions; i++) {
                struct shell_outcome outcome;

                if (flow->functions[i].is_called || (is_closed && !flow->functions[i].is_mentioned))
                        continue;
                outcome = call(flow, &flow->functions[i], NULL);
                shell_outcome_join(flow, &outcome);
        }
}

struct shell_mistake shell_flow_read(struct shell_flow *flow, const char *text, size_t size, unsigned line,
                                     bool is_sourced) {
        bool is_program = flow->variables.arguments != NULL;
        struct shell_outcome outcome;
        struct shell_mistake mistake;

        flow->run_simple = run_simple;
        outcome = shell_compound_read(flow, text, size, line, &mistake);
        shell_outcome_join(flow, &outcome);
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
