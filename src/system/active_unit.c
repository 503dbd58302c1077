/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "system/active_unit.h"

#include <limits.h>
#include <stdio.h>

#include "base/whole_file.h"

int active_unit_is(const char *unit) {
        char path[PATH_MAX];

        if (snprintf(path, sizeof(path), ACTIVE_UNIT_FOLDER "/" ACTIVE_UNIT_PREFIX "%s", unit) >=
            (int)sizeof(path))
                return 0;
        /* The target of the symlink is an ID, not a file. */
        return whole_file_is_link(path);
}

int active_unit_is_udevd(void) {
        int r = whole_file_exists("/run/udev/control");

        return r > 0 ? active_unit_is("systemd-udevd.service") : r;
}
