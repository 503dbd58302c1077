/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/tuned.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "sources/keyfile.h"
#include "sources/match.h"

/* One section, whose type is its name where it does not say. */
struct command_lock {
        char name[256];
        char type[64];
        char devices[512];
        char mtu[64];
        unsigned line;
        bool has_other; /* devices_udev_regex */
};

static int add_section(const struct reading *reading, struct command_lock *section) {
        struct draft draft = { .source = SOURCE_TUNED, .line = section->line, .value = section->mtu };
        char *rest = section->devices, *device;

        if (!*section->mtu || strcmp(*section->type ? section->type : section->name, "net") != 0)
                return 0;
        if (strchr(section->mtu, '$'))
                draft.unclear = "it is a variable of the profile";
        if (section->has_other || strchr(section->devices, '!')) {
                draft.match = FINDING_OTHER;
                draft.device = section->has_other ? "devices_udev_regex" : section->devices;
                return reading_add(reading, VALUE_DECIMAL, &draft);
        }
        if (!*section->devices || strcmp(section->devices, "*") == 0)
                return reading_add(reading, VALUE_DECIMAL, &draft);
        while ((device = strsep(&rest, ",;"))) {
                int r;

                device = lines_trim(device);
                if (!*device)
                        continue;
                draft.match = match_is_glob(device) ? FINDING_GLOB : FINDING_NAME;
                draft.device = device;
                r = reading_add(reading, VALUE_DECIMAL, &draft);
                if (r < 0)
                        return r;
        }
        return 0;
}

int source_tuned_read(const struct reading *reading) {
        CLEANUP(cleanup_free) struct keyfile *keyfile = malloc(sizeof(*keyfile));
        CLEANUP(cleanup_free) struct command_lock *section = calloc(1, sizeof(*section));
        int r = 0;

        if (!keyfile || !section)
                return -ENOMEM;
        keyfile_open(keyfile, reading->text, reading->size);
        while (r == 0 && keyfile_next(keyfile)) {
                if (strcmp(section->name, keyfile->group) != 0) {
                        r = add_section(reading, section);
                        *section = (struct command_lock){ 0 };
                        memcpy(section->name, keyfile->group, sizeof(section->name));
                }
                if (strcmp(keyfile->key, "type") == 0)
                        snprintf(section->type, sizeof(section->type), "%s", keyfile->value);
                else if (strcmp(keyfile->key, "devices") == 0)
                        snprintf(section->devices, sizeof(section->devices), "%s", keyfile->value);
                else if (strcmp(keyfile->key, "devices_udev_regex") == 0)
                        section->has_other = true;
                else if (strcmp(keyfile->key, "mtu") == 0) {
                        snprintf(section->mtu, sizeof(section->mtu), "%s", keyfile->value);
                        section->line = keyfile->line;
                }
        }
        return r == 0 ? add_section(reading, section) : r;
}

bool source_tuned_include(const char *text, size_t size, char *ret, size_t ret_size) {
        CLEANUP(cleanup_free) struct keyfile *keyfile = malloc(sizeof(*keyfile));

        if (!keyfile)
                return false;
        keyfile_open(keyfile, text, size);
        while (keyfile_next(keyfile))
                if (strcmp(keyfile->group, "main") == 0 && strcmp(keyfile->key, "include") == 0) {
                        snprintf(ret, ret_size, "%s", keyfile->value);
                        return true;
                }
        return false;
}
