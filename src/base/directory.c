/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/directory.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/root.h"
#include "base/text.h"

static void close_directory(DIR **stream) {
        if (*stream)
                closedir(*stream);
}

int directory_list(const char *path, const char *suffix, struct directory *ret) {
        CLEANUP(close_directory) DIR *stream = NULL;
        CLEANUP(directory_free) struct directory directory = { 0 };
        char buffer[PATH_MAX];
        struct dirent *entry;

        stream = opendir(root_path(buffer, path));
        if (!stream)
                return errno == ENOENT ? 0 : -errno;
        /* Only errno tells the end from an error. */
        while (errno = 0, (entry = readdir(stream)))
                if (entry->d_name[0] != '.' && text_ends_in(entry->d_name, suffix)) {
                        char **name = pool_add(&directory.pool, &directory.names, &directory.n_names,
                                               sizeof(*name));

                        if (name)
                                *name = pool_copy(&directory.pool, entry->d_name);
                }
        if (errno || directory.pool.failed)
                return errno ? -errno : -ENOMEM;
        if (directory.n_names > 1)
                qsort(directory.names, directory.n_names, sizeof(*directory.names), text_compare);
        *ret = directory;
        directory = (struct directory){ 0 };
        return 0;
}

void directory_free(struct directory *directory) {
        pool_free(&directory->pool);
        *directory = (struct directory){ 0 };
}
