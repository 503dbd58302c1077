/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* setmtu import: prints as setmtu lines the MTUs that other programs set today. */

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/exit_code.h"
#include "base/log.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "change/snapshot.h"
#include "command/command.h"
#include "command/line_edit.h"
#include "sources/format/format.h"
#include "sources/import/import_selection.h"
#include "sources/scan/scan.h"
#include "store/change_lock.h"
#include "store/config_files.h"
#include "store/load_plan.h"

enum { OPTION_WRITE, OPTION_FORMAT };

struct import {
        struct mistakes mistakes;
        struct diagnostic_sink sink;
        struct mtu_sources sources;
        struct import_selection selection;
        struct config config;
        const struct source_format *format; /* of all named files; NULL: recognised per file */
        bool is_unread;                     /* a named file could not be read */
        char last[DIAGNOSTIC_TEXT_SIZE];    /* the last message */
};

/* What is read once more, in a loop, says the same once more. */
static void report_once(void *userdata, const struct diagnostic *diagnostic) {
        struct import *import = userdata;
        const struct diagnostic_sink sink = mistakes_sink(&import->mistakes);
        char text[DIAGNOSTIC_TEXT_SIZE];

        if (strcmp(diagnostic_format(text, diagnostic), import->last) == 0)
                return;
        strcpy(import->last, text);
        sink.report(sink.userdata, diagnostic);
}

static void import_cleanup(struct import *import) {
        import_selection_free(&import->selection);
        mtu_sources_free(&import->sources);
        config_free(&import->config);
}

/* Reads one named file. -ENOMEM is the only error. */
static int read_one(struct import *import, const char *file) {
        CLEANUP(cleanup_free) char *text = NULL;
        bool is_stdin = strcmp(file, "-") == 0;
        const struct source_format *format = import->format;
        size_t size;
        int r = is_stdin              ? whole_file_read_input(WHOLE_FILE_NAMED_MAX, &text, &size)
                : text_is_plain(file) ? whole_file_read_here(file, WHOLE_FILE_NAMED_MAX, &text, &size)
                                      : -EILSEQ;

        if (r == -ENOMEM)
                return r;
        file = is_stdin ? "standard input" : file;
        if (r < 0) {
                log_error("%s: %s", TEXT_SHOW(file),
                          r == -EILSEQ ? "the name has bytes that are not plain text"
                                       : whole_file_named_fault(r));
                import->is_unread = true;
                return 0;
        }
        if (!format)
                format = source_format_recognise(file, text, size);
        /* A text without the word says nothing in any format. */
        if (!format && !memchr(text, '\0', size) && !source_mentions_mtu(text, size))
                return 0;
        if (!format) {
                log_error("%s: neither its name nor what is in it tells its format; give --format NAME, "
                          "which is one of %s",
                          TEXT_SHOW(file), source_format_names(&import->sources.pool));
                import->is_unread = true;
                return 0;
        }
        return scan_named_file(format, file, text, size, &import->sink, &import->sources);
}

static int look(struct import *import, const struct command_line *line) {
        int r = line->n_words > 0 ? 0 : scan_machine(&import->sink, &import->sources);

        for (int i = 0; i < line->n_words && r == 0; i++)
                r = read_one(import, line->words[i]);
        if (r == 0) {
                const struct devices devices = devices_read(&import->sources, &import->sink);

                devices_settle(&devices, line->n_words == 0);
                r = import_selection_make(&devices, &import->selection);
        }
        if (r < 0 || import->sources.pool.failed)
                return -ENOMEM;
        return config_files_read(&import->config, &load_plan_unread);
}

/* Output: the lines, with comments on the origin of each and on what to remove there -------------------- */

