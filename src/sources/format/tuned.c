/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "sources/format/readers.h"
#include "sources/parser/keyfile.h"

/* The section that sets the MTU. Its type is its name by default. */
static void add_section(const struct source_parser *parser, const struct keyfile *keyfile,
                        const struct keyfile_item *mtu) {
        struct mtu_source source = { .kind = SOURCE_TUNED, .line = mtu->line, .value = mtu->value };
        const char *type = keyfile_get(keyfile, mtu->group, "type");
        char *rest = keyfile_get(keyfile, mtu->group, "devices"), *device;
        bool has_other = keyfile_get(keyfile, mtu->group, "devices_udev_regex");

        if (!*mtu->value || strcmp(type && *type ? type : mtu->group, "net") != 0)
                return;
        if (strchr(mtu->value, '$'))
                source.unclear = "it is a variable of the profile";
        if (has_other || (rest && strchr(rest, '!'))) {
                match_set(&source, MATCH_OTHER, has_other ? "devices_udev_regex" : rest);
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
        const struct keyfile keyfile = keyfile_read(parser);

        for (size_t i = 0; i < keyfile.n_items; i++)
                if (keyfile_find(&keyfile, keyfile.items[i].group, "mtu") == &keyfile.items[i])
                        add_section(parser, &keyfile, &keyfile.items[i]);
}

const char *source_tuned_include(const struct source_parser *parser) {
        const struct keyfile keyfile = keyfile_read(parser);

        return keyfile_get(&keyfile, "main", "include");
}
