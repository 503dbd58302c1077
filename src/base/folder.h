/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What is in a folder, by name. Paths are absolute and taken behind $SETMTU_ROOT. */

#include <stddef.h>

#include "base/attributes.h"

/* In the order of their bytes. */
struct folder {
        char **names;
        size_t n_names;
};

enum folder_flags {
        FOLDER_WITH_HIDDEN = 1 << 0,     /* also what begins with a dot */
        FOLDER_WITHOUT_FOLDERS = 1 << 1, /* where the file system tells at once which are */
};

/* Lists what ends in `suffix` ("" for all); `flags` are of enum folder_flags. Errors leave `ret` untouched:
 * -ENOENT, also where it is no folder, which alone means that nothing is there; -ENOMEM; those of opendir(3)
 * and readdir(3). */
MUST_USE NONNULL int folder_list(const char *path, const char *suffix, unsigned flags, struct folder *ret);
NONNULL void folder_free(struct folder *folder); /* for CLEANUP(), too; of one that is all zeros, too */
