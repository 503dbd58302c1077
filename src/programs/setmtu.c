/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* setmtu: the command for people. See setmtu(8). */

#include <ctype.h>
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/exit_code.h"
#include "base/log.h"
#include "base/standard_option.h"
#include "base/terminal.h"
#include "base/text.h"
#include "change/snapshot.h"
#include "command/command.h"
#include "output/table.h"

static int run_help(const struct command_line *line);

static const struct command command_help = {
        .name = "help",
        .arguments = "[COMMAND]",
        .summary = "show how to use setmtu, or one of its commands",
        .text = "Shows what --help shows, of setmtu or of the given command.",
        .examples = { "$ setmtu help", "$ setmtu help set" },
        .words_max = 1,
        .run = run_help,
};

static const struct command *const commands[] = {
        &command_status, &command_check,   &command_plan,   &command_explain, &command_history,
        &command_doctor, &command_set,     &command_unset,  &command_apply,   &command_reload,
        &command_try,    &command_confirm, &command_revert, &command_import,  &command_probe,
        &command_watch,  &command_bench,   &command_help,
};

#define N_COMMANDS (sizeof(commands) / sizeof(commands[0]))

static const struct command_option option_help = { "help", NULL, "show this and exit", 'h' };
static const struct command_option option_version = { "version", NULL, "show the version and exit", 'V' };

/* By its name or an alias. NULL: there is none. */
static const struct command *find_command(const char *word) {
        for (size_t i = 0; i < N_COMMANDS; i++) {
                const struct command *command = commands[i];

                if (strcmp(word, command->name) == 0 ||
                    (command->alias[0] && strcmp(word, command->alias[0]) == 0) ||
                    (command->alias[1] && strcmp(word, command->alias[1]) == 0))
                        return command;
        }
        return NULL;
}

/* Help ------------------------------------------------------------------------------------------------ */

/* Longer lines are hard to read. */
#define HELP_COLUMNS_MAX 100

static void print_paragraph(const char *text) {
        int columns = terminal_columns(STDOUT_FILENO);

        if (columns == 0)
                columns = 80;
        paragraph_print_within(text, 0, 0, columns < HELP_COLUMNS_MAX ? columns : HELP_COLUMNS_MAX);
}

/* Lists the options of a command, in its order, then those of all commands. `command` is NULL for setmtu
 * itself. Returns their number. */
static size_t list_options(const struct command *command,
                           const struct command_option *ret[static COMMAND_OPTIONS_MAX + 2]) {
        size_t n = 0;

        for (; command && n < COMMAND_OPTIONS_MAX && command->options[n].name; n++)
                ret[n] = &command->options[n];
        ret[n++] = &option_help;
        ret[n++] = &option_version;
        return n;
}

/* Prints the end of every help text. `command` is NULL for setmtu itself. */
static int print_rest(const struct command *command, const char *const *examples) {
        const struct command_option *options[COMMAND_OPTIONS_MAX + 2];
        size_t n_options = list_options(command, options);
        struct table table = { .n_columns = 2, .indent = 2 };

        for (size_t i = 0; i < n_options; i++) {
                const char letter[] = { '-', options[i]->letter, ',', ' ', '\0' };
                const char *argument = options[i]->argument;

                table_add(&table, TABLE_PLAIN, "%s--%s%s%s", options[i]->letter ? letter : "    ",
                          options[i]->name, argument ? " " : "", argument ? argument : "");
                table_add(&table, TABLE_PLAIN, "%s", options[i]->text);
        }
        if (!table_print(&table))
                return EXIT_CODE_FAILURE;
        if (!command) {
                putchar('\n');
                print_paragraph("Exit status: 0 done; 1 failure; 2 usage; 3 the configuration has an error; "
                                "4 status --check, doctor: the MTU of a device differs from the configured "
                                "one; 5 no line for the device; 6 no such device; 7 doctor: an MTU will not "
                                "last; 10 to 17 verdict of probe, watch or doctor; 20 to 23 nothing is "
                                "recorded, "
                                "see setmtu history --help.");
        }
        printf("\nExamples; see also setmtu%s%s(8):\n", command && command->has_page ? "-" : "",
               command && command->has_page ? command->name : "");
        for (int i = 0; i < COMMAND_EXAMPLES; i++)
                printf("  %s\n", examples[i]);
        return EXIT_CODE_DONE;
}

