/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* setmtu import: what other programs give the devices today, as lines of our own. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/exit_code.h"
#include "base/log.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "change/command_lock.h"
#include "change/snapshot.h"
#include "command/command.h"
#include "command/import_text.h"
#include "command/line_edit.h"
#include "sources/choice.h"
#include "sources/format.h"
#include "sources/survey.h"
#include "store/config_files.h"
#include "store/load_plan.h"

enum { IMPORT_WRITE, IMPORT_FORMAT };

#define FILE_MAX (1024 * 1024)
#define STANDARD_INPUT "standard input"

/* All that one run of it holds. */
struct import {
        struct mistakes mistakes;
        struct diagnostic_sink sink;
        struct findings findings;
        struct devices devices;
        struct choices choices;
        struct config config;
        bool is_unread; /* a file that was named could not be read */
};

static void import_cleanup(struct import *import) {
        choices_free(&import->choices);
        devices_free(&import->devices);
        findings_free(&import->findings);
        config_free(&import->config);
}

static int read_standard_input(char **ret_text, size_t *ret_size) {
        CLEANUP(cleanup_free) char *text = malloc(FILE_MAX + 2);
        size_t size;

        if (!text)
                return -ENOMEM;
        size = fread(text, 1, FILE_MAX + 1, stdin);
        if (ferror(stdin))
                return -EIO;
        if (size > FILE_MAX)
                return -EFBIG;
        text[size] = '\0';
        *ret_text = text;
        *ret_size = size;
        text = NULL;
        return 0;
}

/* NULL where none is found: that is said. */
static const struct source_format *find_format(const char *name, const char *file, const char *text,
                                               size_t size) {
        const struct source_format *format =
                        name ? source_format_find(name) : source_format_recognise(file, text, size);
        char names[SOURCE_FORMAT_NAMES_SIZE], shown[TEXT_QUOTE_SIZE];

        if (!format)
                log_error("%s: neither its name nor what is in it tells its format; give --format "
                          "NAME, which is one of %s",
                          text_show(shown, file), source_format_names(names));
        return format;
}

/* Whether the name can stand in messages and comments as it is. */
static bool is_plain(const char *name) {
        for (const char *c = name; *c; c++)
                if ((unsigned char)*c < 0x20 || *c == 0x7f ||
                    ((unsigned char)c[0] == 0xc2 && (unsigned char)c[1] >= 0x80 &&
                     (unsigned char)c[1] < 0xa0))
                        return false;
        return text_is_utf8(name, strlen(name));
}

/* One file that was named. -ENOMEM is the only error. */
static int read_one(struct import *import, const char *file, const char *format_name) {
        CLEANUP(findings_free) struct findings findings = { 0 };
        CLEANUP(cleanup_free) char *text = NULL;
        bool is_stdin = strcmp(file, "-") == 0;
        const struct source_format *format;
        char shown[TEXT_QUOTE_SIZE];
        size_t size;
        int r = is_stdin         ? read_standard_input(&text, &size)
                : is_plain(file) ? whole_file_read_here(file, FILE_MAX, &text, &size)
                                 : -EILSEQ;

        if (r == -ENOMEM)
                return r;
        file = is_stdin ? STANDARD_INPUT : file;
        if (r < 0) {
                log_error("%s: %s", text_show(shown, file),
                          r == -EINVAL   ? "not a regular file"
                          : r == -EFBIG  ? "larger than 1 MiB, which no configuration of a network is"
                          : r == -EILSEQ ? "the name has bytes in it that are no plain text"
                                         : strerror(-r));
                import->is_unread = true;
                return 0;
        }
        format = find_format(format_name, file, text, size);
        if (!format) {
                import->is_unread = true;
                return 0;
        }
        r = findings_survey_text(format, file, text, size, &import->sink, &findings);
        return r == 0 ? findings_move(&import->findings, &findings) : r;
}

static int look(struct import *import, const struct command_line *line) {
        int r = line->n_words > 0 ? 0 : findings_survey(&import->sink, &import->findings);

        for (int i = 0; i < line->n_words && r == 0; i++)
                r = read_one(import, line->words[i], line->options[IMPORT_FORMAT]);
        if (r == 0)
                r = devices_read(&import->devices);
        if (r == 0)
                r = choices_make(&import->findings, &import->devices, &import->choices);
        return r == 0 ? config_files_read(&import->config, &load_plan_silent) : r;
}

static void report_refusals(const struct import *import) {
        for (size_t i = 0; i < import->choices.n_refusals; i++) {
                const struct choice_refusal *refusal = &import->choices.refusals[i];

                diagnostic_report(&import->sink, DIAGNOSTIC_WARNING, refusal->finding->file,
                                  refusal->finding->line, NULL, "%s", refusal->why);
        }
}

