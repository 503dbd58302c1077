/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "backends/link_files.h"

#include <string.h>

#include "backends/network_mark.h"

const char *link_file_name(char buffer[static LINK_FILE_NAME_SIZE], const char *interface, size_t index,
                           size_t n) {
        int width = 2;

        /* By name they must sort by number. */
        for (size_t limit = 100; limit <= n; limit *= 10)
                width++;
        if (n == 1)
                snprintf(buffer, LINK_FILE_NAME_SIZE, NETWORK_CHOICE_LINK_PREFIX "%s" NETWORK_FILE_LINK,
                         interface);
        else
                snprintf(buffer, LINK_FILE_NAME_SIZE, NETWORK_CHOICE_LINK_PREFIX "%s:%0*u" NETWORK_FILE_LINK,
                         interface, width, (unsigned)index + 1);
        return buffer;
}

static bool ends_in_backslash(const char *value) {
        size_t length = strlen(value);

        return length > 0 && value[length - 1] == '\\';
}

/* All that the file and its drop-ins say, in the order in which systemd reads it, but for the name. */
static void write_settings(const struct network_file *file, FILE *stream) {
        unsigned section = 0;

        for (size_t i = 0; i < file->n_settings; i++) {
                const struct network_setting *setting = &file->settings[i];

                if (strcmp(setting->header, "Match") == 0 && strcmp(setting->key, "OriginalName") == 0)
                        continue;
                if (setting->section != section)
                        fprintf(stream, "\n[%s]\n", setting->header);
                section = setting->section;
                /* At the end of a line a backslash would join the next one; behind a space it does not. */
                fprintf(stream, "%s=%s%s\n", setting->key, setting->value,
                        ends_in_backslash(setting->value) ? " " : "");
        }
}

/* Of the file's policies none has a name for the device. */
static void write_unnamed(const struct network_file *file, FILE *stream) {
        const char *policies = network_file_get(file, "Link", "NamePolicy"), *property;

        while (policies && (property = network_choice_next_policy(&policies)))
                fprintf(stream, "Property=!%s=?*\n", property);
}

void link_file_write(const struct device_plan *device, const struct link_copy *copy, FILE *stream) {
        const struct config_line *line = device->line;

        network_mark_write(line, stream);
        if (!copy->file)
                fputs("; no other .link file applies\n", stream);
        else if (copy->when == LINK_COPY_PASSING)
                fprintf(stream, "; as %s, for others that have this name until they are renamed\n",
                        copy->file->path);
        else
                fprintf(stream, "; as %s with an MTU\n", copy->file->path);
        if (copy->file)
                write_settings(copy->file, stream);

        fprintf(stream, "\n[Match]\nOriginalName=%s\n", line->name);
        if (copy->when == LINK_COPY_MOVED)
                fputs("Property=ACTION=move\n", stream);
        if (copy->when == LINK_COPY_UNNAMED)
                write_unnamed(copy->file, stream);
        if (copy->when != LINK_COPY_PASSING)
                fprintf(stream, "\n[Link]\nMTUBytes=%u\n", line->spec.mtu);
}
