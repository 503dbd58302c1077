/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/root.h"

static void close_folder(DIR **directory) {
        if (*directory)
                closedir(*directory);
}

static int by_bytes(const void *a, const void *b) {
        return strcmp(*(char *const *)a, *(char *const *)b);
}

static int add(struct folder *folder, const char *name) {
        char **names = array_grow(folder->names, folder->n_names, sizeof(*names));

        if (!names)
                return -ENOMEM;
        folder->names = names;
        names[folder->n_names] = strdup(name);
        if (!names[folder->n_names])
                return -ENOMEM;
        folder->n_names++;
        return 0;
}

int folder_list(const char *path, const char *suffix, struct folder *ret) {
        CLEANUP(close_folder) DIR *directory = NULL;
        CLEANUP(folder_free) struct folder folder = { 0 };
        size_t suffix_length = strlen(suffix);
        char buffer[PATH_MAX];
        struct dirent *entry;

        path = root_path(buffer, path);
        directory = path ? opendir(path) : NULL;
        if (!directory)
                return errno == ENOTDIR ? -ENOENT : -errno;
        while ((entry = readdir(directory))) {
                size_t length = strlen(entry->d_name);
                int r;

                if (entry->d_name[0] == '.' || length < suffix_length ||
                    strcmp(entry->d_name + length - suffix_length, suffix) != 0)
                        continue;
                r = add(&folder, entry->d_name);
                if (r < 0)
                        return r;
        }
        if (folder.n_names > 0)
                qsort(folder.names, folder.n_names, sizeof(*folder.names), by_bytes);
        *ret = folder;
        folder = (struct folder){ 0 };
        return 0;
}

void folder_free(struct folder *folder) {
        for (size_t i = 0; i < folder->n_names; i++)
                free(folder->names[i]);
        free(folder->names);
        *folder = (struct folder){ 0 };
}
