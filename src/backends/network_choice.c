/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "backends/network_choice.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

void network_choice_free(struct network_choice *choice) {
        pool_free(&choice->pool);
        *choice = (struct network_choice){ 0 };
}

/* Whether the kernel numbers devices with such names, so that a device may have the name only until udev
 * renames it. Virtual devices keep their names. */
static bool is_counted_name(const struct config_line *line) {
        static const char *const prefixes[] = { "eth", "wlan", "wwan", "usb", "ib", "can", "rmnet", "wpan" };
        char name[INTERFACE_NAME_SIZE];

        for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
                const char *number = text_after(line->name, prefixes[i]);

                if (number && *number && number[strspn(number, "0123456789")] == '\0')
                        return true;
                for (unsigned j = 0; line->is_pattern && j < 1000; j++) {
                        snprintf(name, sizeof(name), "%s%u", prefixes[i], j);
                        if (fnmatch(line->name, name, 0) == 0)
                                return true;
                }
        }
        return false;
}

/* Whether a list of names in a .link file can contain the name (ifname_valid_full() in systemd's
 * src/basic/socket-util.c), and would not read it as a pattern. systemd leaves out a name that cannot: the
 * list would be empty, and the file match other devices. */
static bool is_literal(const char *name) {
        for (const char *c = name; *c; c++)
                if ((unsigned char)*c >= 0x7f || strchr("*?[]\\\"'!%", *c))
                        return false;
        return name[strspn(name, "0123456789")] && !text_is_among(name, "all default");
}

static void add_copy(struct network_choice *choice, const struct device_plan *device,
                     const struct network_file *file) {
        bool is_pattern = device->line->is_pattern;
        struct link_copy *copy = pool_add(&choice->pool, &choice->copies, &choice->n_copies, sizeof(*copy));

        if (!copy)
                return;
        copy->path = pool_print(&choice->pool, NETWORK_FILE_DIRECTORY "/" LINK_PREFIX "%u%s%s%s%s",
                                device->line->spec.mtu, is_pattern ? ":" : "",
                                is_pattern ? device->instance : "", file ? "-" : "",
                                file ? file->name : NETWORK_FILE_LINK);
        copy->device = device;
        copy->file = file;
}

static int choose_link(const struct device_plan *device, const struct network_surroundings *surroundings,
                       const struct diagnostic_sink *sink, struct network_choice *choice) {
        const struct config_line *line = device->line;
        bool is_caught = false;

        if (!line->is_pattern && !is_literal(line->name)) {
                plan_report(sink, DIAGNOSTIC_ERROR, line,
                            "a .link file cannot name this device: its name has a character that is special "
                            "there or not in ASCII, or only digits, or is all or default; use backend=unit");
                return 0;
        }
        if (is_counted_name(line)) {
                plan_report(sink, DIAGNOSTIC_ERROR, line,
                            "a .link file would also match a device that has such a name only until udev "
                            "renames it; use backend=auto");
                return 0;
        }
        for (size_t i = 0; i < surroundings->links.n_items && !is_caught; i++) {
                const struct network_file *file = &surroundings->links.items[i];

                if (!network_file_has_match(file, "") ||
                    !network_file_match_name(file, "OriginalName", line->name))
                        continue;
                if (strcmp(file->name, LINK_PREFIX) < 0) {
                        if (network_file_get(file, "Match", "OriginalName"))
                                plan_report(sink, DIAGNOSTIC_WARNING, line,
                                            "%s sorts before setmtu's .link files and wins where it "
                                            "matches; rename it to 10-NAME.link, or set its MTUBytes=",
                                            file->path);
                        continue;
                }
                add_copy(choice, device, file);
                is_caught = !network_file_has_match(file, "OriginalName");
        }
        if (!is_caught)
                add_copy(choice, device, NULL);
        return choice->pool.failed ? -ENOMEM : 0;
}

