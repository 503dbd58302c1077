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

/* Lists what ends in `suffix` ("" for all) and does not begin with a dot. Errors leave `ret` untouched:
 * -ENOENT, also where it is no folder; -ENOMEM; those of opendir(3). */
MUST_USE NONNULL int folder_list(const char *path, const char *suffix, struct folder *ret);
NONNULL void folder_free(struct folder *folder); /* for CLEANUP(), too; of one that is all zeros, too */
