/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "system/unit_mask.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/root.h"

static bool is_mask(const char *folder, const char *unit) {
        static const char nowhere[] = "/dev/null";
        char path[PATH_MAX], buffer[PATH_MAX], target[sizeof(nowhere)];
        struct stat status;
        const char *in_root;

        snprintf(path, sizeof(path), "%s/%s", folder, unit);
        in_root = root_path(buffer, path);
        if (!in_root || lstat(in_root, &status) < 0)
                return false;
        if (S_ISREG(status.st_mode))
                return status.st_size == 0;
        return S_ISLNK(status.st_mode) &&
               readlink(in_root, target, sizeof(target)) == (ssize_t)strlen(nowhere) &&
               memcmp(target, nowhere, strlen(nowhere)) == 0;
}

bool unit_is_masked(const char *unit) {
        return is_mask("/etc/systemd/system", unit) || is_mask("/run/systemd/system", unit);
}

bool unit_mask_has_instance(const char *instance) {
        char unit[NAME_MAX];

        snprintf(unit, sizeof(unit), "setmtu@%s.service", instance);
        return unit_is_masked(unit) || unit_is_masked("setmtu@.service");
}
