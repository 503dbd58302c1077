/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* setmtu import: prints lines for the MTUs that the files of other programs mention. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/exit_code.h"
#include "base/log.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "change/snapshot.h"
#include "command/change_log.h"
#include "command/command.h"
#include "command/facts_output.h"
#include "command/line_edit.h"
#include "command/prepare.h"
#include "store/change_lock.h"
#include "store/load_plan.h"

enum { OPTION_WRITE, OPTION_JSON };

/* The unit that people write by hand: in this place it hides setmtu's own. */
#define HANDWRITTEN "/etc/systemd/system/setmtu@.service"

/* A device that exists, or one that only mentions name, or a pattern of names. */
struct device {
        const char *name;
        const struct link *link; /* NULL: absent */
        uint32_t mtu;            /* for its line; 0: none */
};

struct import {
        struct snapshot snapshot; /* without devices where the files are not this machine's */
        struct mentions mentions; /* whose pool has the devices */
        struct device *devices;   /* those of the machine, then each that a mention names */
        size_t n_devices;
        bool is_machine; /* the files are this machine's */
        bool is_unread;  /* a named file could not be read */
};

static void import_cleanup(struct import *import) {
        mentions_free(&import->mentions);
        snapshot_cleanup(&import->snapshot);
}

/* Reading ----------------------------------------------------------------------------------------------- */

static void read_named(struct import *import, const char *file) {
        CLEANUP(cleanup_free) char *text = NULL;
        enum mention_syntax syntax;
        size_t size;
        int r = text_is_plain(file) ? whole_file_read_named(file, &text, &size) : -EILSEQ;

        file = strcmp(file, "-") == 0 ? "standard input" : file;
        if (r == 0 && mentions_recognize(file, text, &syntax)) {
                mentions_read(NULL, file, syntax, text, &import->mentions);
                return;
        }
        log_error("%s: %s", file,
                  r == 0         ? "unknown format; those that are read are in setmtu-import(8)"
                  : r == -EILSEQ ? "the name has bytes that are not plain text"
                                 : whole_file_fault(r));
        import->is_unread = true;
}

/* Choosing ---------------------------------------------------------------------------------------------- */

/* Whether programs make and remove such devices: a pattern that matches them means others. */
static bool is_made_by_program(const struct link *link) {
        return link->kind[0] ? !text_is_among(link->kind, "bond team vlan") : strcmp(link->name, "lo") == 0;
}

static bool is_of_device(const struct import *import, const struct mention *mention,
                         const struct device *device) {
        if (!mention->device)
                return false;
        if (mention->is_pattern && device->link)
                return !is_made_by_program(device->link) && mention_is_of(mention, device->name);
        return device->link ? link_table_by_name(&import->snapshot.links, mention->device) == device->link
                            : strcmp(mention->device, device->name) == 0;
}

/* What a DHCP server gave is no setting. */
static bool is_setting(const struct mention *mention) {
        return mention->mtu > 0 && !(mention->place && mention->place->is_lease);
}

static bool fits_line(const char *name, uint32_t mtu) {
        CLEANUP(config_free) struct config config = { 0 };
        char text[64];

        snprintf(text, sizeof(text), "%s=%u\n", name, mtu);
        return strlen(name) < INTERFACE_NAME_SIZE &&
               config_parse_file(&config, "", text, strlen(text), &diagnostic_silent) == 0 &&
               config_find(&config, name) && config.n_lines == 1;
}

/* The MTU for the device's line: the present one if a setting has that, or the only one of an absent device.
 * 0: there is no line for it. */
static uint32_t choose_mtu(const struct import *import, const struct device *device) {
        uint32_t mtu = device->link ? device->link->mtu : 0;
        bool is_found = false;

        for (size_t i = 0; i < import->mentions.n_items; i++) {
                const struct mention *mention = &import->mentions.items[i];

                if (!is_setting(mention) || !is_of_device(import, mention, device) ||
                    (!device->link && mention->place && !mention->is_active))
                        continue;
                if (!device->link && mtu > 0 && mtu != mention->mtu)
                        return 0;
                if (!device->link)
                        mtu = mention->mtu;
                is_found |= mtu == mention->mtu;
        }
        return is_found && fits_line(device->name, mtu) ? mtu : 0;
}

static void add_device(struct import *import, const char *name, const struct link *link) {
        struct device *device = pool_add(&import->mentions.pool, &import->devices, &import->n_devices,
                                         sizeof(*device));

        if (!device)
                return;
        *device = (struct device){ name, link, 0 };
        device->mtu = choose_mtu(import, device);
}

