/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "sources/format/readers.h"

/* A section. Its type is its name by default. */
struct section {
        const char *type;
        char *devices;
        const char *mtu;
        unsigned line;
        bool has_other; /* devices_udev_regex */
};

static void add_section(const struct source_parser *parser, const struct section *section) {
        struct mtu_source source = { .kind = SOURCE_TUNED, .line = section->line, .value = section->mtu };
        char *rest = section->devices, *device;

        if (!section->mtu || !*section->mtu || strcmp(section->type, "net") != 0)
                return;
        if (strchr(section->mtu, '$'))
                source.unclear = "it is a variable of the profile";
        if (section->has_other || (rest && strchr(rest, '!'))) {
                match_set(&source, MATCH_OTHER, section->has_other ? "devices_udev_regex" : rest);
                rest = NULL;
        }
        if (!rest || !*rest || strcmp(rest, "*") == 0) {
                source_add(parser, VALUE_DECIMAL, &source);
                return;
        }
        while ((device = strsep(&rest, ",;"))) {
                device = lines_trim(device);
                match_set_word(&source, device);
                if (*device)
                        source_add(parser, VALUE_DECIMAL, &source);
        }
}

void source_tuned_read(const struct source_parser *parser) {
        const struct keyfile keyfile = keyfile_read(source_pool(parser), source_lines(parser, false));
        struct section section = { .type = "" };
        const char *group = "";

        for (size_t i = 0; i < keyfile.n_items; i++) {
                const struct keyfile_item *item = &keyfile.items[i];

                if (strcmp(group, item->group) != 0) {
                        add_section(parser, &section);
                        group = item->group;
                        section = (struct section){ .type = group };
                }
                if (strcmp(item->key, "type") == 0)
                        section.type = *item->value ? item->value : group;
                else if (strcmp(item->key, "devices") == 0)
                        section.devices = item->value;
                else if (strcmp(item->key, "devices_udev_regex") == 0)
                        section.has_other = true;
                else if (strcmp(item->key, "mtu") == 0) {
                        section.mtu = item->value;
                        section.line = item->line;
                }
        }
        add_section(parser, &section);
}

const char *source_tuned_include(const struct source_parser *parser) {
        const struct keyfile keyfile = keyfile_read(source_pool(parser), source_lines(parser, false));

        return keyfile_get(&keyfile, "main", "include");
}