/* Prints external text so that it stays in its comment: control characters and invalid UTF-8 as \xNN. */
static void print_text(const char *text, size_t size) {
        for (size_t i = 0, step; i < size; i += step) {
                bool is_plain;

                step = text_next(text + i, size - i, &is_plain);
                if (is_plain)
                        fwrite(text + i, 1, step, stdout);
                else {
                        printf("\\x%02x", (unsigned char)text[i]);
                        step = 1;
                }
        }
}

/* A printf(3) with only %s and %u; strings go through print_text(). */
__attribute__((format(printf, 1, 2))) static void print(const char *format, ...) {
        va_list arguments;

        va_start(arguments, format);
        for (; *format; format++)
                if (*format != '%')
                        putchar(*format);
                else if (*++format == 's') {
                        const char *text = va_arg(arguments, const char *);

                        print_text(text, strlen(text));
                } else
                        printf("%u", va_arg(arguments, unsigned));
        va_end(arguments);
}

/* Prints a quoted shell word. */
static void print_word(const char *word) {
        putchar('\'');
        for (size_t size; *word; word += size) {
                size = strcspn(word, "'");
                print_text(word, size);
                for (; word[size] == '\''; size++)
                        fputs("'\\''", stdout);
        }
        putchar('\'');
}

/* Begins a comment with the source's place, kind and owner. */
static void print_origin(const struct mtu_source *source) {
        print("# %s (%s%s%s)", TEXT_PLACE(source->file, source->line), source_kind_name(source->kind),
              source->owner ? " " : "", source->owner ? source->owner : "");
        if (source->through)
                print(", by %s", TEXT_PLACE(source->through, source->through_line));
}

static bool is_number(const char *value) {
        return *value && value[strspn(value, "0123456789")] == '\0';
}

static void print_notes(const struct mtu_source *source) {
        if (source->parent)
                print("#   it takes its MTU from %s, when it is made\n", source->parent);
        else if (source->value && !is_number(source->value))
                print("#   written there as %s\n", source->value);
        if (source->match == MATCH_MAC)
                print("#   there for the address %s\n", source->device);
        else if (source->match == MATCH_GLOB)
                print("#   there for all like %s\n", source->device);
        if (source->condition)
                print("#   there it depends on a condition: %s\n", source->condition);
        if (source->up)
                print("#   there the link is brought up as well: \"MTU up\" does that\n");
        if (source->kind == SOURCE_FREEBSD || source->kind == SOURCE_IRIX)
                print("#   the name is %s's; write that of the device here\n",
                      source->kind == SOURCE_IRIX ? "IRIX" : "FreeBSD");
}

static void print_beside(const struct import_device *device, const struct import_candidate *candidate) {
        const struct mtu_source *source = candidate->source;

        /* What a VLAN inherits, it has for a moment only. */
        if (candidate->fate == IMPORT_TAKEN || (candidate->fate == IMPORT_OVERRIDDEN && source->parent))
                return;
        print_origin(source);
        if (candidate->fate == IMPORT_SAME)
                print(" says the same\n");
        else if (candidate->fate == IMPORT_FOREIGN)
                print(" gives %u, which is left to it\n", source->mtu);
        else if (candidate->fate == IMPORT_INACTIVE && strcmp(source->file, CONFIG_FILE) == 0)
                /* A hand-written unit reads its values from setmtu's own file, for its instances only. */
                print(" is not in effect, and is with setmtu\n");
        else if (candidate->fate == IMPORT_INACTIVE)
                print(" is not in effect: %s\n#%s=%u\n", source->inactive, device->name, source->mtu);
        else
                print(" %s\n#%s=%u\n",
                      candidate->fate == IMPORT_OVERRIDDEN ? "says otherwise and is overridden:"
                                                           : "may say so, or not:",
                      device->name, source->mtu);
}

