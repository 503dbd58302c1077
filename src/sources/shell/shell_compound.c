/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/shell/shell_compound.h"

#include <string.h>

#include "base/text.h"
#include "sources/shell/shell_listing.h"
#include "sources/shell/shell_test.h"

/* A loop whose condition is known is followed so many times. */
#define ROUNDS_MAX 64u

/* Of compound commands in each other; what is deeper is not read. */
#define NESTED_MAX 100u

/* A text that is being read. */
struct reader {
        struct shell_flow *flow;
        struct shell shell;
        const char *stop; /* the reserved word, or operator, that ended the last list */
        char end;         /* what stands behind the last command */
        bool is_over;
        unsigned n_nested;
};

static struct shell_outcome read_pipeline(struct reader *reader, struct shell_command *command);
static struct shell_outcome read_for_each(struct reader *reader, const char *stops);

static bool read_token(struct reader *reader, struct shell_command *ret) {
        if (*reader->flow->n_left == 0 || !shell_read(&reader->shell, ret))
                reader->is_over = true;
        return !reader->is_over;
}

/* The same behind an operator, where the next command may be on another line. */
static bool read_next(struct reader *reader, struct shell_command *ret) {
        do {
                if (!read_token(reader, ret))
                        return false;
        } while (ret->n_words == 0 && ret->end == '\n');
        return true;
}

/* Whether a compound command begins whose head is a command with words. */
static bool is_head(const struct shell_command *command) {
        return command->n_words > 0 && text_is_among(command->words[0].text, "for select case");
}

/* The next command behind an operator, once for each value that a hook may get here. */
static struct shell_outcome read_right(struct reader *reader) {
        struct shell_command command;

        if (shell_known_each(reader->flow))
                return read_for_each(reader, NULL);
        return read_next(reader, &command) ? read_pipeline(reader, &command)
                                           : shell_outcome_either(reader->flow);
}

/* A && B || C */
static struct shell_outcome read_and_or(struct reader *reader, struct shell_command *command) {
        struct shell_flow *flow = reader->flow;
        bool was_conditional = flow->is_conditional;
        /* Whether "&" stands behind it, is not known before it is read. */
        bool may_be_apart = command->is_reserved || is_head(command) || command->end == '&' ||
                            command->end == 'A' || command->end == 'O';
        const struct shell_variables before =
                        may_be_apart ? shell_known_copy(flow, &flow->variables) : flow->variables;
        const struct shell_outer outer = flow->outer;
        struct shell_outcome left = read_pipeline(reader, command);

        while ((reader->end == 'A' || reader->end == 'O') && !reader->is_over) {
                bool is_and = reader->end == 'A', is_expected = is_and && left.is_expected,
                     is_for_hook = left.is_for_hook;
                struct shell_variables other; /* where the next command is not run */
                struct shell_outcome right;

                left = shell_outcome_split(flow, left);
                flow->variables = is_and ? left.yes : left.no;
                other = is_and ? left.no : left.yes;
                flow->is_conditional |= !other.is_unreachable && !is_expected && !is_for_hook;
                right = shell_outcome_split(flow, read_right(reader));
                flow->is_conditional = was_conditional;
                right.is_expected = is_and ? right.is_expected && is_expected
                                           : right.is_expected || left.is_expected;
                right.is_for_hook &= is_for_hook || other.is_unreachable;
                left = right;
                if (is_and)
                        left.no = shell_known_merge(flow, &other, &right.no);
                else
                        left.yes = shell_known_merge(flow, &other, &right.yes);
        }
        /* In the background, all of it is a shell of its own. */
        if (reader->end == '&' && !reader->is_over) {
                flow->variables = before;
                flow->outer = outer;
                return shell_outcome_certain(flow, true);
        }
        return left;
}

/* The reserved word or operator that ends a list; empty: another command. */
static const char *stop_of(const struct shell_command *command) {
        if (command->n_words > 0)
                return command->is_end ? command->words[0].text : "";
        if (command->end == ')')
                return ")";
        return command->end && strchr("EFT", command->end) ? ";;" : ""; /* ";;", ";&" and ";;&" */
}

/* Goes back to the begin of what is read again. */
static void repeat(struct reader *reader, const struct shell *begin) {
        shell_flow_charge(reader->flow, reader->shell.position - begin->position);
        reader->shell = *begin;
}

static struct shell_outcome read_list(struct reader *reader, const char *stops);

/* Reads the rest of a list, or with NULL the command behind an operator, once for each value that a hook may
 * get here; not of two variables in each other. */