static int print_command_help(const struct command *command) {
        printf("Usage: setmtu %s%s%s\n\n", command->name, *command->arguments ? " " : "",
               command->arguments);
        print_paragraph(command->text);
        putchar('\n');
        return print_rest(command, command->examples);
}

static int print_help(void) {
        static const char *const examples[] = { "$ setmtu", "# setmtu set eth0 9000" };
        struct table table = { .n_columns = 2, .indent = 2 };

        puts("Usage: setmtu [COMMAND] [ARGUMENT...]\n");
        print_paragraph("Shows, checks, changes and tries MTUs of network devices. The configuration "
                        "is " CONFIG_FILE ". Without a command: status.");
        putchar('\n');
        for (size_t i = 0; i < N_COMMANDS; i++) {
                const char *arguments = commands[i]->arguments;

                table_add(&table, TABLE_PLAIN, "%s%s%s", commands[i]->name, *arguments ? " " : "",
                          arguments);
                table_add(&table, TABLE_PLAIN, "%s", commands[i]->summary);
        }
        if (!table_print(&table))
                return EXIT_CODE_FAILURE;
        putchar('\n');
        return print_rest(NULL, examples);
}

/* `meant`: a device with a similar name, or NULL. */
static int complain_of_command(const char *word, const char *meant) {
        return log_fail(EXIT_CODE_USAGE,
                        "\"%.64s\" is neither a command nor a network device; see setmtu --help%s%s%s", word,
                        meant ? "; did you mean " : "", meant ? meant : "", meant ? "?" : "");
}

static int run_help(const struct command_line *line) {
        const struct command *command;

        if (line->n_words == 0)
                return print_help();
        command = find_command(line->words[0]);
        return command ? print_command_help(command) : complain_of_command(line->words[0], NULL);
}

/* The command line ------------------------------------------------------------------------------------ */

/* What getopt_long() returns for option `i`: its letter or, if it has none, a code above all letters. */
static int code_of(const struct command_option *option, size_t i) {
        return option->letter ? option->letter : UCHAR_MAX + 1 + (int)i;
}

/* `code` is what getopt_long() returned for `word`. */
static int complain_of_option(const struct command *command, int code, const char *word) {
        bool is_letter = optopt > 0 && optopt <= UCHAR_MAX && strncmp(word, "--", 2) != 0;
        char letter[] = { '-', (char)optopt, '\0' };
        const char *what = code == ':'                ? "wants an argument"
                           : optopt > 0 && !is_letter ? "takes no argument"
                                                      : "is not an option of this command";

        return log_fail(EXIT_CODE_USAGE, "%s: \"%.64s\" %s; see setmtu %s --help%s", command->name,
                        is_letter ? letter : word, what, command->name,
                        is_letter ? " (a device's name that begins with \"-\" goes after --)" : "");
}

