/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* For tests that touch the file system: each has a directory of its own behind SETMTU_ROOT. */

#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char scratch_root[] = "/tmp/setmtu-test-XXXXXX";

/* Where `path` is to be found; valid until the next call. */
static inline const char *in_root(const char *path) {
        static char buffer[PATH_MAX];

        snprintf(buffer, sizeof(buffer), "%s%s", scratch_root, path);
        return buffer;
}

static inline int scratch_remove_entry(const char *path, const struct stat *status, int type,
                                       struct FTW *position) {
        (void)status;
        (void)type;
        (void)position;
        return remove(path);
}

/* These two for cmocka_unit_test_setup_teardown(). */
static inline int make_root(void **state) {
        (void)state;
        strcpy(scratch_root + sizeof(scratch_root) - 7, "XXXXXX");
        return mkdtemp(scratch_root) && setenv("SETMTU_ROOT", scratch_root, 1) == 0 ? 0 : -1;
}

static inline int remove_root(void **state) {
        (void)state;
        unsetenv("SETMTU_ROOT");
        return nftw(scratch_root, scratch_remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}