static struct shell_outcome read_for_each(struct reader *reader, const char *stops) {
        struct shell_flow *flow = reader->flow;
        const struct shell_variable *each = shell_known_each(flow);
        const struct shell_variables before = flow->variables;
        const struct shell begin = reader->shell;
        struct shell_outcome all = { .yes = shell_known_unreachable(flow),
                                     .no = shell_known_unreachable(flow) };
        char *rest = pool_copy(flow->pool, each->among + 1), *value;

        flow->is_for_each = true;
        while ((value = lines_word(&rest))) {
                repeat(reader, &begin);
                *flow->n_left -= *flow->n_left > 0;
                reader->is_over = false;
                flow->variables = shell_known_copy(flow, &before);
                shell_known_find(flow, each->name, value);
                shell_outcome_add_branch(flow, &all, stops ? read_list(reader, stops) : read_right(reader));
        }
        flow->is_for_each = false;
        shell_outcome_join(flow, all);
        return all;
}

/* Reads commands up to one of the `stops`, which reader->stop is then; other stops are passed over. Returns
 * what became of the last command. */
static struct shell_outcome read_list(struct reader *reader, const char *stops) {
        struct shell_flow *flow = reader->flow;
        struct shell_outcome last = shell_outcome_certain(flow, true);
        struct shell_command command;

        for (;;) {
                shell_outcome_join(flow, last);
                if (shell_known_each(flow))
                        return read_for_each(reader, stops);
                reader->stop = "";
                if (!read_token(reader, &command))
                        return last;
                reader->stop = stop_of(&command);
                if (command.n_words == 0)
                        reader->end = command.end;
                if (!*reader->stop && (command.n_words > 0 || command.end == '(')) {
                        last = read_and_or(reader, &command);
                        /* As in "COMMAND )" and "COMMAND ;;". */
                        reader->stop = stop_of(&(struct shell_command){ .end = reader->end });
                }
                if (*reader->stop && text_is_among(reader->stop, stops))
                        return last;
        }
}

/* Reads what stands behind a compound command: redirections and an operator. */
static void read_tail(struct reader *reader) {
        const struct shell before = reader->shell;
        struct shell_command command;

        reader->end = ';';
        if (!shell_read(&reader->shell, &command))
                return;
        if (command.n_words > 0 || command.end == '(')
                reader->shell = before;
        else
                reader->end = command.end;
}

/* A shell reads no further where something else than one of these words ended the last list. */
static void end_without(struct reader *reader, const char *words) {
        if (reader->is_over || text_is_among(reader->stop, words))
                return;
        reader->is_over = true;
        reader->shell.mistake = (struct shell_mistake){
                reader->shell.line, "there is no \"then\" or \"do\"; the shell runs nothing from here on"
        };
}

/* if LIST; then LIST; elif LIST; then LIST; else LIST; fi */
static struct shell_outcome read_if(struct reader *reader) {
        struct shell_flow *flow = reader->flow;
        bool may_be_over = flow->is_conditional;
        struct shell_outcome all = { .yes = shell_known_unreachable(flow),
                                     .no = shell_known_unreachable(flow) };

        do {
                struct shell_outcome condition = shell_outcome_split(flow, read_list(reader, "then fi"));
                struct shell_variables others = condition.no;

                end_without(reader, "then");
                flow->variables = condition.yes;
                flow->is_conditional = may_be_over || (!others.is_unreachable && !condition.is_for_hook);
                shell_outcome_add_branch(flow, &all, read_list(reader, "elif else fi"));
                may_be_over |= !condition.yes.is_unreachable && !condition.is_for_hook;
                flow->variables = others;
                flow->is_conditional = may_be_over;
        } while (strcmp(reader->stop, "elif") == 0);
        shell_outcome_add_branch(flow, &all,
                                 strcmp(reader->stop, "else") == 0 ? read_list(reader, "fi")
                                                                   : shell_outcome_certain(flow, true));
        return all;
}

/* Reads the body of a loop, once. `continue` comes to its end as well; where `break` does is in `ends`. */
static void read_body(struct reader *reader, struct shell_variables *ends) {
        struct shell_flow *flow = reader->flow;
        const struct shell_block around = flow->outer.loop;

        flow->outer.loop = (struct shell_block){ true, *ends, shell_known_unreachable(flow) };
        (void)read_list(reader, "done }");
        flow->variables = shell_known_merge(flow, &flow->variables, &flow->outer.loop.round_ends);
        *ends = flow->outer.loop.ends;
        flow->outer.loop = around;
}

/* Reads a loop from behind its head or its `while` on, once, without running anything: what it sets is not
 * known then. */
