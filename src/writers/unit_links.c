/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "writers/unit_links.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Makes `folder` and in it the link `name` to `target`. */
static int make_link(int directory, const char *folder, const char *name, const char *target) {
        char path[NAME_MAX + NAME_MAX];

        if (mkdirat(directory, folder, 0755) < 0 && errno != EEXIST)
                return -errno;
        snprintf(path, sizeof(path), "%s/%s", folder, name);
        if (symlinkat(target, directory, path) < 0 && errno != EEXIST)
                return -errno;
        return 0;
}

static void note_failure(struct unit_links_failure *failure, int error, const struct config_line *line) {
        if (error >= 0)
                return;
        if (failure->count++ == 0) {
                failure->error = error;
                failure->line = line;
        }
}

int unit_links_write(const struct plan *plan, int directory, const char *unit_directory,
                     struct unit_links_failure *ret) {
        char target[PATH_MAX];
        struct unit_links_failure failure = { 0 };

        snprintf(target, sizeof(target), "%s/setmtu@.service", unit_directory);
        for (size_t i = 0; i < plan->n_devices; i++) {
                const struct plan_device *device = &plan->devices[i];
                char folder[NAME_MAX], name[NAME_MAX];

                snprintf(folder, sizeof(folder), "sys-subsystem-net-devices-%s.device.wants",
                         device->instance);
                snprintf(name, sizeof(name), "setmtu@%s.service", device->instance);
                note_failure(&failure, make_link(directory, folder, name, target), device->line);
        }
        if (plan->has_rules) {
                snprintf(target, sizeof(target), "%s/setmtu-configure.service", unit_directory);
                note_failure(&failure,
                             make_link(directory, "sysinit.target.wants", "setmtu-configure.service",
                                       target),
                             NULL);
        }
        if (failure.count > 0)
                *ret = failure;
        return failure.error;
}