/* An existing line stays. */
static void print_standing(const struct import_device *device, const struct config_line *line) {
        bool is_same = line->spec.mtu == device->taken->mtu;
        char text[MTU_SPEC_TEXT_SIZE];

        print("# %s has ", CONFIG_LINE_PLACE(line));
        if (is_same)
                print("this line already\n");
        else
                print("another line for it, which stays: %s=%s\n", device->name,
                      mtu_spec_format(text, &line->spec));
        print("%s%s=%u\n", is_same ? "" : "#", device->name, device->taken->mtu);
}

static void print_device(const struct import_device *device, const struct config *config) {
        const struct config_line *line = config_find(config, device->name);

        print("\n");
        if (device->taken) {
                print_origin(device->taken);
                print("\n");
                print_notes(device->taken);
                if (line)
                        print_standing(device, line);
                else
                        print("%s=%u\n", device->name, device->taken->mtu);
        }
        for (size_t i = device->n_candidates; i > 0; i--)
                print_beside(device, &device->candidates[i - 1]);
}

/* How to remove the setting from its place, for which "%" stands. NULL: there is nothing to do, or no place:
 * a VLAN inherits its MTU from the device below. */
static const char *removal_text(const struct mtu_source *source) {
        static const char networkd[] =
                        "take MTUBytes= out of %; udevadm control --reload; networkctl reload";
        static const char *const texts[SOURCE_COUNT] = {
                [SOURCE_NETDEV] = networkd,
                [SOURCE_LINK] = networkd,
                [SOURCE_NETWORK] = networkd,
                [SOURCE_UDEV_RULE] = "take the MTU out of %; udevadm control --reload",
                [SOURCE_UNIT] = ("take the command out of %, or disable and remove the unit where it does "
                                 "nothing else"),
                [SOURCE_CLOUD_INIT] = "take mtu: out of %",
                [SOURCE_WIREGUARD] = "take it out of %; wg-quick then finds the MTU by itself",
                [SOURCE_NETPLAN] = "take mtu: out of %; netplan generate",
                [SOURCE_NETWORKMANAGER] = "take mtu= out of %; nmcli connection reload",
                [SOURCE_IFUPDOWN] = "take it out of %",
                [SOURCE_OPENRC] = "take it out of %",
                [SOURCE_SCRIPT] = "take it out of %",
                [SOURCE_IFUPDOWN2] = "take its mtu out of %",
                [SOURCE_IFCFG] = "take MTU= out of %",
                [SOURCE_NETCTL] = "take the command out of %",
                [SOURCE_NETCFG] = "take the command out of %",
                [SOURCE_DHCPCD] = "take interface-mtu out of %",
                [SOURCE_DHCLIENT] = "take interface-mtu out of %",
                [SOURCE_TUNED] = "take mtu= out of %; tuned-adm profile again",
        };

        /* Removing netplan's YAML setting also removes its generated file. */
        if (source->parent || source->inactive || source_is_generated(source))
                return NULL;
        if (!source->owner && source->kind == SOURCE_NETWORKMANAGER)
                return "take the mtu out of %; nmcli general reload conf";
        return texts[source->kind];
}

/* Where it is removed: what runs the script that sets the MTU, or the file itself. */
static struct removal_place {
        const char *file;
        unsigned line;
} removal_place(const struct mtu_source *source) {
        return source->through ? (struct removal_place){ source->through, source->through_line }
                               : (struct removal_place){ source->file, source->line };
}

#define HANDWRITTEN "/etc/systemd/system/setmtu@.service"

/* Whether this is the usual hand-written unit, whose path overrides setmtu's unit. */
static bool is_handwritten(const struct mtu_source *source) {
        return source->kind == SOURCE_UNIT && strcmp(removal_place(source).file, HANDWRITTEN) == 0;
}

static void print_removal(const struct mtu_source *source) {
        const char *text = removal_text(source);
        struct removal_place place = removal_place(source);

        print("# ");
        if (is_handwritten(source)) {
                print("systemctl disable ");
                print_word(source->owner);
                print("\n");
                return;
        }
        for (; *text; text++)
                if (*text == '%')
                        print("%s", TEXT_PLACE(place.file, place.line));
                else
                        putchar(*text);
        print("\n");
}