static void forget_what_is_set(struct reader *reader, bool has_condition) {
        struct shell_flow *flow = reader->flow;
        const struct shell begin = reader->shell;
        const struct shell_variables before = shell_known_copy(flow, &flow->variables);
        struct shell_variables ends = shell_known_unreachable(flow);

        if (flow->is_trial || before.is_unreachable)
                return;
        flow->is_trial = true;
        if (has_condition)
                (void)read_list(reader, "do");
        read_body(reader, &ends);
        flow->is_trial = false;
        flow->variables = shell_known_merge(flow, &ends, &flow->variables);
        flow->variables = shell_known_merge(flow, &before, &flow->variables);
        reader->shell = begin;
}

/* Reads LIST up to `do`. */
static struct shell_outcome read_condition(struct reader *reader, bool is_until) {
        const struct shell_outcome outcome = shell_outcome_split(reader->flow, read_list(reader, "do done"));

        end_without(reader, "do");
        return is_until ? shell_outcome_swap(reader->flow, outcome) : outcome;
}

/* Whether the condition is known to hold, or not to; nothing is run. */
static enum shell_truth try_condition(struct reader *reader, bool is_until) {
        struct shell_flow *flow = reader->flow;
        const struct shell begin = reader->shell;
        const struct shell_variables before = shell_known_copy(flow, &flow->variables);
        bool was_silent = flow->is_silent;
        struct shell_outcome outcome;

        flow->is_silent = true;
        outcome = read_condition(reader, is_until);
        flow->is_silent = was_silent;
        flow->variables = before;
        reader->shell = begin;
        if (!outcome.yes.is_unreachable && !outcome.no.is_unreachable)
                return SHELL_UNKNOWN;
        return outcome.no.is_unreachable ? SHELL_TRUE : SHELL_FALSE;
}

/* while LIST; do LIST; done. A condition that is known is followed as often as it is true. */
static struct shell_outcome read_while(struct reader *reader, bool is_until) {
        struct shell_flow *flow = reader->flow;
        const struct shell begin = reader->shell;
        struct shell_variables breaks = shell_known_unreachable(flow);
        bool is_followed = !shell_begins_endless(&reader->shell) && !flow->is_trial;
        struct shell_outcome condition;

        for (unsigned n = 0; is_followed && n < ROUNDS_MAX && !flow->variables.is_unreachable; n++) {
                if (try_condition(reader, is_until) != SHELL_TRUE)
                        break;
                flow->variables = read_condition(reader, is_until).yes;
                read_body(reader, &breaks);
                repeat(reader, &begin);
        }
        if (!is_followed || flow->variables.is_unreachable || try_condition(reader, is_until) != SHELL_FALSE)
                forget_what_is_set(reader, true);
        condition = read_condition(reader, is_until);
        flow->variables = condition.yes;
        flow->is_conditional |= !condition.no.is_unreachable;
        read_body(reader, &breaks);
        flow->variables = shell_known_merge(flow, &condition.no, &breaks);
        return shell_outcome_either(flow);
}

/* for NAME in WORD…; do LIST; done, or { LIST; } in bash, read once for each word if they are known; select
 */
static struct shell_outcome read_for(struct reader *reader, const struct shell_command *head) {
        struct shell_flow *flow = reader->flow;
        const char *name = head->n_words > 1 ? head->words[1].text : "";
        struct shell_variables ends = shell_known_unreachable(flow), before;
        bool is_read = false;
        struct shell_command items, first;
        bool is_known = shell_listing_items(flow, &reader->shell, head, &items);
        struct shell begin;

        if ((head->n_words != 3 || !text_is_among(head->words[2].text, "do {")) &&
            read_next(reader, &first)) {
                reader->stop = first.n_words > 0 ? first.words[0].text : "";
                end_without(reader, "do {");
        }
        begin = reader->shell;
        for (size_t i = 0; is_known && i < items.n_words; i++) {
                if (flow->variables.is_unreachable || reader->is_over)
                        break;
                repeat(reader, &begin);
                shell_known_assign(flow, (struct shell_variable){ .name = name,
                                                                  .value = items.words[i].text,
                                                                  .is_assumed = items.words[i].is_assumed });
                read_body(reader, &ends);
                is_read = true;
        }
        if (is_known && !is_read) {
                before = flow->variables;
                flow->variables = shell_known_unreachable(flow);
                read_body(reader, &ends);
                flow->variables = before;
        } else if (!is_known) {
                shell_known_forget(flow, name);
                forget_what_is_set(reader, false);
                before = shell_known_copy(flow, &flow->variables);
                flow->is_conditional = true;
                read_body(reader, &ends);
                flow->variables = shell_known_merge(flow, &before, &flow->variables);
        }
        flow->variables = shell_known_merge(flow, &flow->variables, &ends);
        return shell_outcome_either(flow);
}

