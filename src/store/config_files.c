/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "store/config_files.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/directory.h"
#include "base/text.h"
#include "base/whole_file.h"

/* systemd writes this file in a container, where /proc/cmdline is the host's and does not apply. */
#define CONTAINER_MARK "/run/systemd/container"
#define COMMAND_LINE "/proc/cmdline"

static void report_unreadable(struct config *config, const struct diagnostic_sink *sink, const char *file,
                              int error) {
        config->is_partial = true;
        diagnostic_report_file(sink, file, "cannot be read: %s", whole_file_fault(error));
}

static int read_file(struct config *config, const char *file, const struct diagnostic_sink *sink) {
        CLEANUP(cleanup_free) char *text = NULL;
        size_t size;
        int r = whole_file_read(file, CONFIG_FILE_MAX, &text, &size);

        if (r == 0 && strcmp(file, COMMAND_LINE) == 0)
                return config_parse_command_line(config, file, text, size, sink);
        if (r == 0)
                return config_parse_file(config, file, text, size, sink);
        if (r == -ENOMEM)
                return r;
        if (r != -ENOENT)
                report_unreadable(config, sink, file, r);
        return 0;
}

/* A file overrides files of the same name in earlier directories. */
static const char *const directories[] = { CONFIG_DIRECTORY_VENDOR, CONFIG_DIRECTORY_RUN, CONFIG_DIRECTORY };
enum { DIRECTORY_RUN = 1, DIRECTORY_OWN, N_DIRECTORIES };
#define DROP_IN_SIZE (sizeof(CONFIG_DIRECTORY) + sizeof(CONFIG_DIRECTORY_VENDOR) + NAME_MAX)

static bool is_left_out(const struct config *config, size_t place) {
        return config->is_for_initrd && place == DIRECTORY_RUN;
}

static bool is_hidden(struct config *config, const struct diagnostic_sink *sink, size_t place,
                      const char *name) {
        char path[DROP_IN_SIZE];
        int r = 0;

        for (size_t i = place + 1; i < N_DIRECTORIES && r == 0; i++) {
                snprintf(path, sizeof(path), "%s/%s", directories[i], name);
                r = is_left_out(config, i) ? 0 : whole_file_exists(path);
                if (r < 0)
                        report_unreadable(config, sink, path, r);
        }
        return r != 0;
}

/* As with sysctl.d: names that end in .conf and do not begin with a dot, sorted by bytes, the same in every
 * locale. */
static int read_drop_ins(struct config *config, const struct diagnostic_sink *sink, size_t place) {
        CLEANUP(directory_free) struct directory directory = { 0 };
        const char *in = directories[place];
        int r = directory_list(in, ".conf", &directory);

        if (r < 0 && r != -ENOMEM)
                report_unreadable(config, sink, in, r);
        for (size_t i = 0; i < directory.n_names && r == 0; i++) {
                const char *name = directory.names[i];
                char path[DROP_IN_SIZE];

                if (is_hidden(config, sink, place, name))
                        continue;
                snprintf(path, sizeof(path), "%s/%s", in, name);
                if (text_is_plain(name))
                        r = read_file(config, path, sink);
                else
                        diagnostic_report(sink, DIAGNOSTIC_ERROR, in, 0, NULL,
                                          "the file name \"%s\" has bytes that are not plain text; it is "
                                          "not read",
                                          name);
        }
        return r == -ENOMEM ? r : 0;
}

static int read_command_line(struct config *config, const struct diagnostic_sink *sink) {
        int r = whole_file_exists(CONTAINER_MARK);

        if (r < 0)
                report_unreadable(config, sink, CONTAINER_MARK, r);
        return r != 0 ? 0 : read_file(config, COMMAND_LINE, sink);
}

int config_files_read(struct config *config, const struct diagnostic_sink *sink) {
        int r = 0;

        for (size_t i = 0; i < DIRECTORY_OWN && r == 0; i++)
                r = is_left_out(config, i) ? 0 : read_drop_ins(config, sink, i);
        if (r == 0)
                r = read_file(config, CONFIG_FILE, sink);
        if (r == 0)
                r = read_drop_ins(config, sink, DIRECTORY_OWN);
        if (r == 0 && !config->is_for_initrd)
                r = read_command_line(config, sink);
        return r;
}

bool config_files_give_way(const char *file) {
        return strcmp(file, CONFIG_FILE) != 0 && strcmp(file, COMMAND_LINE) != 0 &&
               !text_after(file, CONFIG_DIRECTORY "/");
}
