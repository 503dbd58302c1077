/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The commands of setmtu(8). A file each; the table is in setmtu.c. */

#include <stdbool.h>

#define COMMAND_OPTIONS_MAX 18
#define COMMAND_EXAMPLES 2

struct command_option {
        const char *name;     /* without its dashes */
        const char *argument; /* the name of its argument in --help; NULL: it takes none */
        const char *text;
        char letter; /* the short option, as in -4; 0: none */
};

/* Options that several commands have. */
#define COMMAND_JSON(type) \
        { "json", NULL, "print a JSON " type "; its keys are in setmtu-json(5)" }

struct command_line {
        const struct command *command;
        char **words; /* arguments that are neither options nor their arguments */
        int n_words;
        /* For each option of the command in turn: NULL if it is absent, otherwise its argument, or "". */
        const char *options[COMMAND_OPTIONS_MAX];
};

struct command {
        const char *name;
        const char *arguments;                  /* as --help shows them */
        const char *alias[2];                   /* other names; or NULL */
        const char *summary;                    /* half a line */
        const char *text;                       /* the text of --help below the usage, as one line */
        const char *examples[COMMAND_EXAMPLES]; /* behind "# " for root, "$ " for anybody */
        struct command_option options[COMMAND_OPTIONS_MAX]; /* up to the first without a name */
        bool changes;                                       /* anything at all */
        bool has_page;                                      /* setmtu-NAME(8) */
        int words_min;
        int words_max; /* -1: any number */
        /* Returns an exit code. */
        int (*run)(const struct command_line *line);
};

extern const struct command command_status, command_check, command_plan, command_explain, command_set,
                command_unset, command_apply, command_reload, command_try, command_confirm, command_revert,
                command_import, command_probe, command_watch, command_bench, command_doctor, command_history;
