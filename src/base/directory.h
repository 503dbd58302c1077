/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* A directory's entries, sorted by name. Paths are absolute and below $SETMTU_ROOT. */

#include <stddef.h>

#include "base/attributes.h"
#include "base/pool.h"

/* Sorted by bytes. */
struct directory {
        char **names;
        size_t n_names;
        struct pool pool; /* owns them */
};

/* Lists the names that end in `suffix` ("" for all), without those that begin with a dot; none
 * if there is no such directory. `ret` is empty before, and after an error: -ENOMEM, or those of opendir(3)
 * and readdir(3). */
MUST_USE NONNULL int directory_list(const char *path, const char *suffix, struct directory *ret);
NONNULL void directory_free(
                struct directory *directory); /* for CLEANUP(), too; of one that is all zeros, too */