/* The lines that are to be written, beside what the configuration says by now. */
static size_t select_lines(const struct choices *choices, const struct config *config,
                           struct config_line *lines) {
        size_t n = 0;

        for (size_t i = 0; i < choices->n_items; i++) {
                const struct choice *choice = &choices->items[i];

                if (import_text_is_new(choice, config)) {
                        snprintf(lines[n].name, sizeof(lines[n].name), "%s", choice->device);
                        lines[n++].spec.mtu = choice->taken->mtu;
                } else if (choice->taken)
                        log_info("%s: has a line already, which stays", choice->device);
        }
        return n;
}

/* Writes the new lines, all or none. Nobody else changes the file meanwhile. Returns an exit code. */
static int write_lines(const struct choices *choices) {
        CLEANUP(cleanup_free) struct config_line *lines = calloc(choices->n_items + 1, sizeof(*lines));
        CLEANUP(line_edit_cleanup) struct line_edit edit = { 0 };
        CLEANUP(command_lock_release) struct command_lock lock = { 0 };
        CLEANUP(config_free) struct config config;
        int exit_code;
        size_t n;

        config_init(&config);
        if (!command_lock_take(&lock))
                return EXIT_CODE_FAILURE;
        if (!lines || config_files_read(&config, &load_plan_silent) < 0) {
                log_out_of_memory();
                return EXIT_CODE_FAILURE;
        }
        n = select_lines(choices, &config, lines);
        if (n == 0) {
                log_info("there is nothing to write");
                return EXIT_CODE_DONE;
        }
        exit_code = line_edit_prepare_lines(lines, n, &edit);
        if (exit_code == EXIT_CODE_DONE)
                exit_code = line_edit_carry_out(&edit);
        if (exit_code == EXIT_CODE_DONE)
                log_info("%zu %s written; remove what is said above from the old places, then: setmtu "
                         "reload",
                         n, n == 1 ? "line" : "lines");
        return exit_code;
}

static int run(const struct command_line *line) {
        CLEANUP(import_cleanup) struct import import = { 0 };
        int exit_code = EXIT_CODE_DONE, written;
        bool is_complete;

        import.sink = mistakes_sink(&import.mistakes);
        config_init(&import.config);
        if (line->options[IMPORT_FORMAT] && !source_format_find(line->options[IMPORT_FORMAT])) {
                char names[SOURCE_FORMAT_NAMES_SIZE], quoted[TEXT_QUOTE_SIZE];

                log_error("import: --format: %s is none; there are %s",
                          text_quote(quoted, line->options[IMPORT_FORMAT],
                                     strlen(line->options[IMPORT_FORMAT])),
                          source_format_names(names));
                return EXIT_CODE_USAGE;
        }
        if (line->options[IMPORT_FORMAT] && line->n_words == 0) {
                log_error("import: --format is for a FILE; see --help");
                return EXIT_CODE_USAGE;
        }
        if (look(&import, line) < 0) {
                log_out_of_memory();
                return EXIT_CODE_FAILURE;
        }
        import_text_print(stdout, &import.findings, &import.choices, &import.config);
        fflush(stdout);
        report_refusals(&import);
        is_complete = import.choices.n_refusals == 0 && import.mistakes.n_errors == 0;
        if (import.is_unread)
                exit_code = EXIT_CODE_FAILURE;
        else if (!is_complete)
                exit_code = EXIT_CODE_CONFIGURATION;
        if (import.choices.n_items == 0 && exit_code == EXIT_CODE_DONE)
                log_info("nothing gives a device an MTU here");
        if (!line->options[IMPORT_WRITE])
                return exit_code;
        if (import.is_unread || import.mistakes.n_errors > 0) {
                log_error("not everything could be read: nothing was written");
                return exit_code;
        }
        written = write_lines(&import.choices);
        return written != EXIT_CODE_DONE ? written : exit_code;
}

const struct command command_import = {
        .name = "import",
        .arguments = "[FILE...]",
        .summary = "lines for what other programs set today",
        .text = "Reads what gives devices an MTU on this machine today (hand-written units, network\n"
                "managers, scripts; setmtu(8) has the list), or the files named, with - for standard\n"
                "input, and prints the lines that do the same for /etc/conf.d/setmtu, with a comment\n"
                "where each is from, and what to remove there. Removes nothing.",
        .options = { [IMPORT_WRITE] = { "write", NULL, "add the lines to /etc/conf.d/setmtu, too" },
                     [IMPORT_FORMAT] = { "format", "NAME", "take each FILE for that format" } },
        .changes = true,
        .words_max = -1,
        .run = run,
};
