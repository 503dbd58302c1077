/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/root.h"

#include <stdlib.h>
#include <string.h>

const char *root_path(char buffer[static PATH_MAX], const char *path) {
        const char *root = getenv("SETMTU_ROOT");

        if (!root || !*root)
                return path;
        if (strlen(root) + strlen(path) < PATH_MAX) {
                strcpy(stpcpy(buffer, root), path);
                return buffer;
        }
        memset(buffer, 'x', PATH_MAX - 1);
        buffer[0] = '/';
        buffer[PATH_MAX - 1] = '\0';
        return buffer;
}
