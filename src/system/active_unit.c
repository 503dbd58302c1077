/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "system/active_unit.h"

#include <stdio.h>
#include <sys/stat.h>

#include "base/root.h"
#include "base/whole_file.h"

bool active_unit_is(const char *unit) {
        char path[PATH_MAX], buffer[PATH_MAX];
        const char *in_root;
        struct stat status;

        if (snprintf(path, sizeof(path), ACTIVE_UNIT_FOLDER "/" ACTIVE_UNIT_PREFIX "%s", unit) >=
            (int)sizeof(path))
                return false;
        in_root = root_path(buffer, path);
        /* The link's target is an ID, and no file. */
        return in_root && lstat(in_root, &status) == 0;
}

bool active_unit_is_udevd(void) {
        return whole_file_exists("/run/udev/control") && active_unit_is("systemd-udevd.service");
}
