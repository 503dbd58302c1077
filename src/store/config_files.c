/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "store/config_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/root.h"
#include "base/text.h"
#include "base/whole_file.h"

/* systemd leaves its mark here in a container, where the command line is the host's and not meant for us. */
#define CONTAINER_MARK "/run/systemd/container"
#define COMMAND_LINE "/proc/cmdline"

static void report_unreadable(struct config *config, const struct diagnostic_sink *sink, const char *file,
                              int error) {
        config->is_partial = true;
        if (error == -EFBIG)
                diagnostic_report_file(
                                sink, file,
                                "larger than 1 MiB, which no list of interfaces is; none of it is used");
        else if (error == -EINVAL)
                diagnostic_report_file(sink, file, "not a regular file; it is not read");
        else
                diagnostic_report_file(sink, file, "cannot be read: %s", strerror(-error));
}

static int read_file(struct config *config, const char *file, const struct diagnostic_sink *sink) {
        CLEANUP(cleanup_free) char *text = NULL;
        size_t size;
        int r = whole_file_read(file, CONFIG_FILE_MAX, &text, &size);

        if (r == -ENOENT)
                return 0;
        if (r == -ENOMEM)
                return r;
        if (r < 0) {
                report_unreadable(config, sink, file, r);
                return 0;
        }
        return config_parse_file(config, file, text, size, sink);
}

/* As sysctl.d and others do it: names that end in .conf, none that begin with a dot. */
static int is_drop_in(const struct dirent *entry) {
        size_t length = strlen(entry->d_name);

        return entry->d_name[0] != '.' && length > 5 && strcmp(entry->d_name + length - 5, ".conf") == 0;
}

/* By bytes, the same in every locale. */
static int by_name(const struct dirent **a, const struct dirent **b) {
        return strcmp((*a)->d_name, (*b)->d_name);
}

static int read_drop_ins(struct config *config, const struct diagnostic_sink *sink) {
        char buffer[PATH_MAX];
        const char *folder = root_path(buffer, CONFIG_FOLDER);
        struct dirent **entries;
        int n, r = 0;

        n = scandir(folder, &entries, is_drop_in, by_name);
        if (n < 0 && errno == ENOMEM)
                return -ENOMEM;
        if (n < 0) {
                if (errno != ENOENT)
                        report_unreadable(config, sink, CONFIG_FOLDER, -errno);
                return 0;
        }
        for (int i = 0; i < n; i++) {
                char path[sizeof(CONFIG_FOLDER) + sizeof(entries[i]->d_name)], quoted[TEXT_QUOTE_SIZE];

                if (r < 0)
                        ;
                else if (!text_is_plain(entries[i]->d_name))
                        diagnostic_report(
                                        sink, DIAGNOSTIC_ERROR, CONFIG_FOLDER, 0, NULL,
                                        "the file name %s has bytes in it that are no plain text; it is not "
                                        "read",
                                        text_quote(quoted, entries[i]->d_name, strlen(entries[i]->d_name)));
                else {
                        snprintf(path, sizeof(path), "%s/%s", CONFIG_FOLDER, entries[i]->d_name);
                        r = read_file(config, path, sink);
                }
                free(entries[i]);
        }
        free(entries);
        return r;
}

static int read_command_line(struct config *config, const struct diagnostic_sink *sink) {
        CLEANUP(cleanup_free) char *text = NULL;
        size_t size;
        int r = whole_file_exists(CONTAINER_MARK);

        if (r < 0)
                report_unreadable(config, sink, CONTAINER_MARK, r);
        if (r != 0)
                return 0;
        r = whole_file_read(COMMAND_LINE, CONFIG_FILE_MAX, &text, &size);
        if (r == -ENOENT)
                return 0; /* no /proc, no parameter */
        if (r == -ENOMEM)
                return r;
        if (r < 0) {
                report_unreadable(config, sink, COMMAND_LINE, r);
                return 0;
        }
        return config_parse_command_line(config, COMMAND_LINE, text, size, sink);
}

int config_files_read(struct config *config, const struct diagnostic_sink *sink) {
        int r = read_file(config, CONFIG_FILE, sink);

        if (r == 0)
                r = read_drop_ins(config, sink);
        if (r == 0)
                r = read_command_line(config, sink);
        return r;
}
