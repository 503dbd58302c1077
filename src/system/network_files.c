/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "system/network_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/root.h"
#include "base/whole_file.h"
#include "store/generated_files.h"

#define FILE_MAX (1024 * 1024)

/* The first one that has a name wins. /lib where that is not a link to /usr/lib. */
static const char *const folders[] = {
        "/etc/systemd/network",     NETWORK_FILE_FOLDER,    "/usr/local/lib/systemd/network",
        "/usr/lib/systemd/network", "/lib/systemd/network",
};

#define N_FOLDERS (sizeof(folders) / sizeof(folders[0]))

/* A list of names and where each was found. */
struct found {
        char *name;
        char *path;
};

struct list {
        struct found *items;
        size_t n_items;
};

static void list_cleanup(struct list *list) {
        for (size_t i = 0; i < list->n_items; i++) {
                free(list->items[i].name);
                free(list->items[i].path);
        }
        free(list->items);
}

static bool ends_in(const char *text, const char *suffix) {
        size_t length = strlen(text), suffix_length = strlen(suffix);

        return length > suffix_length && strcmp(text + length - suffix_length, suffix) == 0;
}

static int list_add(struct list *list, const char *folder, const char *name) {
        struct found found = { .name = strdup(name) }, *items = list->items;

        for (size_t i = 0; i < list->n_items; i++)
                if (strcmp(list->items[i].name, name) == 0) {
                        free(found.name);
                        return 0; /* of a folder that goes before */
                }
        items = array_grow(items, list->n_items, sizeof(*items));
        if (items)
                list->items = items;
        if (!items || !found.name || asprintf(&found.path, "%s/%s", folder, name) < 0) {
                free(found.name);
                return -ENOMEM;
        }
        items[list->n_items++] = found;
        return 0;
}

static int by_name(const void *a, const void *b) {
        const struct found *x = a, *y = b;

        return strcmp(x->name, y->name);
}

/* Lists what ends in `suffix` in all folders, or in the folder `below` of each. */
static int list_files(const char *below, const char *suffix, struct list *ret) {
        int r = 0;

        for (size_t i = 0; i < N_FOLDERS && r == 0; i++) {
                char path[PATH_MAX], buffer[PATH_MAX];
                const char *in_root;
                struct dirent *entry;
                DIR *directory;

                if (snprintf(path, sizeof(path), "%s%s%s", folders[i], below ? "/" : "",
                             below ? below : "") >= (int)sizeof(path))
                        continue;
                in_root = root_path(buffer, path);
                directory = in_root ? opendir(in_root) : NULL;
                if (!directory)
                        continue;
                while (r == 0 && (entry = readdir(directory)))
                        if (entry->d_name[0] != '.' && entry->d_type != DT_DIR &&
                            ends_in(entry->d_name, suffix))
                                r = list_add(ret, path, entry->d_name);
                closedir(directory);
        }
        if (ret->n_items > 0)
                qsort(ret->items, ret->n_items, sizeof(*ret->items), by_name);
        return r;
}

/* A copy of a file of setmtu's in another folder is not setmtu's. */
static bool is_ours(const char *path, const char *text) {
        return generated_file_text_is_ours(text) &&
               strncmp(path, NETWORK_FILE_FOLDER "/", strlen(NETWORK_FILE_FOLDER "/")) == 0;
}

/* Reads the file or a drop-in to it. 1; 0 where it is masked, or ours, or gone; or a negative errno. */
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

static void report(const struct diagnostic_sink *sink, const char *path, int error) {
        diagnostic_report(sink, DIAGNOSTIC_WARNING, path, 0, NULL, "%s; left out, as systemd leaves it out",
                          error == -EBADMSG
                                          ? "has a line that is not UTF-8, or a section header that is none"
                          : error == -EINVAL ? "not a regular file"
                                             : strerror(-error));
}

/* Reads a file with its drop-ins; for systemd as well, one that is bad makes all of it bad. Returns as
 * read_one() does. */
static int read_all(struct network_file *file, const struct diagnostic_sink *sink) {
        CLEANUP(list_cleanup) struct list list = { 0 };
        const char *path = file->path;
        char folder[NAME_MAX + 3];
        int r = read_one(path, file);

        if (r > 0) {
                snprintf(folder, sizeof(folder), "%s.d", file->name);
                r = list_files(folder, ".conf", &list) < 0 ? -ENOMEM : 1;
        }
        for (size_t i = 0; i < list.n_items && r > 0; i++) {
                path = list.items[i].path;
                r = network_file_begin_drop_in(file, path);
                if (r == 0)
                        r = read_one(path, file);
                if (r == 0)
                        r = 1; /* one that is masked */
        }
        if (r < 0 && r != -ENOMEM) {
                report(sink, path, r);
                return 0;
        }
        return r;
}

int network_files_read(const char *suffix, const struct diagnostic_sink *sink, struct network_files *ret) {
        CLEANUP(list_cleanup) struct list list = { 0 };
        struct network_files files = { 0 };
        int r = list_files(NULL, suffix, &list);

        files.items = calloc(list.n_items + 1, sizeof(*files.items));
        if (!files.items)
                r = -ENOMEM;
        for (size_t i = 0; i < list.n_items && r >= 0; i++) {
                struct network_file file = { .name = list.items[i].name, .path = list.items[i].path };

                list.items[i] = (struct found){ 0 };
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

const char *network_files_hiding(const char *name) {
        for (size_t i = 0; strcmp(folders[i], NETWORK_FILE_FOLDER) != 0; i++) {
                char path[PATH_MAX];

                if (snprintf(path, sizeof(path), "%s/%s", folders[i], name) < (int)sizeof(path) &&
                    whole_file_exists(path))
                        return folders[i];
        }
        return NULL;
}

void network_files_free(struct network_files *files) {
        for (size_t i = 0; i < files->n_items; i++)
                network_file_free(&files->items[i]);
        free(files->items);
        *files = (struct network_files){ 0 };
}
