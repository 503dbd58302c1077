/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* setmtu: the command for people. See setmtu(8). */

#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/exit_code.h"
#include "base/log.h"
#include "base/text.h"
#include "command/command.h"

static const struct command *const commands[] = {
        &command_status, &command_check,  &command_plan,   &command_explain, &command_set,
        &command_unset,  &command_apply,  &command_reload, &command_try,     &command_confirm,
        &command_revert, &command_import, &command_probe,  &command_bench,
};

#define N_COMMANDS (sizeof(commands) / sizeof(commands[0]))

static const struct command *find_command(const char *name) {
        for (size_t i = 0; i < N_COMMANDS; i++)
                if (strcmp(commands[i]->name, name) == 0)
                        return commands[i];
        return NULL;
}

static void print_help(void) {
        fputs("Usage: setmtu [COMMAND] [ARGUMENT...]\n"
              "\n"
              "Shows, checks, changes and tries the MTU of network devices. Without a command: status.\n"
              "\n",
              stdout);
        for (size_t i = 0; i < N_COMMANDS; i++) {
                const char *arguments = commands[i]->arguments;
                int used = printf("  %s%s%s", commands[i]->name, *arguments ? " " : "", arguments);

                printf("%*s  %s\n", used < 28 ? 28 - used : 0, "", commands[i]->summary);
        }
        fputs("\n"
              "      --help       show this, or after a command more of that, and exit\n"
              "      --version    show the version and exit\n"
              "\n"
              "Exit status: 0 done; 1 something could not be done; 2 usage; 3 the configuration has an "
              "error;\n"
              "4 status --check: a device has not what is wanted; 5 no line for the device; 6 no such "
              "device;\n"
              "10 to 16 what probe found out.\n"
              "The configuration is " CONFIG_FILE ". See setmtu(8), setmtu(5).\n",
              stdout);
}

static void print_option(const struct command_option *option) {
        int used = option->letter ? printf("  -%c, ", option->letter) : printf("      ");

        used += printf("--%s%s%s", option->name, option->argument ? " " : "",
                       option->argument ? option->argument : "");
        printf("%*s  %s\n", used < 24 ? 24 - used : 0, "", option->text);
}

static void print_command_help(const struct command *command) {
        printf("Usage: setmtu %s%s%s\n\n%s\n\n", command->name, *command->arguments ? " " : "",
               command->arguments, command->text);
        for (int i = 0; i < COMMAND_OPTIONS_MAX && command->options[i].name; i++)
                print_option(&command->options[i]);
        print_option(&(struct command_option){ .name = "help", .text = "show this and exit" });
        print_option(&(struct command_option){ .name = "version", .text = "show the version and exit" });
        fputs("\nSee setmtu(8).\n", stdout);
}

/* A code that getopt_long() gives for no option of its own. */
enum { OPTION_HELP = 256, OPTION_VERSION, OPTION_FIRST };

/* Fills `list`, which has room for all and an end. */
static void list_options(const struct command *command, struct option *list) {
        size_t n = 0;

        list[n++] = (struct option){ .name = "help", .val = OPTION_HELP };
        list[n++] = (struct option){ .name = "version", .val = OPTION_VERSION };
        for (int i = 0; i < COMMAND_OPTIONS_MAX && command->options[i].name; i++)
                list[n++] = (struct option){
                        .name = command->options[i].name,
                        .has_arg = command->options[i].argument ? required_argument : no_argument,
                        .val = OPTION_FIRST + i,
                };
        list[n] = (struct option){ 0 };
}

/* Fills `letters`, for getopt_long() too. */
static void list_letters(const struct command *command, char letters[static 2 * COMMAND_OPTIONS_MAX + 2]) {
        /* Says by ":" where an argument is missing. "+" would end at the first word; without it they may
         * stand in any order. */
        *letters++ = ':';
        for (int i = 0; i < COMMAND_OPTIONS_MAX && command->options[i].name; i++)
                if (command->options[i].letter) {
                        *letters++ = command->options[i].letter;
                        if (command->options[i].argument)
                                *letters++ = ':';
                }
        *letters = '\0';
}

