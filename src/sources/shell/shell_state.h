/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What is known at a command of a shell script, and where it leads. */

#include <sys/types.h>

#include "sources/shell/shell.h"

/* Of functions and texts that run others. */
#define SHELL_DEPTH_MAX 4u

/* What is known where a command succeeds, and where it fails. */
struct shell_outcome {
        struct shell_variables yes;
        struct shell_variables no;
        bool is_same;     /* `no` is the same as `yes` */
        bool is_expected; /* && behind it is no condition */
        bool is_for_hook; /* as in struct shell_test: neither is a condition */
};

struct shell_function {
        const char *name;
        const char *text; /* what it does, in the text of the script */
        size_t size;
        unsigned line; /* where that begins */
        const void *place;
        bool is_called;    /* or the text says where it is not read */
        bool is_mentioned; /* by a command that may call it */
};

/* Where a text is read. A function, or what "." reads, has its own, and gives back that of the command. */
struct shell_frame {
        const void *place; /* what the caller knows of the text; also of a function's, while it is read */
        unsigned depth;
        unsigned line; /* of the command, in the text of `place` */
        unsigned first_line;
};

/* trap TEXT EXIT */
struct shell_trap {
        const char *text; /* NULL: none */
        const void *place;
        unsigned line;
        bool is_conditional;
};

/* A loop or function, and what is known where it ends. All zeros: none. */
struct shell_block {
        bool is_there;
        struct shell_variables ends;       /* at break, or return */
        struct shell_variables round_ends; /* at continue */
};

/* What a shell of its own does not change. */
struct shell_outer {
        struct shell_trap trap; /* for then */
        struct shell_block loop, function;
        struct shell_variables text_ends; /* at exit */
};

struct shell_flow {
        /* Set by the caller: */
        struct pool *pool;
        /* A command that is run, neither an assignment, a test nor a function. */
        void (*run)(struct shell_flow *flow, const struct shell_command *command);
        /* Adds the paths that a pattern means; false if they are not known. */
        bool (*list)(struct shell_flow *flow, const char *pattern, struct pool_list *ret);
        /* The st_mode of a file that the machine has, and keeps (stat(2)); 0 if that is not known. */
        mode_t (*mode)(const struct shell_flow *flow, const char *path);
        struct shell_frame frame;
        struct shell_outer outer;
        struct shell_variables variables; /* at the command */
        bool is_conditional;              /* the running shell decides whether it is run */
        unsigned *n_left;                 /* so many more commands are read */
        /* For `run`: */
        struct shell_command before; /* the one in front of it; `end` is '|' if its output is the input */
        /* Private, or copied with the rest: */
        struct shell_outcome (*run_simple)(struct shell_flow *flow, const struct shell_command *command);
        bool is_silent;   /* no command is run, and variables are set */
        bool is_trial;    /* no command is run; variables that are set become unknown */
        bool is_for_each; /* a list is read once for each value of a variable */
        bool is_open;     /* a command was run whose name is not known */
        bool exports_all;
        struct shell_function *functions;
        size_t n_functions;
        struct shell_variable *locals; /* what they were outside the function */
        size_t n_locals;
};

/* The text counts for as many commands as it is long. */
void shell_flow_charge(const struct shell_flow *flow, size_t size);

/* Those of variables; each counts as commands that are read. */
struct shell_variables shell_known_copy(struct shell_flow *flow, const struct shell_variables *variables);
struct shell_variables shell_known_merge(struct shell_flow *flow, const struct shell_variables *one,
                                         const struct shell_variables *other);

/* Of a place that the script does not come to. */
struct shell_variables shell_known_unreachable(const struct shell_flow *flow);

void shell_known_assign(struct shell_flow *flow, struct shell_variable variable);

/* A test has found that it has this value, as it may have. */
void shell_known_find(struct shell_flow *flow, const char *name, const char *value);

/* What a test has found of a variable. */
struct shell_fact {
        const char *name;
        const char *value;  /* NULL: it has one of several: */
        const char *values; /* of shell_values_add() */
        bool is_not;        /* it has none of these */
};

#define SHELL_FACTS_MAX 8u

struct shell_facts {
        struct shell_fact items[SHELL_FACTS_MAX];
        size_t n_items;
};

void shell_known_hold(struct shell_flow *flow, struct shell_variables *variables,
                      const struct shell_facts *facts);

/* The variable for each of whose values what follows is to be read; NULL: none. */
const struct shell_variable *shell_known_each(const struct shell_flow *flow);

/* The commands that are run have the variable in their environment, or not, whatever its value will be. */
void shell_known_export(struct shell_flow *flow, const char *name, bool is_exported);

/* Only the running shell knows the variable from here on. */
void shell_known_forget(struct shell_flow *flow, const char *name);

/* Of a command that succeeds or fails, without a difference for what is known. */
struct shell_outcome shell_outcome_either(const struct shell_flow *flow);

/* Of one that only succeeds, or only fails. */
struct shell_outcome shell_outcome_certain(const struct shell_flow *flow, bool is_success);

/* Makes the two independent of each other. */
struct shell_outcome shell_outcome_split(struct shell_flow *flow, struct shell_outcome outcome);

/* That of "! COMMAND". */
struct shell_outcome shell_outcome_swap(struct shell_flow *flow, struct shell_outcome outcome);

/* Goes on where the command has succeeded or failed. */
void shell_outcome_join(struct shell_flow *flow, struct shell_outcome outcome);

/* Adds the outcome of a branch to that of those beside it. */
void shell_outcome_add_branch(struct shell_flow *flow, struct shell_outcome *all,
                              struct shell_outcome branch);

/* Of a command after which the script goes on elsewhere, which is gathered in `ends` unless that is NULL. */
struct shell_outcome shell_outcome_leave(struct shell_flow *flow, struct shell_variables *ends);
