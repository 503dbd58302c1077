/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "store/config_files.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/folder.h"
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

/* As sysctl.d and others do it: names that end in .conf, none that begin with a dot. By bytes, the same in
 * every locale. */
static int read_drop_ins(struct config *config, const struct diagnostic_sink *sink) {
        CLEANUP(folder_free) struct folder folder = { 0 };
        int r = folder_list(CONFIG_FOLDER, ".conf", 0, &folder);

        if (r == -ENOENT && whole_file_exists(CONFIG_FOLDER) == 1)
                r = -ENOTDIR;
        if (r == -ENOMEM || r == -ENOENT)
                return r == -ENOENT ? 0 : r;
        if (r < 0)
                report_unreadable(config, sink, CONFIG_FOLDER, r);
        for (size_t i = 0; i < folder.n_names && r == 0; i++) {
                const char *name = folder.names[i];
                char path[sizeof(CONFIG_FOLDER) + NAME_MAX + 1], quoted[TEXT_QUOTE_SIZE];

                snprintf(path, sizeof(path), "%s/%s", CONFIG_FOLDER, name);
                if (text_is_plain(name))
                        r = read_file(config, path, sink);
                else
                        diagnostic_report(sink, DIAGNOSTIC_ERROR, CONFIG_FOLDER, 0, NULL,
                                          "the file name %s has bytes in it that are no plain text; it is "
                                          "not read",
                                          text_quote(quoted, name, strlen(name)));
        }
        return r == -ENOMEM ? r : 0;
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
