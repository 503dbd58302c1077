/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "backends/unit_order.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/cleanup.h"

static int write_one(const struct device_plan *device, int directory) {
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

int unit_order_write(const struct plan *plan, int directory, const struct config_line **ret_line) {
        int error = 0;

        for (size_t i = 0; i < plan->n_devices; i++) {
                const struct device_plan *device = &plan->devices[i];
                int r = device->lower ? write_one(device, directory) : 0;

                if (r < 0 && error == 0) {
                        error = r;
                        *ret_line = device->line;
                }
        }
        return error;
}