static bool is_of_any(const struct import *import, const struct mention *mention) {
        for (size_t i = 0; i < import->n_devices; i++)
                if (is_of_device(import, mention, &import->devices[i]))
                        return true;
        return false;
}

/* Looks at the devices of the machine, unless there is another root, such as an image. Returns an exit code.
 */
static int find_devices(struct import *import) {
        const struct link_table *links = &import->snapshot.links;

        if (!prepare_check((import->is_machine ? snapshot_take : snapshot_open)(&load_plan_unread,
                                                                                &import->snapshot)))
                return EXIT_CODE_FAILURE;
        for (size_t i = 0; links->links && i < links->n_links; i++)
                add_device(import, links->links[i].name, &links->links[i]);
        for (size_t i = 0; i < import->mentions.n_items; i++) {
                const struct mention *mention = &import->mentions.items[i];

                /* A line for all devices is more than a file of one program means. */
                if (mention->device && strcmp(mention->device, "*") != 0 && !is_of_any(import, mention))
                        add_device(import, mention->device, NULL);
        }
        return import->mentions.pool.failed ? log_fail(EXIT_CODE_FAILURE, LOG_OUT_OF_MEMORY)
                                            : EXIT_CODE_DONE;
}

/* Printing ---------------------------------------------------------------------------------------------- */

/* Prints a comment. Text from outside cannot end it; what is long is cut. */
__attribute__((format(printf, 1, 2))) static void print_comment(const char *format, ...) {
        char text[1024], escaped[1024];

        TEXT_FORMAT(text, sizeof(text), format);
        printf("#%s\n", text_for_terminal(escaped, sizeof(escaped), text));
}

/* `device`: which it is printed for. */
static void print_mention(const struct mention *mention, const struct device *device) {
        char place[TEXT_PLACE_SIZE];

        text_place(place, mention->file, mention->line);
        if (mention->place)
                print_comment(" %s (%s%s): %s", place, mention->place->program,
                              mention->is_active ? "" : ", not enabled", mention->text);
        else
                print_comment(" %s: %s", place, mention->text);
        if (mention->is_pattern && device->link)
                print_comment("   it matches all devices named %s", mention->device);
        if (strcmp(mention->file, HANDWRITTEN) == 0)
                print_comment("   it replaces setmtu's unit: rm " HANDWRITTEN "; systemctl daemon-reload");
}

/* Prints those with the device's MTU, or those with another one and a comment with both. */
static void print_mentions(const struct import *import, const struct device *device, bool has_mtu) {
        char now[INTERFACE_NAME_SIZE + 32] = "";

        for (size_t i = 0; i < import->mentions.n_items; i++) {
                const struct mention *mention = &import->mentions.items[i];

                if (!is_of_device(import, mention, device) ||
                    (is_setting(mention) && mention->mtu == device->mtu) != has_mtu)
                        continue;
                print_mention(mention, device);
                if (has_mtu || mention->mtu == 0)
                        continue;
                if (device->link)
                        snprintf(now, sizeof(now), ", and %s has %u", device->name, device->link->mtu);
                print_comment("   %u there%s%s:", mention->mtu, is_setting(mention) ? "" : ", from DHCP",
                              now);
                print_comment("%s=%u", device->name, mention->mtu);
        }
}

static void print_device(const struct import *import, const struct device *device) {
        const struct config_line *line =
                        device_statuses_line(&import->snapshot.statuses, &import->snapshot.plan.config,
                                             device->link, device->name);
        bool is_any = false;
        char text[MTU_SPEC_TEXT_SIZE];

        for (size_t i = 0; i < import->mentions.n_items; i++)
                is_any |= is_of_device(import, &import->mentions.items[i], device);
        if (!is_any)
                return;
        printf("\n");
        if (device->mtu > 0) {
                print_comment(" To remove there, once setmtu sets the MTU:");
                print_mentions(import, device, true);
        }
        if (line)
                print_comment(" %s already has a line: %s=\"%s\"", CONFIG_LINE_PLACE(line), line->name,
                              mtu_spec_format(text, &line->spec));
        else if (device->mtu > 0)
                printf("%s=%u\n", device->name, device->mtu);
        print_mentions(import, device, false);
}

static void print_rest(const struct import *import) {
        bool is_first = true;

        for (size_t i = 0; i < import->mentions.n_items; i++) {
                if (is_of_any(import, &import->mentions.items[i]))
                        continue;
                if (is_first)
                        printf("\n# For devices that setmtu does not know:\n");
                is_first = false;
                print_mention(&import->mentions.items[i], &(struct device){ NULL, NULL });
        }
}

