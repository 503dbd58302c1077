/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "backends/unit_links.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"

void unit_links_each(const struct plan *plan, const char *unit_directory,
                     void (*take)(void *userdata, const struct unit_link *link), void *userdata) {
        char target[PATH_MAX], folder[NAME_MAX], name[NAME_MAX];

        snprintf(target, sizeof(target), "%s/setmtu@.service", unit_directory);
        for (size_t i = 0; i < plan->n_devices; i++) {
                const struct device_plan *device = &plan->devices[i];

                if (!device_plan_has_unit(device))
                        continue;
                snprintf(folder, sizeof(folder), "sys-subsystem-net-devices-%s.device.wants",
                         device->instance);
                snprintf(name, sizeof(name), "setmtu@%s.service", device->instance);
                take(userdata, &(struct unit_link){ folder, name, target, device->line });
        }
        if (plan_has_files(plan)) {
                snprintf(target, sizeof(target), "%s/setmtu-configure.service", unit_directory);
                take(userdata, &(struct unit_link){ "sysinit.target.wants", "setmtu-configure.service",
                                                    target, NULL });
        }
}

struct writing {
        int directory;
        struct unit_links_failure failure;
};

/* Makes the folder and in it the link. */
static int make_link(int directory, const struct unit_link *link) {
        char path[NAME_MAX + NAME_MAX];

        if (mkdirat(directory, link->folder, 0755) < 0 && errno != EEXIST)
                return -errno;
        snprintf(path, sizeof(path), "%s/%s", link->folder, link->name);
        if (symlinkat(link->target, directory, path) < 0 && errno != EEXIST)
                return -errno;
        return 0;
}

static void write_link(void *userdata, const struct unit_link *link) {
        struct writing *writing = userdata;
        int r = make_link(writing->directory, link);

        if (r < 0 && writing->failure.count++ == 0) {
                writing->failure.error = r;
                writing->failure.line = link->line;
        }
}

int unit_links_write(const struct plan *plan, int directory, const char *unit_directory,
                     struct unit_links_failure *ret) {
        struct writing writing = { .directory = directory };

        unit_links_each(plan, unit_directory, write_link, &writing);
        if (writing.failure.count > 0)
                *ret = writing.failure;
        return writing.failure.error;
}

static int write_order(const struct device_plan *device, int directory) {
        char folder[NAME_MAX], path[2 * NAME_MAX], lower[UNIT_NAME_ESCAPED_SIZE(INTERFACE_NAME_SIZE - 1)];
        CLEANUP(cleanup_close) int fd = -1;

        unit_name_escape(device->lower->name, lower);
        snprintf(folder, sizeof(folder), "setmtu@%s.service.d", device->instance);
        snprintf(path, sizeof(path), "%s/50-setmtu.conf", folder);
        if (mkdirat(directory, folder, 0755) < 0 && errno != EEXIST)
                return -errno;
        fd = openat(directory, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644);
        if (fd < 0)
                return -errno;
        return dprintf(fd,
                       "# Written by setmtu-generator: by its name, this device stands on the other one.\n"
                       "[Unit]\n"
                       "After=setmtu@%s.service\n",
                       lower) < 0
                               ? -errno
                               : 0;
}

int unit_links_write_order(const struct plan *plan, int directory, const struct config_line **ret_line) {
        int error = 0;

        for (size_t i = 0; i < plan->n_devices; i++) {
                const struct device_plan *device = &plan->devices[i];
                int r = device->lower ? write_order(device, directory) : 0;

                if (r < 0 && error == 0) {
                        error = r;
                        *ret_line = device->line;
                }
        }
        return error;
}
