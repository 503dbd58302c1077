/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "backends/configure_live.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "backends/network_mark.h"
#include "base/cleanup.h"
#include "base/log.h"
#include "base/process.h"
#include "base/whole_file.h"
#include "change/change_log.h"
#include "plan/device_status.h"
#include "plan/step.h"
#include "system/active_unit.h"

/* At boot systemd starts udevd after this program, and its socket before: who spoke to it would wait. */
static bool has_udev(void) {
        return whole_file_exists("/run/udev/control") && active_unit_is("systemd-udevd.service");
}

/* Whether this is no longer the boot, where all others start after this program. In a container there is no
 * udev; a message bus is. */
static bool is_late(void) {
        return active_unit_is("dbus.service") || active_unit_is("dbus-broker.service");
}

static bool reload(const char *what, const char *const *words) {
        int r = child_run(words);

        if (r != 0)
                log_warning("%s could not be made to read its files again: %s", what,
                            r < 0 ? strerror(-r) : "it refused");
        return r == 0;
}

static const struct network_output *find_output(const struct network_outputs *outputs,
                                                const char *interface) {
        for (size_t i = 0; i < outputs->n_items; i++)
                if (strcmp(outputs->items[i].line->name, interface) == 0)
                        return &outputs->items[i];
        return NULL;
}

/* Whether one of the files from before has given the interface this MTU. */
static bool was_ours(const struct network_own *own, const char *interface, uint32_t mtu) {
        char name[INTERFACE_NAME_SIZE];

        for (size_t i = 0; i < own->n_items; i++)
                if (network_mark_read(own->items[i].text, name) && strcmp(name, interface) == 0 &&
                    network_mark_read_mtu(own->items[i].text) == mtu)
                        return true;
        return false;
}

static bool set_one(const struct network_output *output, const struct network_own *own,
                    const struct link *link, struct snapshot *snapshot) {
        struct config_line line = *output->line;
        struct mtu_change change;
        bool is_done;

        line.spec.up = false;
        is_done = change_apply_line(snapshot, &line, link, &change);
        /* What udevd or networkd has set is no MTU from before setmtu. */
        if (!change.has_former && change.original == change.before &&
            was_ours(own, link->name, change.before))
                original_mtu_remove(link->ifindex);
        return is_done;
}

static bool put_back(const char *interface, const struct link *link, struct snapshot *snapshot) {
        struct original_mtu record;

        if (original_mtu_read(link->ifindex, &record) == -ENOENT)
                log_info("%s: its MTU stays %u until it appears again or the machine boots: it has had "
                         "it since then",
                         interface, link->mtu);
        return change_restore(snapshot, interface, link);
}

static bool is_changed(const struct network_changes *changes, const char *interface) {
        for (size_t i = 0; i < changes->n_interfaces; i++)
                if (strcmp(changes->interfaces[i], interface) == 0)
                        return true;
        return false;
}

/* Sets what is wanted, each device as its unit would, in the order of the steps. */
static bool set_all(const struct network_changes *changes, const struct network_outputs *outputs,
                    const struct network_own *own, struct snapshot *snapshot) {
        CLEANUP(steps_free) struct steps steps = { .n_items = 0 };
        bool is_done = true;

        if (steps_make(&snapshot->statuses, &snapshot->links, NULL, 0, &steps) < 0) {
                log_out_of_memory();
                return false;
        }
        for (size_t i = 0; i < steps.n_items; i++) {
                const struct config_line *line = steps.items[i].line;
                const struct network_output *output = line ? find_output(outputs, line->name) : NULL;
                struct link link;

                /* systemd goes by the name, and by no alternative one. */
                if (output && steps.items[i].action != STEP_FALL && is_changed(changes, line->name) &&
                    link_get_by_name(snapshot->socket, line->name, &link) == 0 &&
                    strcmp(link.name, line->name) == 0)
                        is_done &= set_one(output, own, &link, snapshot);
        }
        return is_done;
}

/* Those without any line. With one that is another backend's, or in error, a device stays as it is. */
static bool put_back_all(const struct network_changes *changes, struct snapshot *snapshot) {
        bool is_done = true;

        for (size_t i = 0; i < changes->n_interfaces; i++) {
                const char *interface = changes->interfaces[i];
                struct link link;

                /* The files of one device are beside each other, mostly; twice does no harm. */
                if ((i > 0 && strcmp(interface, changes->interfaces[i - 1]) == 0) ||
                    config_find(&snapshot->plan.config, interface) ||
                    link_get_by_name(snapshot->socket, interface, &link) < 0 ||
                    strcmp(link.name, interface) != 0)
                        continue;
                is_done &= put_back(interface, &link, snapshot);
        }
        return is_done;
}

bool configure_live_apply(const struct network_changes *changes, const struct network_outputs *outputs,
                          const struct network_own *own, struct snapshot *snapshot) {
        bool is_done = true, is_udev_there;

        if (changes->n_interfaces == 0)
                return true;
        is_udev_there = has_udev();
        if (!is_udev_there && !is_late())
                return true;
        if (changes->links && is_udev_there)
                is_done &= reload("udevd", (const char *const[]){ "udevadm", "control", "--reload",
                                                                  "--timeout=10", NULL });
        if (snapshot->links.n_links > 0) {
                is_done &= set_all(changes, outputs, own, snapshot);
                is_done &= put_back_all(changes, snapshot);
        }
        if (changes->networks && active_unit_is("systemd-networkd.service"))
                is_done &= reload("networkd", (const char *const[]){ "networkctl", "reload", NULL });
        return is_done;
}