/* Whether the same removal was printed for an earlier source. */
static bool is_repeated(const struct import_selection *selection, size_t device, size_t index) {
        const struct mtu_source *source = selection->devices[device].candidates[index].source;
        struct removal_place place = removal_place(source);

        for (size_t i = 0; i <= device; i++)
                for (size_t j = 0; j < (i == device ? index : selection->devices[i].n_candidates); j++) {
                        const struct mtu_source *before = selection->devices[i].candidates[j].source;
                        struct removal_place other = removal_place(before);

                        if (removal_text(before) && before->kind == source->kind &&
                            other.line == place.line && strcmp(other.file, place.file) == 0 &&
                            (!is_handwritten(source) || strcmp(before->owner, source->owner) == 0))
                                return true;
                }
        return false;
}

#define REMOVAL_TITLE "\n# To remove in the old places, by hand; then: setmtu reload\n"

static void print_removals(const struct import_selection *selection) {
        bool is_first = true, has_handwritten = false;

        for (size_t i = 0; i < selection->n_devices; i++)
                for (size_t j = 0; j < selection->devices[i].n_candidates; j++) {
                        const struct mtu_source *source = selection->devices[i].candidates[j].source;

                        has_handwritten |= is_handwritten(source);
                        if (!removal_text(source) || is_repeated(selection, i, j))
                                continue;
                        if (is_first)
                                print(REMOVAL_TITLE);
                        is_first = false;
                        print_removal(source);
                }
        if (has_handwritten)
                printf("%s# rm " HANDWRITTEN "; systemctl daemon-reload\n", is_first ? REMOVAL_TITLE : "");
}

/* Prints what asks a DHCP server for an MTU, which comes later and may differ. True if there is any. */
static bool print_dhcp(const struct mtu_sources *sources, bool is_alone) {
        bool is_first = true;

        for (size_t i = 0; i < sources->n_items; i++) {
                const struct mtu_source *source = &sources->items[i];

                if (source->value || source->mtu > 0 || source->inactive)
                        continue;
                if (is_first)
                        print(is_alone ? "# A DHCP server may give an MTU later, because of\n"
                                       : "\n# A DHCP server may give an MTU later, because of\n");
                is_first = false;
                print_origin(source);
                print("\n");
        }
        return !is_first;
}

/* False if there is nothing to print. */
static bool print_selection(const struct import *import) {
        const struct import_selection *selection = &import->selection;

        if (selection->n_devices == 0)
                return print_dhcp(&import->sources, true);
        print("# For " CONFIG_FILE ", from what is there today.\n");
        for (size_t i = 0; i < selection->n_devices; i++)
                print_device(&selection->devices[i], &import->config);
        (void)print_dhcp(&import->sources, false);
        print_removals(selection);
        return true;
}

/* Selects the lines to write: devices that the current configuration does not name. */
static size_t select_lines(const struct import_selection *selection, const struct config *config,
                           struct config_line *lines) {
        size_t n = 0;

        for (size_t i = 0; i < selection->n_devices; i++) {
                const struct import_device *device = &selection->devices[i];

                if (!device->taken)
                        continue;
                if (config_find(config, device->name)) {
                        log_info("%s: has a line already, which stays", device->name);
                        continue;
                }
                snprintf(lines[n].name, sizeof(lines[n].name), "%s", device->name);
                lines[n++].spec.mtu = device->taken->mtu;
        }
        return n;
}

