/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "explain/managers.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-bus.h>
#include <systemd/sd-device.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "bus/bus.h"
#include "bus/systemd_manager.h"

#define NETWORKMANAGER "org.freedesktop.NetworkManager"
#define NETWORKD "org.freedesktop.network1"
/* They answer from memory. */
#define CALL_TIMEOUT_US (UINT64_C(10) * 1000 * 1000)

void managers_cleanup(struct managers *managers) {
        bus_cleanup(&managers->networkmanager);
        bus_cleanup(&managers->networkd);
}

static void open_all(struct managers *managers) {
        const char *root = getenv("SETMTU_ROOT");

        managers->is_open = true;
        /* Another root is not that of this machine's bus. */
        if (!manager_is_here() || (root && *root))
                return;
        if (bus_open(NETWORKMANAGER, sd_bus_open_system, CALL_TIMEOUT_US, &managers->networkmanager) < 0)
                managers->networkmanager = NULL;
        if (bus_open(NETWORKD, sd_bus_open_system, CALL_TIMEOUT_US, &managers->networkd) < 0)
                managers->networkd = NULL;
}

#define DEVICE_INTERFACE NETWORKMANAGER ".Device"
#define ACTIVE_INTERFACE NETWORKMANAGER ".Connection.Active"

/* NM_ACTIVATION_STATE_FLAG_EXTERNAL, and NM_DEVICE_STATE_ from PREPARE to ACTIVATED: NetworkManager's
 * src/libnm-core-public/nm-dbus-interface.h. */
#define ACTIVATION_EXTERNAL UINT32_C(0x80)
#define STATE_PREPARE 40
#define STATE_ACTIVATED 100

/* Reads one setting, a{sv}, of a profile. */
static int read_setting(sd_bus_message *reply, const char *setting, struct networkmanager_device *device) {
        int r = sd_bus_message_enter_container(reply, 'a', "{sv}");

        while (r >= 0 && (r = sd_bus_message_enter_container(reply, 'e', "sv")) > 0) {
                const char *key, *id;

                r = sd_bus_message_read(reply, "s", &key);
                if (r < 0)
                        return r;
                if (strcmp(key, "mtu") == 0) {
                        r = sd_bus_message_read(reply, "v", "u", &device->mtu);
                        snprintf(device->setting, sizeof(device->setting), "%s", setting);
                } else if (strcmp(setting, "connection") == 0 && strcmp(key, "id") == 0) {
                        r = sd_bus_message_read(reply, "v", "s", &id);
                        if (r >= 0)
                                snprintf(device->profile, sizeof(device->profile), "%s", id);
                } else
                        r = sd_bus_message_skip(reply, "v");
                if (r >= 0)
                        r = sd_bus_message_exit_container(reply);
        }
        return r < 0 ? r : sd_bus_message_exit_container(reply);
}

/* The settings with the MTU of the link, unlike ipv6.mtu. */
static const char with_mtu[] =
                "802-3-ethernet 802-11-wireless infiniband ip-tunnel wireguard loopback connection";

static int read_profile(sd_bus_message *reply, struct networkmanager_device *device) {
        int r = sd_bus_message_enter_container(reply, 'a', "{sa{sv}}");

        while (r >= 0 && (r = sd_bus_message_enter_container(reply, 'e', "sa{sv}")) > 0) {
                const char *setting;

                r = sd_bus_message_read(reply, "s", &setting);
                if (r >= 0)
                        r = text_is_among(setting, with_mtu) ? read_setting(reply, setting, device)
                                                             : sd_bus_message_skip(reply, "a{sv}");
                if (r >= 0)
                        r = sd_bus_message_exit_container(reply);
        }
        return r;
}

/* Whether another program has configured the device, so that NetworkManager only shows the connection. */
static bool is_external(struct bus *bus, const char *path) {
        CLEANUP(sd_bus_message_unrefp) sd_bus_message *reply = NULL;
        const char *active;
        uint32_t flags;

        return bus_call(bus, path, "org.freedesktop.DBus.Properties", "Get", &reply, "ss", DEVICE_INTERFACE,
                        "ActiveConnection") == 0 &&
               sd_bus_message_read(reply, "v", "o", &active) >= 0 && strcmp(active, "/") != 0 &&
               bus_get(bus, active, ACTIVE_INTERFACE, "StateFlags", 'u', &flags) == 0 &&
               (flags & ACTIVATION_EXTERNAL);
}

/* Nothing, unless NetworkManager runs and manages the device, and has not only found it configured by
 * another program: nm-dbus-types(5) and the XML files of its introspection directory. */
static void ask_networkmanager(struct bus *bus, const char *interface, struct networkmanager_device *ret) {
        CLEANUP(sd_bus_message_unrefp) sd_bus_message *reply = NULL, *applied = NULL;
        const char *path;
        uint32_t state;
        int is_managed;

        if (bus_call(bus, "/org/freedesktop/NetworkManager", NETWORKMANAGER, "GetDeviceByIpIface", &reply,
                     "s", interface) < 0 ||
            sd_bus_message_read(reply, "o", &path) < 0 ||
            bus_get(bus, path, DEVICE_INTERFACE, "Managed", 'b', &is_managed) < 0 || !is_managed ||
            bus_get(bus, path, DEVICE_INTERFACE, "State", 'u', &state) < 0 || is_external(bus, path))
                return;
        ret->is_managed = true;
        /* Another user's profile is hidden. */
        if (state >= STATE_PREPARE && state <= STATE_ACTIVATED &&
            bus_call(bus, path, DEVICE_INTERFACE, "GetAppliedConnection", &applied, "u", UINT32_C(0)) == 0)
                (void)read_profile(applied, ret);
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
        if (!managers->is_open)
                open_all(managers);
        if (managers->networkmanager)
                ask_networkmanager(managers->networkmanager, link->name, &ret->networkmanager);
        if (managers->networkd) {
                ask_networkd(managers->networkd, link->ifindex, ret);
                ask_udev(link->ifindex, ret);
        }
}
