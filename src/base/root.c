/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/root.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *root_path(char buffer[static PATH_MAX], const char *path) {
        const char *root = getenv("SETMTU_ROOT");
        size_t length = root ? strlen(root) : 0, size = strlen(path) + 1;

        if (length == 0)
                return path;
        if (length + size > PATH_MAX) {
                errno = ENAMETOOLONG;
                return NULL;
        }
        memcpy(buffer, root, length);
        memcpy(buffer + length, path, size);
        return buffer;
}
