/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "network_files/network_file.h"

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
        "/etc/systemd/network",     NETWORK_FILE_DIRECTORY, "/usr/local/lib/systemd/network",
        "/usr/lib/systemd/network", "/lib/systemd/network",
};

#define N_DIRECTORIES (sizeof(directories) / sizeof(directories[0]))

static void list_add(struct network_files *files, const char *directory, const char *name) {
        struct network_file *file;

        for (size_t i = 0; i < files->n_items; i++)
                if (strcmp(files->items[i].name, name) == 0)
                        return; /* overridden by an earlier directory */
        file = pool_add(&files->pool, &files->items, &files->n_items, sizeof(*file));
        if (file)
                *file = (struct network_file){ .name = pool_copy(&files->pool, name),
                                               .path = pool_print(&files->pool, "%s/%s", directory, name) };
}

static void report_unread(const struct diagnostic_sink *sink, const char *path, int error) {
        if (error != -ENOMEM)
                diagnostic_report_file(sink, path, "cannot be read: %s", strerror(-error));
}

/* Lists the files that end in `suffix` in the subdirectory `below` of all directories. Reports a directory
 * that cannot be read, and returns the error. */
static int list_files(const char *below, const char *suffix, const struct diagnostic_sink *sink,
                      struct network_files *ret) {
        for (size_t i = 0; i < N_DIRECTORIES; i++) {
                CLEANUP(directory_free) struct directory names = { 0 };
                char path[PATH_MAX];
                int r;

                snprintf(path, sizeof(path), "%s%s", directories[i], below);
                r = directory_list(path, suffix, &names);
                if (r < 0) {
                        report_unread(sink, path, r);
                        return r;
                }
                for (size_t j = 0; j < names.n_names; j++)
                        list_add(ret, path, names.names[j]);
        }
        if (ret->n_items > 0)
                qsort(ret->items, ret->n_items, sizeof(*ret->items), text_compare);
        return ret->pool.failed ? -ENOMEM : 0;
}

/* A copy of a file of setmtu's in another directory is not setmtu's. */
static bool is_ours(const char *path, const char *text) {
        return generated_file_text_is_ours(text) && text_after(path, NETWORK_FILE_DIRECTORY "/");
}

/* Reads the file or a drop-in to it. 1; 0 if it is masked, setmtu's, gone, or no file; or a negative errno,
 * which is reported: -EBADMSG if systemd ignores it as well. */
static int read_one(const char *path, const struct diagnostic_sink *sink, struct pool *pool,
                    struct network_file *file) {
        CLEANUP(cleanup_free) char *text = NULL;
        size_t size;
        int r = whole_file_read(path, FILE_MAX, &text, &size);

        if (r == -ENOENT || r == -EINVAL || (r == 0 && (size == 0 || is_ours(path, text))))
                return 0;
        if (r < 0) {
                report_unread(sink, path, r);
                return r;
        }
        r = network_file_parse(pool, file, text, size);
        if (r == -EBADMSG)
                diagnostic_report(sink, DIAGNOSTIC_WARNING, path, 0, NULL,
                                  "has a line that is not UTF-8, or an invalid section header; ignored, as "
                                  "by systemd");
        return r < 0 ? r : 1;
}

/* Reads a file with its drop-ins. As in systemd, a bad drop-in makes the whole file bad. Returns as
 * read_one() does. */
static int read_all(struct network_file *file, const struct diagnostic_sink *sink, struct pool *pool) {
        CLEANUP(network_files_free) struct network_files drop_ins = { 0 };
        char below[NAME_MAX + 4];
        int r = read_one(file->path, sink, pool, file);

        if (r <= 0)
                return r;
        snprintf(below, sizeof(below), "/%s.d", file->name);
        r = list_files(below, ".conf", sink, &drop_ins);
        for (size_t i = 0; i < drop_ins.n_items && r >= 0; i++)
                r = read_one(drop_ins.items[i].path, sink, pool, file);
        return r < 0 ? r : 1;
}

int network_files_read(const char *suffix, const struct diagnostic_sink *sink, struct network_files *ret) {
        CLEANUP(network_files_free) struct network_files files = { 0 };
        int r = list_files("", suffix, sink, &files);
        size_t n = 0;

        for (size_t i = 0; i < files.n_items && r >= 0; i++) {
                struct network_file file = files.items[i];

                r = read_all(&file, sink, &files.pool);
                if (r > 0)
                        files.items[n++] = file;
                if (r == -EBADMSG)
                        r = 0;
        }
        if (r < 0)
                return r;
        files.n_items = n;
        *ret = files;
        files = (struct network_files){ 0 };
        return 0;
}

void network_files_free(struct network_files *files) {
        pool_free(&files->pool);
        *files = (struct network_files){ 0 };
}