static bool print_mentions_json(const struct import *import) {
        json_t *array = json_array();

        for (size_t i = 0; i < import->mentions.n_items; i++)
                array = json_append(array,
                                    mention_json(&import->mentions.items[i], &import->snapshot.links));
        return json_print(array);
}

static void print_lines(const struct import *import) {
        printf("# For " CONFIG_FILE ", by the files of other programs%s.\n",
               import->is_machine ? " and the devices of today" : "");
        for (size_t i = 0; i < import->n_devices; i++)
                print_device(import, &import->devices[i]);
        print_rest(import);
}

/* Writing ----------------------------------------------------------------------------------------------- */

/* The lines of devices that have none. Returns how many there are. */
static size_t select_lines(const struct import *import, struct line_change *lines) {
        size_t n = 0;

        for (size_t i = 0; i < import->n_devices; i++) {
                const struct device *device = &import->devices[i];

                if (device->mtu == 0)
                        continue;
                if (device_statuses_line(&import->snapshot.statuses, &import->snapshot.plan.config,
                                         device->link, device->name)) {
                        log_info("%s: already has a line, which is not changed", device->name);
                        continue;
                }
                lines[n++] = (struct line_change){ .name = device->name, .spec.mtu = device->mtu };
        }
        return n;
}

/* Writes the new lines, all or none. Returns an exit code. */
static int write_lines(const struct import *import) {
        CLEANUP(cleanup_free) struct line_change *lines = calloc(import->n_devices + 1, sizeof(*lines));
        CLEANUP(line_edit_cleanup) struct line_edit edit = { 0 };
        size_t n = lines ? select_lines(import, lines) : 0;
        int exit_code;

        if (!lines)
                return log_fail(EXIT_CODE_FAILURE, LOG_OUT_OF_MEMORY);
        if (n == 0) {
                log_info("there is nothing to write");
                return EXIT_CODE_DONE;
        }
        exit_code = line_edit_prepare_changes(lines, n, &edit);
        if (exit_code == EXIT_CODE_DONE)
                exit_code = line_edit_write(&edit);
        if (exit_code == EXIT_CODE_DONE)
                log_info("%zu %s written; remove the settings named above from the old places, then: setmtu "
                         "reload",
                         n, n == 1 ? "line" : "lines");
        return exit_code;
}

static int run_import(const struct command_line *line) {
        CLEANUP(import_cleanup) struct import import = { 0 };
        CLEANUP(command_lock_release) struct command_lock lock = { 0 };
        bool is_json = line->options[OPTION_JSON];
        int exit_code;

        import.is_machine = line->n_words == 0 && whole_file_exists("/sys/class/net") > 0;
        if (line->n_words == 0)
                mentions_scan(&import.mentions);
        for (int i = 0; i < line->n_words; i++)
                read_named(&import, line->words[i]);
        /* The configuration stays as it is read until it is written. */
        if (line->options[OPTION_WRITE] && !change_log_lock(&lock))
                return EXIT_CODE_FAILURE;
        exit_code = find_devices(&import);
        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        if (import.is_unread || import.snapshot.plan.config.is_partial)
                exit_code = EXIT_CODE_FAILURE;
        if (!is_json)
                print_lines(&import);
        else if (!print_mentions_json(&import))
                return EXIT_CODE_FAILURE;
        (void)fflush(stdout);
        mentions_warn_unread(&import.mentions);
        if (import.mentions.n_items == 0 && !is_json && exit_code == EXIT_CODE_DONE)
                log_info("no file that setmtu reads names an MTU here");
        if (!line->options[OPTION_WRITE])
                return exit_code;
        if (exit_code != EXIT_CODE_DONE)
                return log_fail(exit_code, "not everything could be read: nothing was written");
        return write_lines(&import);
}

const struct command command_import = {
        .name = "import",
        .arguments = "[FILE...]",
        .summary = "print lines for MTUs in files of other programs",
        .text = "Reads the files in which other programs have MTUs (setmtu-import(8) lists them), or the "
                "given files, with - for standard input. Prints a line for " CONFIG_FILE
                " for each device that has the MTU of such a setting now, below the settings to remove, and "
                "everything else as comments. Changes no other file.",
        .examples = { "# setmtu import", "# setmtu import --write" },
        .options = { [OPTION_WRITE] = { "write", NULL, "also add the lines to " CONFIG_FILE },
                     [OPTION_JSON] = COMMAND_JSON("array") },
        .changes = true,
        .has_page = true,
        .words_max = -1,
        .run = run_import,
};
