/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "state/unit_state.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/whole_file.h"

const char *unit_of_device(char buffer[static UNIT_OF_DEVICE_SIZE], const char *interface) {
        char *instance = stpcpy(buffer, "setmtu@");

        unit_name_escape(interface, instance);
        strcat(instance, ".service");
        return buffer;
}

/* Whether the file is empty, as /dev/null is, which everybody may read. */
static int is_mask(const char *directory, const char *unit) {
        CLEANUP(cleanup_free) char *text = NULL;
        char path[PATH_MAX];
        size_t size;
        int r;

        snprintf(path, sizeof(path), "%s/%s", directory, unit);
        r = whole_file_read(path, 1, &text, &size);
        if (r == 0)
                return size == 0;
        return r == -ENOENT || r == -EACCES || r == -EFBIG || r == -EINVAL ? 0 : r;
}

int unit_is_masked(const char *unit) {
        int r = is_mask("/etc/systemd/system", unit);

        return r == 0 ? is_mask("/run/systemd/system", unit) : r;
}

int unit_is_device_masked(const char *interface) {
        int r = unit_is_masked(UNIT_OF_DEVICE(interface));

        return r == 0 ? unit_is_masked("setmtu@.service") : r;
}

int unit_is_active(const char *unit) {
        char path[PATH_MAX];

        /* The invocation ID of an active unit, as the target of a symlink: unit_export_invocation_id() in
         * systemd's src/core/unit.c. */
        if (snprintf(path, sizeof(path), "/run/systemd/units/invocation:%s", unit) >= (int)sizeof(path))
                return 0;
        return whole_file_is_link(path);
}

int unit_is_boot(void) {
        int r = unit_is_active("systemd-udevd.service");

        /* A container has no udev, but a message bus. */
        if (r == 0)
                r = unit_is_active("dbus.service");
        if (r == 0)
                r = unit_is_active("dbus-broker.service");
        return r < 0 ? r : r == 0;
}
