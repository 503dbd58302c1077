/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/root.h"
#include "base/text.h"

static void close_folder(DIR **directory) {
        if (*directory)
                closedir(*directory);
}

static bool is_meant(const struct dirent *entry, const char *suffix, unsigned flags) {
        const char *name = entry->d_name;

        if (name[0] == '.' &&
            (!(flags & FOLDER_WITH_HIDDEN) || strcmp(name, ".") == 0 || strcmp(name, "..") == 0))
                return false;
        if (entry->d_type == DT_DIR && (flags & FOLDER_WITHOUT_FOLDERS))
                return false;
        return text_ends_in(name, suffix);
}

int folder_list(const char *path, const char *suffix, unsigned flags, struct folder *ret) {
        CLEANUP(close_folder) DIR *directory = NULL;
        CLEANUP(folder_free) struct folder folder = { 0 };
        char buffer[PATH_MAX];
        struct dirent *entry;

        directory = opendir(root_path(buffer, path));
        if (!directory)
                return errno == ENOTDIR ? -ENOENT : -errno;
        /* Only errno tells the end from an error. */
        while (errno = 0, (entry = readdir(directory)))
                if (is_meant(entry, suffix, flags)) {
                        char **name = pool_add(&folder.pool, &folder.names, &folder.n_names, sizeof(*name));

                        if (name)
                                *name = pool_copy(&folder.pool, entry->d_name);
                }
        if (errno || folder.pool.failed)
                return errno ? -errno : -ENOMEM;
        if (folder.n_names > 1)
                qsort(folder.names, folder.n_names, sizeof(*folder.names), text_compare);
        *ret = folder;
        folder = (struct folder){ 0 };
        return 0;
}

void folder_free(struct folder *folder) {
        pool_free(&folder->pool);
        *folder = (struct folder){ 0 };
}