/* Runs a command. `is_named`: argv[0] is its name; otherwise --help shows setmtu's help. */
static int run_command(const struct command *command, bool is_named, int argc, char *argv[]) {
        const struct command_option *options[COMMAND_OPTIONS_MAX + 2];
        size_t n_options = list_options(command, options);
        struct option list[COMMAND_OPTIONS_MAX + 3] = { 0 };
        /* ":" reports a missing argument. "+" would stop at the first word; without it, options and words
         * may come in any order. */
        char letters[2 * COMMAND_OPTIONS_MAX + 6] = ":";
        struct command_line line = { .command = command };
        const char *fault = NULL;
        int code;

        for (size_t i = 0; i < n_options; i++) {
                list[i] = (struct option){
                        .name = options[i]->name,
                        .has_arg = options[i]->argument ? required_argument : no_argument,
                        .val = code_of(options[i], i),
                };
                if (options[i]->letter)
                        snprintf(letters + strlen(letters), 3, "%c%s", options[i]->letter,
                                 options[i]->argument ? ":" : "");
        }
        opterr = 0;
        while ((code = getopt_long(argc, argv, letters, list, NULL)) != -1) {
                const char *word = argv[optind - 1];
                size_t i = 0;

                while (i < n_options && code != code_of(options[i], i))
                        i++;
                if (i == n_options)
                        return complain_of_option(command, code, word);
                if (options[i] == &option_help)
                        return is_named ? print_command_help(command) : print_help();
                if (options[i] == &option_version) {
                        puts("setmtu " VERSION);
                        return EXIT_CODE_DONE;
                }
                line.options[i] = optarg ? optarg : "";
        }
        line.words = argv + optind;
        line.n_words = argc - optind;
        if (line.n_words < command->words_min)
                fault = "too few arguments";
        else if (command->words_max >= 0 && line.n_words > command->words_max)
                fault = "too many arguments";
        for (int i = 0; i < line.n_words && !fault; i++)
                if (!*line.words[i])
                        fault = "\"\" is no argument";
        if (fault)
                return log_fail(EXIT_CODE_USAGE, "%s: %s; usage: setmtu %s%s%s; see --help", command->name,
                                fault, command->name, *command->arguments ? " " : "", command->arguments);
        /* A change must not stop halfway because stdout or stderr is closed. */
        if (command->changes)
                signal(SIGPIPE, SIG_IGN);
        return command->run(&line);
}

/* The first word is a device or a mistake. */
static int run_without_command(int argc, char *argv[]) {
        CLEANUP(snapshot_cleanup) struct snapshot snapshot = { 0 };
        const char *word = argv[1], *mtu = argc > 2 ? argv[2] : "";
        char name[TEXT_SHELL_WORD_SIZE], number[TEXT_SHELL_WORD_SIZE];
        bool is_device;

        if (snapshot_take(&diagnostic_silent, &snapshot) < 0)
                return complain_of_command(word, NULL);
        is_device = link_table_by_name(&snapshot.links, word) || config_match(&snapshot.plan.config, word);
        if (strchr(word, '=') || (is_device && isdigit((unsigned char)*mtu)))
                return log_fail(EXIT_CODE_USAGE,
                                "%s is not a command; see setmtu --help; did you mean setmtu set %s%s%s?",
                                word, text_shell_word(name, word), *mtu ? " " : "",
                                *mtu ? text_shell_word(number, mtu) : "");
        if (is_device)
                return run_command(&command_status, false, argc, argv);
        return complain_of_command(word, link_table_alike(&snapshot.links, word));
}

static int dispatch(int argc, char *argv[]) {
        const struct command *command;

        if (argc <= 1 || argv[1][0] == '-')
                return run_command(&command_status, false, argc, argv);
        command = find_command(argv[1]);
        return command ? run_command(command, true, argc - 1, argv + 1) : run_without_command(argc, argv);
}

int main(int argc, char *argv[]) {
        /* If glibc (2.36) cannot allocate a buffer itself, it loses the first output. */
        static char buffer[BUFSIZ];
        int exit_code;

        log_open("setmtu");
        /* If the caller ignores it, waitpid(2) cannot tell how a child ended. */
        signal(SIGCHLD, SIG_DFL);
        (void)setvbuf(stdout, buffer, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF, sizeof(buffer));
        exit_code = dispatch(argc, argv);
        if (!standard_output_end() && exit_code == EXIT_CODE_DONE)
                exit_code = EXIT_CODE_FAILURE;
        return exit_code;
}