/* Reads PATTERN | PATTERN ) of a branch. False at esac. */
static bool read_patterns(struct reader *reader, struct shell_command *command, struct shell_word **ret,
                          size_t *ret_n) {
        *ret = NULL;
        *ret_n = 0;
        for (;;) {
                if (command->n_words > 0) {
                        if (command->is_reserved)
                                return false;
                        pool_put(reader->flow->pool, ret, ret_n, &command->words[command->n_words - 1],
                                 sizeof(**ret));
                        if (command->end == ')')
                                return true;
                }
                if (!read_token(reader, command))
                        return false;
        }
}

/* case WORD in PATTERN) LIST;; … esac. Behind ";&", the next branch is run as well; behind ";;&", it is if
 * its pattern matches. */
static struct shell_outcome read_case(struct reader *reader, const struct shell_command *head) {
        static const struct shell_word none = { "", true };
        struct shell_flow *flow = reader->flow;
        const struct shell_word *subject = head->n_words > 1 ? &head->words[1] : &none;
        struct shell_word *patterns;
        size_t n_patterns;
        struct shell_outcome all = { .yes = shell_known_unreachable(flow),
                                     .no = shell_known_unreachable(flow) };
        struct shell_command command = shell_command_rest(head, 3);
        struct shell_variables fallen = shell_known_unreachable(flow); /* into the next branch */
        bool fell_conditional = false;

        for (;;) {
                struct shell_test test = { 0 };
                struct shell_variables others;
                struct shell_outcome outcome;

                reader->shell.in_pattern = true;
                if (!read_patterns(reader, &command, &patterns, &n_patterns))
                        break;
                reader->shell.in_pattern = false;
                if (!flow->is_trial)
                        test = shell_test_case(flow, subject, patterns, n_patterns);
                flow->is_conditional |= test.truth == SHELL_UNKNOWN && !test.is_for_hook;
                outcome = shell_outcome_split(flow, shell_test_outcome(flow, &test));
                flow->variables = outcome.yes;
                others = outcome.no;
                if (!fallen.is_unreachable) {
                        flow->variables = shell_known_merge(flow, &fallen, &flow->variables);
                        flow->is_conditional = fell_conditional;
                        fallen = shell_known_unreachable(flow);
                }
                outcome = read_list(reader, ";; esac");
                if (strcmp(reader->stop, ";;") != 0 || reader->end == 'E')
                        shell_outcome_add_branch(flow, &all, outcome);
                else {
                        shell_outcome_join(flow, outcome);
                        if (reader->end == 'F')
                                fallen = flow->variables;
                        else
                                others = shell_known_merge(flow, &others, &flow->variables);
                        fell_conditional = flow->is_conditional;
                }
                flow->variables = others;
                if (strcmp(reader->stop, ";;") != 0)
                        break;
                command.n_words = 0;
        }
        reader->shell.in_pattern = false;
        flow->variables = shell_known_merge(flow, &fallen, &flow->variables);
        shell_outcome_add_branch(flow, &all, shell_outcome_certain(flow, true));
        return all;
}

void shell_compound_end(struct shell_flow *flow) {
        const struct shell_trap trap = flow->outer.trap;
        const struct shell_frame frame = flow->frame;
        bool was_conditional = flow->is_conditional;

        flow->outer.trap.text = NULL;
        if (!trap.text || flow->frame.depth == SHELL_DEPTH_MAX)
                return;
        flow->frame.place = trap.place;
        flow->frame.depth++;
        flow->is_conditional |= trap.is_conditional;
        shell_outcome_join(flow, shell_compound_read(flow, trap.text, strlen(trap.text), trap.line, NULL));
        flow->is_conditional = was_conditional;
        flow->frame = frame;
}

/* NAME ( ) COMMAND, from behind NAME or the first bracket on. */
static struct shell_outcome read_function(struct reader *reader, const char *name) {
        struct shell_flow *flow = reader->flow;
        const struct shell_variables before = flow->variables;
        struct shell_function made = { .name = name, .place = flow->frame.place };
        struct shell_command command;
        struct shell begin;
        bool has_brackets = false;

