/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* A backend is a file in this directory that defines one `struct backend_type`, and a row in each table of
 * backends/backends.c. Its name is in config/mtu_spec.h. A backend with units needs none of these: the
 * generator and backends/backend_unit.h serve it. */

#include "network_files/network_file.h"
#include "plan/device_plan.h"
#include "plan/link_table.h"
#include "store/generated_files.h"

/* The input of rendering, and the files that result. */
struct rendering {
        const struct plan *plan;
        const struct link_table *links; /* the existing devices; NULL: not considered */
        const struct diagnostic_sink *sink;
        struct generated_files *files;
};

struct backend_type {
        struct generated_kind files;

        /* Adds the files for the devices of this backend, and for those of backend auto that its manager may
         * manage. A device that cannot have a file is reported to the sink; `setmtu check` needs only that.
         * If something could not be read, that is reported for the whole file, and `files` may be
         * incomplete: no earlier file may then be removed. -ENOMEM is the only error. */
        int (*render)(const struct rendering *rendering);
};

extern const struct backend_type backend_networkd, backend_networkmanager;

#define NETWORKMANAGER_CONF "/run/NetworkManager/conf.d/90-setmtu.conf"
/* As a printf(3) format: setmtu's drop-in to a .network file of this name. */
#define NETWORK_DROP_IN_NAME "50-setmtu.conf"
#define NETWORK_DROP_IN NETWORK_FILE_DIRECTORY "/%s.d/" NETWORK_DROP_IN_NAME

/* Whether a file can set the device's MTU: it is a number, and within the device's limits. Otherwise
 * reported, unless the device has a unit, which reports it. A device whose unit is masked gets no file. */
bool backend_can_write(const struct rendering *rendering, const struct device_plan *device);

/* Whether setmtu may write the path below /run for the device, and no file of the same name below /etc hides
 * it: 1, 0, or a negative errno if that cannot be told. What is not 1 is reported, 0 as a warning only if
 * the device has a unit. */
int backend_is_free(const struct rendering *rendering, const struct device_plan *device, const char *path);
