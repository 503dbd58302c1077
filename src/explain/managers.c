/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "explain/managers.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-bus.h>
#include <systemd/sd-device.h>

#include "base/cleanup.h"
#include "bus/systemd_manager.h"

#define NETWORKD "org.freedesktop.network1"
/* They answer from memory. */
#define CALL_TIMEOUT_US (UINT64_C(10) * 1000 * 1000)

void managers_cleanup(struct managers *managers) {
        bus_cleanup(&managers->networkmanager);
        bus_cleanup(&managers->networkd);
}

static void open_all(struct managers *managers) {
        const char *root = getenv("SETMTU_ROOT");

        managers->has_asked = true;
        managers->is_here = manager_is_here();
        /* Another root is not that of this machine's bus. */
        if (!managers->is_here || (root && *root))
                return;
        if (bus_open(NETWORKMANAGER, sd_bus_open_system, CALL_TIMEOUT_US, &managers->networkmanager) < 0)
                managers->networkmanager = NULL;
        if (bus_open(NETWORKD, sd_bus_open_system, CALL_TIMEOUT_US, &managers->networkd) < 0)
                managers->networkd = NULL;
}

/* org.freedesktop.network1(5): a JSON text, since systemd 250. */
static void ask_networkd(struct bus *bus, unsigned ifindex, struct manager_facts *ret) {
        CLEANUP(sd_bus_message_unrefp) sd_bus_message *reply = NULL;
        json_auto_t *description = NULL;
        const char *text, *file, *state;

        if (bus_call(bus, "/org/freedesktop/network1", NETWORKD ".Manager", "DescribeLink", &reply, "i",
                     (int)ifindex) < 0 ||
            sd_bus_message_read(reply, "s", &text) < 0)
                return;
        description = json_loads(text, 0, NULL);
        file = json_string_value(json_object_get(description, "NetworkFile"));
        state = json_string_value(json_object_get(description, "AdministrativeState"));
        if (file && state && strcmp(state, "unmanaged") != 0)
                snprintf(ret->network_file, sizeof(ret->network_file), "%s", file);
}

static void ask_udev(unsigned ifindex, struct manager_facts *ret) {
        CLEANUP(sd_device_unrefp) sd_device *device = NULL;
        const char *file;

        if (sd_device_new_from_ifindex(&device, (int)ifindex) >= 0 &&
            sd_device_get_property_value(device, "ID_NET_LINK_FILE", &file) >= 0)
                snprintf(ret->link_file, sizeof(ret->link_file), "%s", file);
}

void managers_ask(struct managers *managers, const struct link *link, struct manager_facts *ret) {
        *ret = (struct manager_facts){ 0 };
        if (!link)
                return;
        if (!managers->has_asked)
                open_all(managers);
        if (!managers->is_here)
                return;
        ret->has_networkmanager = managers->networkmanager &&
                                  networkmanager_get_device(managers->networkmanager, link->name,
                                                            &ret->networkmanager);
        if (managers->networkd) {
                ask_networkd(managers->networkd, link->ifindex, ret);
                ask_udev(link->ifindex, ret);
        }
}

size_t managers_list(const struct manager_facts *facts, struct manager ret[static MANAGERS_MAX]) {
        const struct networkmanager_device *device = &facts->networkmanager;
        const struct {
                bool is_there;
                struct manager manager;
        } all[MANAGERS_MAX] = {
                { facts->has_networkmanager,
                  { .name = "networkmanager",
                    .title = "NetworkManager",
                    .profile = device->is_active ? device->profile : NULL,
                    .mtu = device->mtu } },
                { facts->network_file[0],
                  { .name = "networkd", .title = "systemd-networkd", .file = facts->network_file } },
                { facts->link_file[0],
                  { .name = "udev", .title = "systemd-udevd", .file = facts->link_file } },
        };
        size_t n = 0;

        for (size_t i = 0; i < MANAGERS_MAX; i++)
                if (all[i].is_there)
                        ret[n++] = all[i].manager;
        return n;
}