        for (;;) {
                begin = reader->shell;
                if (!read_token(reader, &command))
                        return shell_outcome_either(flow);
                if (command.n_words > 0 || (has_brackets && command.end == '('))
                        break;
                has_brackets |= command.end == ')';
        }
        made.text = begin.text + begin.position;
        made.line = flow->frame.first_line + begin.line - 1;
        flow->variables = shell_known_unreachable(flow);
        (void)read_pipeline(reader, &command);
        flow->variables = before;
        made.size = reader->shell.position - begin.position;
        for (size_t i = 0; i < flow->n_functions; i++)
                if (flow->functions[i].text == made.text)
                        return shell_outcome_certain(flow, true); /* it is read once more */
        if (!before.is_unreachable)
                pool_put(flow->pool, &flow->functions, &flow->n_functions, &made, sizeof(made));
        return shell_outcome_certain(flow, true);
}

/* ( LIST ): what it sets, it sets for itself. It has no trap of the shell that begins it, and runs its own
 * when it ends. */
static struct shell_outcome read_subshell(struct reader *reader) {
        struct shell_flow *flow = reader->flow;
        const struct shell_variables before = shell_known_copy(flow, &flow->variables);
        const struct shell_outer outer = flow->outer;

        flow->outer.trap.text = NULL;
        (void)read_list(reader, ")");
        shell_compound_end(flow);
        flow->outer = outer;
        flow->variables = shell_known_merge(flow, &before, &flow->variables);
        return shell_outcome_either(flow);
}

/* A compound command, or a simple one. */
static struct shell_outcome read_element(struct reader *reader, const struct shell_command *command) {
        const char *word = command->n_words > 0 ? command->words[0].text : "";
        bool was_conditional = reader->flow->is_conditional;
        struct shell_outcome outcome;

        if (shell_begins_function(&reader->shell, command))
                return read_function(reader, word);
        if (strcmp(word, "function") == 0 && command->n_words == 2)
                return read_function(reader, command->words[1].text);
        if (!is_head(command) && !command->is_reserved && (command->n_words > 0 || command->end != '(')) {
                reader->end = command->end;
                return reader->flow->run_simple(reader->flow, command);
        }
        if (reader->n_nested == NESTED_MAX)
                *reader->flow->n_left = 0;
        reader->n_nested++;
        if (strcmp(word, "if") == 0)
                outcome = read_if(reader);
        else if (text_is_among(word, "while until"))
                outcome = read_while(reader, *word == 'u');
        else if (text_is_among(word, "for select"))
                outcome = read_for(reader, command);
        else if (strcmp(word, "case") == 0)
                outcome = read_case(reader, command);
        else if (strcmp(word, "{") == 0)
                outcome = read_list(reader, "}");
        else
                outcome = read_subshell(reader);
        reader->n_nested--;
        reader->flow->is_conditional = was_conditional;
        read_tail(reader);
        return outcome;
}

/* [!] COMMAND | COMMAND. Each of several is a shell of its own. */
static struct shell_outcome read_pipeline(struct reader *reader, struct shell_command *command) {
        struct shell_flow *flow = reader->flow;
        struct shell_variables before = flow->variables;
        const struct shell_outer outer = flow->outer;
        struct shell_outcome outcome;
        bool is_not = false;

        for (; command->is_reserved && shell_word_is(&command->words[0], "!"); is_not = !is_not)
                if (!read_token(reader, command))
                        return shell_outcome_either(flow);
        /* Whether "|" stands behind a compound command, is not known before it is read. */
        if (command->end == '|' || command->is_reserved || is_head(command))
                before = shell_known_copy(flow, &flow->variables);
        outcome = read_element(reader, command);
        if (reader->end != '|')
                return is_not ? shell_outcome_swap(flow, outcome) : outcome;
        while (reader->end == '|' && !reader->is_over) {
                flow->variables = shell_known_copy(flow, &before);
                if (read_next(reader, command))
                        outcome = read_element(reader, command);
        }
        shell_outcome_join(flow, outcome);
        flow->variables = shell_known_merge(flow, &before, &flow->variables);
        flow->outer = outer;
        return shell_outcome_either(flow);
}

struct shell_outcome shell_compound_read(struct shell_flow *flow, const char *text, size_t size,
                                         unsigned line, struct shell_mistake *ret_mistake) {
        struct reader reader = { .flow = flow,
                                 .shell = shell_open(flow->pool, text, size, &flow->variables) };
        unsigned first_line = flow->frame.first_line;
        struct shell_outcome outcome;

        shell_flow_charge(flow, size);
        flow->frame.first_line = line;
        flow->before.end = '\0';
        outcome = read_list(&reader, "");
        flow->frame.first_line = first_line;
        if (ret_mistake)
                *ret_mistake = reader.shell.mistake;
        return outcome;
}