/* Which of the command's options a code stands for. */
static int find_option(const struct command *command, int code) {
        if (code >= OPTION_FIRST)
                return code - OPTION_FIRST;
        for (int i = 0; i < COMMAND_OPTIONS_MAX && command->options[i].name; i++)
                if (command->options[i].letter == code)
                        return i;
        return -1;
}

/* `code` is what getopt_long() gave, and `word` what it was at. */
static int complain_of_option(const struct command *command, int code, const char *word) {
        char quoted[TEXT_QUOTE_SIZE], letter[] = { '-', (char)optopt, '\0' };
        const char *what = "is not an option of it";

        if (optopt > 0 && optopt < OPTION_HELP)
                word = letter;
        if (code == ':')
                what = "wants an argument";
        else if (optopt >= OPTION_HELP)
                what = "takes no argument";
        log_error("%s: %s %s; see setmtu %s --help (a device's name that begins with \"-\" goes after --)",
                  command->name, text_quote(quoted, word, strlen(word)), what, command->name);
        return EXIT_CODE_USAGE;
}

static int run_command(const struct command *command, int argc, char *argv[]) {
        struct option list[COMMAND_OPTIONS_MAX + 3];
        struct command_line line = { 0 };
        char letters[2 * COMMAND_OPTIONS_MAX + 2];
        int code;

        list_options(command, list);
        list_letters(command, letters);
        opterr = 0;
        while ((code = getopt_long(argc, argv, letters, list, NULL)) != -1) {
                if (code == OPTION_HELP) {
                        print_command_help(command);
                        return EXIT_CODE_DONE;
                }
                if (code == OPTION_VERSION) {
                        puts("setmtu " VERSION);
                        return EXIT_CODE_DONE;
                }
                if (find_option(command, code) < 0)
                        return complain_of_option(command, code, argv[optind - 1]);
                line.options[find_option(command, code)] = optarg ? optarg : "";
        }
        line.words = argv + optind;
        line.n_words = argc - optind;
        if (line.n_words < command->words_min ||
            (command->words_max >= 0 && line.n_words > command->words_max)) {
                log_error("%s: too %s arguments: it is setmtu %s%s%s; see --help", command->name,
                          line.n_words < command->words_min ? "few" : "many", command->name,
                          *command->arguments ? " " : "", command->arguments);
                return EXIT_CODE_USAGE;
        }
        /* Half a change because nobody reads what is said of it would be worse than silence. */
        if (command->changes)
                signal(SIGPIPE, SIG_IGN);
        return command->run(&line);
}

/* Runs what the command line says. */
static int run(int argc, char *argv[]) {
        const struct command *command;
        char quoted[TEXT_QUOTE_SIZE];

        if (argc > 1 && strcmp(argv[1], "--help") == 0) {
                print_help();
                return EXIT_CODE_DONE;
        }
        if (argc > 1 && strcmp(argv[1], "--version") == 0) {
                puts("setmtu " VERSION);
                return EXIT_CODE_DONE;
        }
        if (argc <= 1 || argv[1][0] == '-')
                return run_command(&command_status, argc, argv);
        command = find_command(argv[1]);
        if (!command) {
                log_error("%s is not a command; see setmtu --help",
                          text_quote(quoted, argv[1], strlen(argv[1])));
                return EXIT_CODE_USAGE;
        }
        return run_command(command, argc - 1, argv + 1);
}

int main(int argc, char *argv[]) {
        /* Where it has to allocate one and cannot, glibc loses what is printed first (2.36). */
        static char buffer[BUFSIZ];
        int exit_code;

        log_open("setmtu");
        (void)setvbuf(stdout, buffer, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF, sizeof(buffer));
        exit_code = run(argc, argv);
        if (fflush(stdout) != 0 || ferror(stdout)) {
                log_error("standard output: %s", strerror(errno));
                if (exit_code == EXIT_CODE_DONE)
                        exit_code = EXIT_CODE_FAILURE;
        }
        return exit_code;
}
