/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "backends/unit_links.h"

#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/root.h"
#include "base/whole_file.h"

/* How far the links of a plan have been listed; all zeros at first. */
struct unit_links {
        size_t index;
        bool is_without_devices; /* systemd has no device units here */
};

/* Services pulled in besides the devices' units; all but the first only if a line has "keep" or "auto". Each
 * device's unit pulls in setmtu-keep.service too, so that systemctl starts it if a line gets "keep" at run
 * time. */
static const struct unit_link services[] = {
        { "sysinit.target.wants", "setmtu-configure.service", SYSTEM_UNIT_DIR "/setmtu-configure.service" },
        { "sysinit.target.wants", KEEP_UNIT, SYSTEM_UNIT_DIR "/" KEEP_UNIT },
        { "setmtu@.service.wants", KEEP_UNIT, SYSTEM_UNIT_DIR "/" KEEP_UNIT },
};

/* systemd.generator(7): the first directory that systemd gives to generators. */
#define GENERATOR_DIRECTORY "/run/systemd/generator"

#define N_SERVICES (sizeof(services) / sizeof(services[0]))

/* As device_is_supported() in systemd's src/core/device.c, and the condition of systemd-udevd.service: a
 * container with a read-only /sys has no device units. */
static bool has_device_units(void) {
        char buffer[PATH_MAX];

        return access(root_path(buffer, "/sys"), W_OK) == 0 || errno != EROFS;
}

/* False if there is no more. */
static bool next_link(const struct plan *plan, struct unit_links *at, struct unit_link *ret) {
        if (at->index == 0)
                at->is_without_devices = !has_device_units();
        while (at->index < plan->n_devices) {
                const struct device_plan *device = &plan->devices[at->index++];

                /* Of a pattern, the udev rule alone knows the devices. */
                if (!backend_has_unit(device->backend) || device->line->is_pattern)
                        continue;
                strcpy(stpcpy(stpcpy(ret->directory, "sys-subsystem-net-devices-"), device->instance),
                       ".device.wants");
                if (at->is_without_devices)
                        strcpy(ret->directory, services[0].directory);
                strcpy(stpcpy(stpcpy(ret->name, "setmtu@"), device->instance), ".service");
                ret->target = SYSTEM_UNIT_DIR "/setmtu@.service";
                return true;
        }
        while (at->index < plan->n_devices + N_SERVICES) {
                size_t i = at->index++ - plan->n_devices;

                /* A configuration that cannot be read now may soon be readable and need both. */
                if (!plan->config.is_partial && (i > 0 ? !plan->has_kept : plan->n_devices == 0))
                        continue;
                *ret = services[i];
                return true;
        }
        return false;
}

/* Creates the directory and the link in it. */
static int make_link(int directory, const struct unit_link *link) {
        char path[NAME_MAX + NAME_MAX];

        if (mkdirat(directory, link->directory, 0755) < 0 && errno != EEXIST)
                return -errno;
        strcpy(stpcpy(stpcpy(path, link->directory), "/"), link->name);
        if (symlinkat(link->target, directory, path) < 0 && errno != EEXIST)
                return -errno;
        return 0;
}

int unit_links_write(const struct plan *plan, int directory, struct unit_link *ret) {
        struct unit_links links = { 0 };
        struct unit_link link;
        int result = 0;

        while (next_link(plan, &links, &link)) {
                int r = make_link(directory, &link);

                if (r == 0 || result < 0)
                        continue;
                *ret = link;
                result = r;
        }
        return result;
}

bool unit_links_are_made(const struct plan *plan) {
        char path[PATH_MAX], target[PATH_MAX];
        struct unit_links links = { 0 };
        size_t n = 0, n_made = 0;
        struct unit_link link;
        glob_t made = { 0 };

        while (next_link(plan, &links, &link)) {
                snprintf(path, sizeof(path), GENERATOR_DIRECTORY "/%s/%s", link.directory, link.name);
                if (whole_file_read_link(path, target, sizeof(target)) < 0 ||
                    strcmp(target, link.target) != 0)
                        return false;
                n++;
        }
        /* None more: that of a line that is gone. */
        if (glob(root_path(path, GENERATOR_DIRECTORY "/*/*setmtu*"), 0, NULL, &made) == 0)
                n_made = made.gl_pathc;
        globfree(&made);
        return n == n_made;
}