/* The .network file that applies to the device, judged by the name alone; NULL: none. */
static const struct network_file *network_in_effect(const struct network_files *networks, const char *name) {
        for (size_t i = 0; i < networks->n_items; i++)
                if (network_file_has_match(&networks->items[i], "") &&
                    network_file_match_name(&networks->items[i], "Name", name))
                        return &networks->items[i];
        return NULL;
}

/* Whether a .network file for the devices of a pattern is also for those of other lines. */
static bool is_overridden(const struct network_surroundings *surroundings, const struct config_line *line) {
        return line->is_pattern && config_next_override(surroundings->config, line, &(size_t){ 0 });
}

int network_choice_make(const struct device_plan *device, const struct network_surroundings *surroundings,
                        const struct diagnostic_sink *sink, struct network_choice *choice) {
        const struct config_line *line = device->line;
        const struct network_file *file;
        bool is_unmanaged, is_own;

        choice->network = NULL;
        if (device->backend == BACKEND_LINK)
                return choose_link(device, surroundings, sink, choice);
        if (device->backend == BACKEND_AUTO) {
                /* The unit sets the MTU. If the file does not apply after all, for example because netplan
                 * also matches the MAC address, the drop-in does not either. */
                if (!is_overridden(surroundings, line))
                        choice->network = network_files_find_own(&surroundings->networks, line->name);
                return 0;
        }

        file = network_in_effect(&surroundings->networks, line->name);
        is_unmanaged = file && network_file_is_unmanaged(file);
        is_own = file && network_file_names_only(file, "Name", line->name) && !is_unmanaged &&
                 !is_overridden(surroundings, line);
        if (device->backend == BACKEND_NETWORKD && (!is_own || network_file_has_match(file, "Name")))
                return choose_link(device, surroundings, sink, choice);

        if (is_own)
                choice->network = file;
        else if (!file)
                plan_report(sink, DIAGNOSTIC_ERROR, line,
                            "no .network file applies to it; use backend=link");
        else if (is_unmanaged)
                plan_report(sink, DIAGNOSTIC_ERROR, line, "%s leaves it unmanaged; use backend=link",
                            file->path);
        else
                plan_report(sink, DIAGNOSTIC_ERROR, line,
                            "%s is not for this device alone, and would set the MTU of others too; use "
                            "backend=link",
                            file->path);
        return 0;
}

/* Writes all settings of the file and its drop-ins but OriginalName=, in systemd's reading order. */
static void write_settings(const struct network_file *file, FILE *stream) {
        const char *header = NULL;

        for (size_t i = 0; i < file->n_settings; i++) {
                const struct network_setting *setting = &file->settings[i];

                /* In other sections it has no meaning. */
                if (strcmp(setting->key, "OriginalName") == 0)
                        continue;
                if (setting->header != header)
                        fprintf(stream, "\n[%s]\n", setting->header);
                header = setting->header;
                /* A backslash at the end of a line would join the next line; before a space it does not. */
                fprintf(stream, "%s=%s%s\n", setting->key, setting->value,
                        text_ends_in(setting->value, "\\") ? " " : "");
        }
}

/* The devices with lines of their own. */
static void write_overrides(const struct config *config, const struct config_line *pattern, FILE *stream) {
        const struct config_line *line;
        size_t index = 0;

        while ((line = config_next_override(config, pattern, &index)))
                if (line->is_pattern || is_literal(line->name))
                        fprintf(stream, NAMES_KEY "!%s", line->name);
}

void link_copies_write(const struct config *config, const struct link_copy *copies, size_t n, FILE *stream) {
        const struct network_file *file = copies->file;
        if (file) {
                fprintf(stream, "# As %s with an MTU.\n", file->path);
                write_settings(file, stream);
        } else
                fputs("# No other .link file applies.\n", stream);

        fputs("\n[Match]", stream);
        /* Several assignments make one list. */
        for (size_t i = 0; i < n; i++)
                fprintf(stream, NAMES_KEY "%s", copies[i].device->line->name);
        if (copies->device->line->is_pattern)
                write_overrides(config, copies->device->line, stream);
        fprintf(stream, "\n\n[Link]" MTU_KEY "%u\n", copies->device->line->spec.mtu);
}
