/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* A folder's entries, sorted by name. Paths are absolute and below $SETMTU_ROOT. */

#include <stddef.h>

#include "base/attributes.h"
#include "base/pool.h"

/* Sorted by bytes. */
struct folder {
        char **names;
        size_t n_names;
        struct pool pool; /* owns them */
};

enum folder_flags {
        FOLDER_WITH_HIDDEN = 1 << 0,     /* include names that begin with a dot */
        FOLDER_WITHOUT_FOLDERS = 1 << 1, /* exclude folders, if the file system reports the type */
};

/* Lists the names that end in `suffix` ("" for all); `flags` are of enum folder_flags. Errors leave `ret`
 * untouched: -ENOENT if there is no such folder (the only error that means this); -ENOMEM; those of
 * opendir(3) and readdir(3). */
MUST_USE NONNULL int folder_list(const char *path, const char *suffix, unsigned flags, struct folder *ret);
NONNULL void folder_free(struct folder *folder); /* for CLEANUP(), too; of one that is all zeros, too */
