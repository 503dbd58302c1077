/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "network_files/network_files.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/directory.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "store/generated_files.h"

#define FILE_MAX (1024 * 1024)

/* A file overrides those of the same name in later directories. /lib may be another directory than /usr/lib.
 */
static const char *const directories[] = {
        NETWORK_FILE_HIDING_DIRECTORY, NETWORK_FILE_DIRECTORY, "/usr/local/lib/systemd/network",
        "/usr/lib/systemd/network",    "/lib/systemd/network",
};

#define N_DIRECTORIES (sizeof(directories) / sizeof(directories[0]))

struct found {
        const char *name;
        const char *path;
};

struct list {
        struct found *items;
        size_t n_items;
        struct pool pool;
};

static void list_cleanup(struct list *list) {
        pool_free(&list->pool);
}

static void list_add(struct list *list, const char *directory, const char *name) {
        struct found *found;

        for (size_t i = 0; i < list->n_items; i++)
                if (strcmp(list->items[i].name, name) == 0)
                        return; /* overridden by an earlier directory */
        found = pool_add(&list->pool, &list->items, &list->n_items, sizeof(*found));
        if (found)
                *found = (struct found){ pool_copy(&list->pool, name),
                                         pool_print(&list->pool, "%s/%s", directory, name) };
}

static void report_unread(const struct diagnostic_sink *sink, const char *path, int error) {
        diagnostic_report_file(sink, path, "cannot be read: %s", strerror(-error));
}

/* Lists the files that end in `suffix` in all directories, or in the subdirectory `below` of each. Reports a
 * directory that cannot be read, and returns the error. */
static int list_files(const char *below, const char *suffix, const struct diagnostic_sink *sink,
                      struct list *ret) {
        int r = 0;

        for (size_t i = 0; i < N_DIRECTORIES && r == 0; i++) {
                CLEANUP(directory_free) struct directory names = { 0 };
                char path[PATH_MAX];

                snprintf(path, sizeof(path), "%s%s%s", directories[i], below ? "/" : "", below ? below : "");
                r = directory_list(path, suffix, DIRECTORY_WITHOUT_DIRECTORIES, &names);
                if (r < 0 && r != -ENOENT && r != -ENOMEM)
                        report_unread(sink, path, r);
                for (size_t j = 0; j < names.n_names && r == 0; j++)
                        list_add(ret, path, names.names[j]);
                if (r == -ENOENT)
                        r = 0;
                if (ret->pool.failed)
                        r = -ENOMEM;
        }
        if (r == 0 && ret->n_items > 0)
                qsort(ret->items, ret->n_items, sizeof(*ret->items), text_compare);
        return r;
}

/* A copy of a file of setmtu's in another directory is not setmtu's. */
static bool is_ours(const char *path, const char *text) {
        return generated_file_text_is_ours(text) && text_after(path, NETWORK_FILE_DIRECTORY "/");
}

/* Reads the file or a drop-in to it. 1; 0 if it is masked, setmtu's, or gone; or a negative errno. */
static int read_one(const char *path, struct network_file *file) {
        CLEANUP(cleanup_free) char *text = NULL;
        size_t size;
        int r = whole_file_read(path, FILE_MAX, &text, &size);

        if (r == -ENOENT || (r == 0 && (size == 0 || is_ours(path, text))))
                return 0;
        if (r == 0)
                r = network_file_parse(file, text, size);
        return r < 0 ? r : 1;
}

/* Reports an unreadable file. 0 if systemd ignores it as well; otherwise the error. */
static int report(const struct diagnostic_sink *sink, const char *path, int error) {
        if (error != -EBADMSG && error != -EINVAL) {
                report_unread(sink, path, error);
                return error;
        }
        diagnostic_report(sink, DIAGNOSTIC_WARNING, path, 0, NULL, "%s; left out, as systemd leaves it out",
                          error == -EBADMSG
                                          ? "has a line that is not UTF-8, or a section header that is none"
                                          : "not a regular file");
        return 0;
}

/* Reads a file with its drop-ins. As in systemd, a bad drop-in makes the whole file bad. Returns as
 * read_one() does. */
static int read_all(struct network_file *file, const struct diagnostic_sink *sink) {
        CLEANUP(list_cleanup) struct list list = { 0 };
        const char *path = file->path;
        char directory[NAME_MAX + 3];
        int r = file->pool.failed ? -ENOMEM : read_one(path, file);

        if (r > 0) {
                snprintf(directory, sizeof(directory), "%s.d", file->name);
                r = list_files(directory, ".conf", sink, &list);
                if (r < 0)
                        return r;
                r = 1;
        }
        for (size_t i = 0; i < list.n_items && r > 0; i++) {
                path = list.items[i].path;
                r = read_one(path, file);
                if (r == 0)
                        r = 1; /* the drop-in is masked */
        }
        return r < 0 && r != -ENOMEM ? report(sink, path, r) : r;
}

int network_files_read(const char *suffix, const struct diagnostic_sink *sink, struct network_files *ret) {
        CLEANUP(list_cleanup) struct list list = { 0 };
        struct network_files files = { 0 };
        int r = list_files(NULL, suffix, sink, &list);

        files.items = calloc(list.n_items + 1, sizeof(*files.items));
        if (!files.items)
                r = -ENOMEM;
        for (size_t i = 0; i < list.n_items && r >= 0; i++) {
                struct network_file file = network_file_open(list.items[i].name, list.items[i].path);

                r = read_all(&file, sink);
                if (r > 0)
                        files.items[files.n_items++] = file;
                else
                        network_file_free(&file);
        }
        if (r < 0) {
                network_files_free(&files);
                return r;
        }
        *ret = files;
        return 0;
}

void network_files_free(struct network_files *files) {
        for (size_t i = 0; i < files->n_items; i++)
                network_file_free(&files->items[i]);
        free(files->items);
        *files = (struct network_files){ 0 };
}
