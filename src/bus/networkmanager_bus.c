/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "bus/networkmanager_bus.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-bus.h>

#include "base/cleanup.h"
#include "base/text.h"

#define DESTINATION "org.freedesktop.NetworkManager"
#define PATH "/org/freedesktop/NetworkManager"
#define INTERFACE DESTINATION
#define DEVICE_INTERFACE DESTINATION ".Device"
#define ACTIVE_INTERFACE DESTINATION ".Connection.Active"

/* NetworkManager answers from memory. */
#define CALL_TIMEOUT_US (UINT64_C(10) * 1000 * 1000)

/* NM_ACTIVATION_STATE_FLAG_EXTERNAL, and NM_DEVICE_STATE_ from PREPARE to ACTIVATED: NetworkManager's
 * src/libnm-core-public/nm-dbus-interface.h. */
#define ACTIVATION_EXTERNAL UINT32_C(0x80)
#define STATE_PREPARE 40
#define STATE_ACTIVATED 100

static int connect_system(sd_bus **ret) {
        int r = sd_bus_open_system(ret);

        return r == -ENOENT || r == -ECONNREFUSED ? -ENXIO : r;
}

int networkmanager_open(struct bus **ret) {
        CLEANUP(bus_cleanup) struct bus *bus = NULL;
        const char *root = getenv("SETMTU_ROOT");
        int r;

        if (root && *root)
                return -ENXIO;
        r = bus_open(DESTINATION, connect_system, CALL_TIMEOUT_US, &bus);
        if (r >= 0)
                r = sd_bus_get_name_creds(bus->bus, DESTINATION, 0, NULL);
        if (r < 0)
                return r;
        *ret = bus;
        bus = NULL;
        return 0;
}

/* Reads one setting, a{sv}, of a profile. */
static int read_setting(sd_bus_message *reply, const char *setting, struct networkmanager_device *device) {
        int r = sd_bus_message_enter_container(reply, 'a', "{sv}");

        while (r >= 0 && (r = sd_bus_message_enter_container(reply, 'e', "sv")) > 0) {
                const char *key, *contents;

                r = sd_bus_message_read(reply, "s", &key);
                if (r >= 0)
                        r = sd_bus_message_peek_type(reply, NULL, &contents);
                if (r < 0)
                        return r;
                if (strcmp(key, "mtu") == 0 && strcmp(contents, "u") == 0) {
                        r = sd_bus_message_read(reply, "v", "u", &device->mtu);
                        snprintf(device->setting, sizeof(device->setting), "%s", setting);
                } else if (strcmp(setting, "connection") == 0 && strcmp(key, "id") == 0 &&
                           strcmp(contents, "s") == 0) {
                        const char *id;

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

/* Whether the profile is hidden from this user, or has just gone. Other errors are failures. */
static bool is_hidden(int r) {
        return r == -EACCES || r == -EPERM || r == -EBADR || r == -EIO;
}

/* Whether another program has configured the device, so that NetworkManager only shows the connection: 1, 0
 * or a negative errno. */
static int is_external(struct bus *bus, const char *path) {
        CLEANUP(sd_bus_message_unrefp) sd_bus_message *reply = NULL;
        const char *active = "/";
        uint32_t flags = 0;
        int r = bus_call(bus, path, "org.freedesktop.DBus.Properties", "Get", &reply, "ss", DEVICE_INTERFACE,
                         "ActiveConnection");

        if (r >= 0 && (r = sd_bus_message_read(reply, "v", "o", &active)) < 0)
                (void)bus_fail(bus, r);
        if (r >= 0 && strcmp(active, "/") != 0)
                r = bus_get(bus, active, ACTIVE_INTERFACE, "StateFlags", 'u', &flags);
        return r < 0 && !is_hidden(r) ? r : (flags & ACTIVATION_EXTERNAL) != 0;
}

int networkmanager_get_device(struct bus *bus, const char *interface, struct networkmanager_device *ret) {
        CLEANUP(sd_bus_message_unrefp) sd_bus_message *reply = NULL, *applied = NULL;
        struct networkmanager_device device = { 0 };
        const char *path;
        uint32_t state;
        int is_managed, r = bus_call(bus, PATH, INTERFACE, "GetDeviceByIpIface", &reply, "s", interface);

        if (r < 0)
                return r;
        r = sd_bus_message_read(reply, "o", &path);
        if (r < 0)
                return bus_fail(bus, r);
        r = bus_get(bus, path, DEVICE_INTERFACE, "Managed", 'b', &is_managed);
        if (r >= 0)
                r = bus_get(bus, path, DEVICE_INTERFACE, "State", 'u', &state);
        if (r >= 0)
                r = is_external(bus, path);
        if (r < 0)
                return r;
        device.is_managed = is_managed && !r;
        device.is_active = device.is_managed && state >= STATE_PREPARE && state <= STATE_ACTIVATED;
        if (device.is_active)
                r = bus_call(bus, path, DEVICE_INTERFACE, "GetAppliedConnection", &applied, "u",
                             UINT32_C(0));
        if (r < 0 && !is_hidden(r))
                return r;
        if (applied)
                (void)read_profile(applied, &device);
        *ret = device;
        return 0;
}