/* Writes the new lines, all or none. The lock keeps other commands off the file. Returns an exit code. */
static int write_lines(const struct import_selection *selection) {
        CLEANUP(cleanup_free) struct config_line *lines = calloc(selection->n_devices + 1, sizeof(*lines));
        CLEANUP(line_edit_cleanup) struct line_edit edit = { 0 };
        CLEANUP(command_lock_release) struct command_lock lock = { 0 };
        CLEANUP(config_free) struct config config = { 0 };
        int exit_code;
        size_t n;

        if (!command_lock_take(&lock))
                return EXIT_CODE_FAILURE;
        if (!lines || config_files_read(&config, &load_plan_unread) < 0)
                return log_fail(EXIT_CODE_FAILURE, LOG_OUT_OF_MEMORY);
        if (config.is_partial)
                return log_fail(EXIT_CODE_FAILURE, "not all of the configuration could be read, so its "
                                                   "lines are not known: nothing was written");
        n = select_lines(selection, &config, lines);
        if (n == 0) {
                log_info("there is nothing to write");
                return EXIT_CODE_DONE;
        }
        exit_code = line_edit_prepare_lines(lines, n, &edit);
        if (exit_code == EXIT_CODE_DONE)
                exit_code = line_edit_carry_out(&edit);
        if (exit_code == EXIT_CODE_DONE)
                log_info("%zu %s written; remove the settings named above from the old places, then: setmtu "
                         "reload",
                         n, n == 1 ? "line" : "lines");
        return exit_code;
}

static int run(const struct command_line *line) {
        CLEANUP(import_cleanup) struct import import = { 0 };
        const char *format_name = line->options[OPTION_FORMAT];
        int exit_code = EXIT_CODE_DONE, written;
        bool is_any;

        import.sink = (struct diagnostic_sink){ report_once, &import };
        if (format_name)
                import.format = source_format_find(format_name);
        if (format_name && !import.format)
                return log_fail(EXIT_CODE_USAGE, "import: --format: %s is not a format; the formats are %s",
                                TEXT_QUOTE(format_name), source_format_names(&import.sources.pool));
        if (format_name && line->n_words == 0)
                return log_fail(EXIT_CODE_USAGE, "import: --format is for a FILE; see --help");
        if (look(&import, line) < 0)
                return log_fail(EXIT_CODE_FAILURE, LOG_OUT_OF_MEMORY);
        is_any = print_selection(&import);
        (void)fflush(stdout);
        for (size_t i = 0; i < import.selection.n_refusals; i++) {
                const struct import_refusal *refusal = &import.selection.refusals[i];

                diagnostic_report(&import.sink, DIAGNOSTIC_WARNING, refusal->source->file,
                                  refusal->source->line, NULL, "%s", refusal->why);
        }
        if (import.is_unread || import.config.is_partial)
                exit_code = EXIT_CODE_FAILURE;
        else if (import.selection.n_refusals > 0 || import.mistakes.n_errors > 0)
                exit_code = EXIT_CODE_CONFIGURATION;
        if (!is_any && exit_code == EXIT_CODE_DONE)
                log_info("nothing that setmtu reads gives a device an MTU here");
        if (!line->options[OPTION_WRITE])
                return exit_code;
        if (import.is_unread || import.config.is_partial || import.mistakes.n_errors > 0)
                return log_fail(exit_code, "not everything could be read: nothing was written");
        written = write_lines(&import.selection);
        return written != EXIT_CODE_DONE ? written : exit_code;
}

const struct command command_import = {
        .name = "import",
        .arguments = "[FILE...]",
        .summary = "print lines for what other programs set today",
        .text = "Finds what gives devices an MTU on this machine today (hand-written units, network "
                "managers, scripts; setmtu(8) has the list), or in the given files, with - for standard "
                "input. Prints lines for " CONFIG_FILE
                " that do the same, with comments on where each was found, and what to remove there. "
                "Removes nothing itself.",
        .examples = { "# setmtu import", "# setmtu import --write" },
        .options = { [OPTION_WRITE] = { "write", NULL, "also add the lines to " CONFIG_FILE },
                     [OPTION_FORMAT] = { "format", "NAME", "take each FILE for that format" } },
        .changes = true,
        .words_max = -1,
        .run = run,
};
