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
        struct keyfile keyfile = keyfile_open(source_lines(parser, false));
        struct section section = { .type = "" };
        const char *group = "";

        while (keyfile_next(&keyfile)) {
                if (strcmp(group, keyfile.group) != 0) {
                        add_section(parser, &section);
                        group = keyfile.group;
                        section = (struct section){ .type = group };
                }
                if (strcmp(keyfile.key, "type") == 0)
                        section.type = *keyfile.value ? keyfile.value : group;
                else if (strcmp(keyfile.key, "devices") == 0)
                        section.devices = keyfile.value;
                else if (strcmp(keyfile.key, "devices_udev_regex") == 0)
                        section.has_other = true;
                else if (strcmp(keyfile.key, "mtu") == 0) {
                        section.mtu = keyfile.value;
                        section.line = keyfile.line;
                }
        }
        add_section(parser, &section);
}

const char *source_tuned_include(const struct source_parser *parser) {
        struct keyfile keyfile = keyfile_open(source_lines(parser, false));

        while (keyfile_next(&keyfile))
                if (strcmp(keyfile.group, "main") == 0 && strcmp(keyfile.key, "include") == 0)
                        return keyfile.value;
        return NULL;
}
