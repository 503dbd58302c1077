/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/root.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

const char *root_path(char buffer[static PATH_MAX], const char *path) {
        const char *root = getenv("SETMTU_ROOT");

        if (!root || !*root)
                return path;
        if (snprintf(buffer, PATH_MAX, "%s%s", root, path) >= PATH_MAX) {
                errno = ENAMETOOLONG;
                return NULL;
        }
        return buffer;
}
