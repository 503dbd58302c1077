/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "backends/network_choice.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void network_choice_free(struct network_choice *choice) {
        free(choice->copies);
        *choice = (struct network_choice){ 0 };
}

__attribute__((format(printf, 4, 5))) static void report(const struct diagnostic_sink *sink,
                                                         enum diagnostic_severity severity,
                                                         const struct config_line *line, const char *format,
                                                         ...) {
        char text[512];
        va_list arguments;

        va_start(arguments, format);
        vsnprintf(text, sizeof(text), format, arguments);
        va_end(arguments);
        diagnostic_report(sink, severity, line->file, line->line, line->name, "%s: %s", line->name, text);
}

const char *network_choice_next_policy(const char **rest) {
        static const struct {
                const char *name;
                const char *property;
        } policies[] = {
                { "database", "ID_NET_NAME_FROM_DATABASE" },
                { "onboard", "ID_NET_NAME_ONBOARD" },
                { "slot", "ID_NET_NAME_SLOT" },
                { "path", "ID_NET_NAME_PATH" },
                { "mac", "ID_NET_NAME_MAC" },
        };

        while (**rest) {
                const char *word = *rest + strspn(*rest, " \t");
                size_t size = strcspn(word, " \t");

                *rest = word + size;
                for (size_t i = 0; i < sizeof(policies) / sizeof(policies[0]); i++)
                        if (strlen(policies[i].name) == size && memcmp(policies[i].name, word, size) == 0)
                                return policies[i].property;
        }
        return NULL;
}

/* Whether the kernel gives such names by counting devices, so that one may have it for a moment only, until
 * udev renames it. Virtual devices keep theirs. */
static bool is_counted_name(const char *name) {
        static const char *const prefixes[] = { "eth", "wlan", "wwan", "usb", "ib", "can", "rmnet", "wpan" };

        for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
                size_t length = strlen(prefixes[i]);

                if (strncmp(name, prefixes[i], length) == 0 && name[length] &&
                    strspn(name + length, "0123456789") == strlen(name + length))
                        return true;
        }
        return false;
}

static bool has_naming_policy(const struct network_file *file) {
        const char *policies = network_file_get(file, "Link", "NamePolicy");

        return policies && network_choice_next_policy(&policies);
}

/* Adds the copies of one file: between them they take each device of this name that the file would have
 * taken. */
static void add_copies(struct network_choice *choice, const struct network_file *file, const char *name,
                       bool has_name_policies) {
        const char *fixed = network_file_get(file, "Link", "Name");
        bool is_counted = is_counted_name(name), gets_other = fixed && *fixed && strcmp(fixed, name) != 0;
        bool may_get_other = has_name_policies && has_naming_policy(file);

        if (!is_counted || (!gets_other && !may_get_other)) {
                choice->copies[choice->n_copies++] = (struct link_copy){ file, LINK_COPY_ALWAYS };
                return;
        }
        choice->copies[choice->n_copies++] = (struct link_copy){ file, LINK_COPY_MOVED };
        if (!gets_other)
                choice->copies[choice->n_copies++] = (struct link_copy){ file, LINK_COPY_UNNAMED };
        choice->copies[choice->n_copies++] = (struct link_copy){ file, LINK_COPY_PASSING };
}

/* A list of names in a .link file takes no others (see is_interface_name() in config/network_file.c), and
 * takes some characters for a pattern. */
static const char *link_name_fault(const char *name) {
        if (strpbrk(name, "*?[]\\\"'!%"))
                return "a character that is special there";
        for (const char *c = name; *c; c++)
                if ((unsigned char)*c >= 0x7f)
                        return "a character outside ASCII";
        if (strspn(name, "0123456789") == strlen(name))
                return "nothing but digits";
        if (strcmp(name, "all") == 0 || strcmp(name, "default") == 0)
                return "a word that is special there";
        return NULL;
}

static int choose_link(const struct device_plan *device, const struct network_surroundings *surroundings,
                       const struct diagnostic_sink *sink, struct network_choice *ret) {
        const struct config_line *line = device->line;
        const char *fault = link_name_fault(line->name);
        struct network_choice choice = { 0 };
        bool is_caught = false;

        if (fault) {
                report(sink, DIAGNOSTIC_ERROR, line,
                       "a .link file cannot name this device: its name has %s; use backend=unit", fault);
                *ret = choice;
                return 0;
        }
        choice.copies = calloc(3 * surroundings->links.n_items + 1, sizeof(*choice.copies));
        if (!choice.copies)
                return -ENOMEM;
        for (size_t i = 0; i < surroundings->links.n_items && !is_caught; i++) {
                const struct network_file *file = &surroundings->links.items[i];
                bool has_list;

                if (!network_file_has_match(file) ||
                    !network_file_match_name(file, "OriginalName", line->name, &has_list))
                        continue;
                if (strcmp(file->name, NETWORK_CHOICE_LINK_PREFIX) < 0) {
                        if (has_list)
                                report(sink, DIAGNOSTIC_WARNING, line,
                                       "%s goes before setmtu's .link files and wins where it matches; "
                                       "rename it to "
                                       "10-NAME.link, or set its MTUBytes=",
                                       file->path);
                        continue;
                }
                add_copies(&choice, file, line->name, surroundings->has_name_policies);
                is_caught = !network_file_has_match_besides(file, "OriginalName");
        }
        if (!is_caught)
                choice.copies[choice.n_copies++] = (struct link_copy){ NULL, LINK_COPY_ALWAYS };
        else if (choice.copies[choice.n_copies - 1].when == LINK_COPY_PASSING)
                choice.n_copies--; /* the file itself comes next */
        *ret = choice;
        return 0;
}

/* The .network file that applies to the device, as far as its name tells; NULL: none. */
static const struct network_file *network_in_effect(const struct network_files *networks, const char *name) {
        bool has_list;

        for (size_t i = 0; i < networks->n_items; i++)
                if (network_file_has_match(&networks->items[i]) &&
                    network_file_match_name(&networks->items[i], "Name", name, &has_list))
                        return &networks->items[i];
        return NULL;
}

int network_choice_make(const struct device_plan *device, const struct network_surroundings *surroundings,
                        const struct diagnostic_sink *sink, struct network_choice *ret) {
        const struct config_line *line = device->line;
        const struct network_file *file = NULL;
        struct network_choice choice = { 0 };
        bool is_own;

        if (device->backend == BACKEND_LINK)
                return choose_link(device, surroundings, sink, ret);

        file = network_in_effect(&surroundings->networks, line->name);
        is_own = file && network_file_names_only(file, "Name", line->name) &&
                 !network_file_is_true(file, "Link", "Unmanaged");
        if (device->backend == BACKEND_AUTO) {
                /* Its unit serves it; systemd-networkd is told where that concerns nobody else. */
                if (is_own && !network_file_has_match_besides(file, "Name"))
                        choice.network = file;
                *ret = choice;
                return 0;
        }
        if (device->backend == BACKEND_NETWORKD && (!is_own || network_file_has_match_besides(file, "Name")))
                return choose_link(device, surroundings, sink, ret);

        if (is_own)
                choice.network = file;
        else if (!file)
                report(sink, DIAGNOSTIC_ERROR, line, "no .network file is for it; use backend=link");
        else if (network_file_is_true(file, "Link", "Unmanaged"))
                report(sink, DIAGNOSTIC_ERROR, line, "%s leaves it unmanaged; use backend=link", file->path);
        else
                report(sink, DIAGNOSTIC_ERROR, line,
                       "%s is not for this device alone, and would set the MTU of others too; use "
                       "backend=link",
                       file->path);
        *ret = choice;
        return 0;
}
