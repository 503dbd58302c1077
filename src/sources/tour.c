/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/tour.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/root.h"
#include "base/text.h"
#include "base/whole_file.h"

/* A larger file is no configuration of a network. */
#define FILE_MAX (1024 * 1024)

/* Whether it can stand in a message as it is. */
static bool is_plain(const char *path) {
        for (const char *c = path; *c; c++)
                if ((unsigned char)*c < 0x20 || *c == 0x7f ||
                    ((unsigned char)*c == 0xc2 && (unsigned char)c[1] < 0xa0))
                        return false;
        return text_is_utf8(path, strlen(path));
}

int tour_read_text(const struct tour *tour, const char *path, char **ret_text, size_t *ret_size) {
        char quoted[TEXT_QUOTE_SIZE];
        int r;

        if (!is_plain(path)) {
                diagnostic_report_file(tour->sink, text_quote(quoted, path, strlen(path)),
                                       "the file's name has bytes in it that are no plain text; it is not "
                                       "read");
                return 0;
        }
        r = whole_file_read(path, FILE_MAX, ret_text, ret_size);
        if (r == 0)
                return 1;
        if (r == -ENOENT || r == -ENOTDIR || r == -ENOMEM)
                return r == -ENOMEM ? r : 0;
        if (r == -EFBIG)
                diagnostic_report_file(tour->sink, path, "is larger than 1 MiB; it is not read");
        else if (r == -EINVAL)
                diagnostic_report_file(tour->sink, path, "is not a regular file; it is not read");
        else
                diagnostic_report_file(tour->sink, path, "cannot be read: %s", strerror(-r));
        return 0;
}

int tour_read_file(const struct tour *tour, const char *path, tour_reader *reader, bool inactive) {
        CLEANUP(cleanup_free) char *text = NULL;
        struct reading reading = {
                .file = path, .sink = tour->sink, .findings = tour->findings, .inactive = inactive
        };
        int r = tour_read_text(tour, path, &text, &reading.size);

        if (r <= 0)
                return r;
        reading.text = text;
        return reader(&reading);
}

int tour_list_folder(const struct tour *tour, const char *path, const char *suffix, struct folder *ret) {
        int r = folder_list(path, suffix, ret);

        if (r < 0 && r != -ENOENT && r != -ENOMEM)
                diagnostic_report_file(tour->sink, path, "cannot be read: %s", strerror(-r));
        if (r < 0)
                *ret = (struct folder){ 0 };
        return r == -ENOMEM ? r : 0;
}

int tour_read_folder(const struct tour *tour, const char *folder, const char *suffix, tour_reader *reader,
                     bool inactive) {
        CLEANUP(folder_free) struct folder names = { 0 };
        int r = tour_list_folder(tour, folder, suffix, &names);

        for (size_t i = 0; i < names.n_names && r == 0; i++) {
                char path[PATH_MAX];

                if (snprintf(path, sizeof(path), "%s/%s", folder, names.names[i]) < (int)sizeof(path))
                        r = tour_read_file(tour, path, reader, inactive);
        }
        return r;
}

static const char *last_part(const char *path) {
        return strrchr(path, '/') + 1;
}

static int by_last_part(const void *a, const void *b) {
        return strcmp(last_part(*(char *const *)a), last_part(*(char *const *)b));
}

/* Adds `folder`/`name` unless a path with that name is there. */
static int add_path(struct folder *paths, const char *folder, const char *name) {
        char **names;

        for (size_t i = 0; i < paths->n_names; i++)
                if (strcmp(last_part(paths->names[i]), name) == 0)
                        return 0;
        names = reallocarray(paths->names, paths->n_names + 1, sizeof(*names));
        if (!names)
                return -ENOMEM;
        paths->names = names;
        if (asprintf(&names[paths->n_names], "%s/%s", folder, name) < 0)
                return -ENOMEM;
        paths->n_names++;
        return 0;
}

int tour_list(const struct tour *tour, const char *const *folders, const char *suffix, struct folder *ret) {
        CLEANUP(folder_free) struct folder paths = { 0 };
        int r = 0;

        for (; *folders && r == 0; folders++) {
                CLEANUP(folder_free) struct folder names = { 0 };

                r = tour_list_folder(tour, *folders, suffix, &names);
                for (size_t i = 0; i < names.n_names && r == 0; i++)
                        r = add_path(&paths, *folders, names.names[i]);
        }
        if (r < 0)
                return r;
        if (paths.n_names > 0)
                qsort(paths.names, paths.n_names, sizeof(*paths.names), by_last_part);
        *ret = paths;
        paths = (struct folder){ 0 };
        return 0;
}

bool tour_device_name(unsigned long ifindex, char *ret, size_t ret_size) {
        CLEANUP(folder_free) struct folder names = { 0 };

        if (folder_list("/sys/class/net", "", &names) < 0)
                return false;
        for (size_t i = 0; i < names.n_names; i++) {
                CLEANUP(cleanup_free) char *text = NULL;
                char path[PATH_MAX];
                size_t size;

                snprintf(path, sizeof(path), "/sys/class/net/%s/ifindex", names.names[i]);
                if (whole_file_read(path, 4096, &text, &size) == 0 && strtoul(text, NULL, 10) == ifindex) {
                        snprintf(ret, ret_size, "%s", names.names[i]);
                        return true;
                }
        }
        return false;
}

bool tour_is_executable(const char *path) {
        char buffer[PATH_MAX];
        struct stat status;

        path = root_path(buffer, path);
        return path && stat(path, &status) == 0 && S_ISREG(status.st_mode) && (status.st_mode & 0111);
}
