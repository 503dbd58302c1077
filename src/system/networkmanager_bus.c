/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "system/networkmanager_bus.h"

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

/* NM_MANAGER_RELOAD_FLAG_CONF, NM_ACTIVATION_STATE_FLAG_EXTERNAL,
 * NM_DEVICE_REAPPLY_FLAGS_PRESERVE_EXTERNAL_IP (since 1.42), and NM_DEVICE_STATE_ from PREPARE to ACTIVATED:
 * NetworkManager's src/libnm-core-public/nm-dbus-interface.h. */
#define RELOAD_CONF UINT32_C(0x1)
#define REAPPLY_PRESERVE_EXTERNAL_IP UINT32_C(0x1)
#define ACTIVATION_EXTERNAL UINT32_C(0x80)
#define STATE_PREPARE 40
#define STATE_ACTIVATED 100

struct networkmanager {
        sd_bus *bus;
        bool is_silent; /* an answer timed out: no more requests are sent */
        char error_text[256];
};

static const sd_bus_error_map errors[] = {
        SD_BUS_ERROR_MAP("org.freedesktop.NetworkManager.UnknownDevice", ENODEV),
        SD_BUS_ERROR_MAP("org.freedesktop.NetworkManager.Device.InvalidArgument", EINVAL),
        SD_BUS_ERROR_MAP("org.freedesktop.NetworkManager.Device.Failed", EOPNOTSUPP),
        SD_BUS_ERROR_MAP("org.freedesktop.NetworkManager.PermissionDenied", EACCES),
        SD_BUS_ERROR_MAP_END,
};

int networkmanager_open(struct networkmanager **ret) {
        CLEANUP(networkmanager_cleanup) struct networkmanager *networkmanager = NULL;
        const char *root = getenv("SETMTU_ROOT");
        int r;

        if (root && *root)
                return -ENXIO;
        networkmanager = calloc(1, sizeof(*networkmanager));
        if (!networkmanager)
                return -ENOMEM;
        r = sd_bus_error_add_map(errors);
        if (r < 0)
                return r;
        r = sd_bus_open_system(&networkmanager->bus);
        if (r == -ENOENT || r == -ECONNREFUSED)
                return -ENXIO;
        if (r >= 0)
                r = sd_bus_set_method_call_timeout(networkmanager->bus, CALL_TIMEOUT_US);
        if (r >= 0)
                r = sd_bus_get_name_creds(networkmanager->bus, DESTINATION, 0, NULL);
        if (r < 0)
                return r;
        *ret = networkmanager;
        networkmanager = NULL;
        return 0;
}

void networkmanager_cleanup(struct networkmanager **networkmanager) {
        if (!*networkmanager)
                return;
        sd_bus_flush_close_unref((*networkmanager)->bus);
        free(*networkmanager);
}

const char *networkmanager_error_text(const struct networkmanager *networkmanager) {
        return networkmanager->error_text;
}

/* Stores the text of an error and returns `r`, its negative errno. */
static int complain(struct networkmanager *networkmanager, const sd_bus_error *error, int r) {
        if (networkmanager->is_silent)
                return -ETIMEDOUT;
        networkmanager->is_silent = r == -ETIMEDOUT;
        if (networkmanager->is_silent)
                sd_bus_close(networkmanager->bus);
        snprintf(networkmanager->error_text, sizeof(networkmanager->error_text), "%s",
                 networkmanager->is_silent ? "no answer in time"
                 : error && error->message ? error->message
                                           : strerror(-r));
        return r;
}

static int begin_call(struct networkmanager *networkmanager, const char *path, const char *interface,
                      const char *method, sd_bus_message **ret) {
        int r = sd_bus_message_new_method_call(networkmanager->bus, ret, DESTINATION, path, interface,
                                               method);

        return r < 0 ? r : sd_bus_message_set_auto_start(*ret, 0);
}

/* `ret_reply` may be NULL. */
static int finish_call(struct networkmanager *networkmanager, sd_bus_message *message,
                       sd_bus_message **ret_reply) {
        CLEANUP(sd_bus_error_free) sd_bus_error error = SD_BUS_ERROR_NULL;
        int r = sd_bus_call(networkmanager->bus, message, 0, &error, ret_reply);

        return r < 0 ? complain(networkmanager, &error, r) : 0;
}

/* A call with one argument, of type `s` or `u`. */
static int call(struct networkmanager *networkmanager, const char *path, const char *interface,
                const char *method, sd_bus_message **ret_reply, char type, const void *argument) {
        CLEANUP(sd_bus_message_unrefp) sd_bus_message *message = NULL;
        int r = begin_call(networkmanager, path, interface, method, &message);

        if (r >= 0)
                r = sd_bus_message_append_basic(message, type, argument);
        return r < 0 ? complain(networkmanager, NULL, r) : finish_call(networkmanager, message, ret_reply);
}

int networkmanager_reload(struct networkmanager *networkmanager) {
        return call(networkmanager, PATH, INTERFACE, "Reload", NULL, 'u', &(uint32_t){ RELOAD_CONF });
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
                if (strcmp(key, "mtu") == 0 && strcmp(contents, "u") == 0)
                        r = sd_bus_message_read(reply, "v", "u", &device->mtu);
                else if (strcmp(setting, "connection") == 0 && strcmp(key, "id") == 0 &&
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

/* Gets the applied profile, with a version that changes when another one is applied. */
static int get_applied(struct networkmanager *networkmanager, const char *path, sd_bus_message **ret) {
        return call(networkmanager, path, DEVICE_INTERFACE, "GetAppliedConnection", ret, 'u',
                    &(uint32_t){ 0 });
}

static int get_property(struct networkmanager *networkmanager, const char *path, const char *interface,
                        const char *name, char type, void *ret) {
        CLEANUP(sd_bus_error_free) sd_bus_error error = SD_BUS_ERROR_NULL;
        int r = sd_bus_get_property_trivial(networkmanager->bus, DESTINATION, path, interface, name, &error,
                                            type, ret);

        return r < 0 ? complain(networkmanager, &error, r) : 0;
}

/* Whether the profile is hidden from this user, or has just gone. Other errors are failures. */
static bool is_hidden(int r) {
        return r == -EACCES || r == -EPERM || r == -EBADR || r == -EIO;
}

/* Whether another program has configured the device, so that NetworkManager only shows the connection: 1, 0
 * or a negative errno. */
static int is_external(struct networkmanager *networkmanager, const char *path) {
        CLEANUP(sd_bus_message_unrefp) sd_bus_message *reply = NULL;
        CLEANUP(sd_bus_error_free) sd_bus_error error = SD_BUS_ERROR_NULL;
        const char *active;
        uint32_t flags = 0;
        int r = sd_bus_get_property(networkmanager->bus, DESTINATION, path, DEVICE_INTERFACE,
                                    "ActiveConnection", &error, &reply, "o");

        if (r >= 0)
                r = sd_bus_message_read(reply, "o", &active);
        if (r < 0)
                r = complain(networkmanager, &error, r);
        else if (strcmp(active, "/") != 0)
                r = get_property(networkmanager, active, ACTIVE_INTERFACE, "StateFlags", 'u', &flags);
        return r < 0 && !is_hidden(r) ? r : (flags & ACTIVATION_EXTERNAL) != 0;
}

int networkmanager_get_device(struct networkmanager *networkmanager, const char *interface,
                              struct networkmanager_device *ret) {
        CLEANUP(sd_bus_message_unrefp) sd_bus_message *reply = NULL, *applied = NULL;
        struct networkmanager_device device = { 0 };
        const char *path;
        uint32_t state;
        int is_managed, r = call(networkmanager, PATH, INTERFACE, "GetDeviceByIpIface", &reply, 's',
                                 interface);

        if (r < 0)
                return r;
        r = sd_bus_message_read(reply, "o", &path);
        if (r < 0)
                return complain(networkmanager, NULL, r);
        snprintf(device.path, sizeof(device.path), "%s", path);
        r = get_property(networkmanager, device.path, DEVICE_INTERFACE, "Managed", 'b', &is_managed);
        if (r >= 0)
                r = get_property(networkmanager, device.path, DEVICE_INTERFACE, "State", 'u', &state);
        if (r >= 0)
                r = is_external(networkmanager, device.path);
        if (r < 0)
                return r;
        device.is_managed = is_managed && !r;
        device.is_active = device.is_managed && state >= STATE_PREPARE && state <= STATE_ACTIVATED;
        r = device.is_active ? get_applied(networkmanager, device.path, &applied) : 0;
        if (r < 0 && !is_hidden(r))
                return r;
        if (applied)
                (void)read_profile(applied, &device);
        *ret = device;
        return 0;
}

static int reapply(struct networkmanager *networkmanager, const struct networkmanager_device *device,
                   uint32_t flags) {
        CLEANUP(sd_bus_message_unrefp) sd_bus_message *message = NULL, *applied = NULL;
        uint64_t version;
        int r = get_applied(networkmanager, device->path, &applied);

        if (r < 0)
                return r;
        r = begin_call(networkmanager, device->path, DEVICE_INTERFACE, "Reapply", &message);
        if (r >= 0)
                r = sd_bus_message_copy(message, applied, 0); /* one complete type: the profile */
        if (r >= 0)
                r = sd_bus_message_read(applied, "t", &version);
        if (r >= 0)
                r = sd_bus_message_append(message, "tu", version, flags);
        return r < 0 ? complain(networkmanager, NULL, r) : finish_call(networkmanager, message, NULL);
}

int networkmanager_reapply(struct networkmanager *networkmanager,
                           const struct networkmanager_device *device) {
        int r = reapply(networkmanager, device, REAPPLY_PRESERVE_EXTERNAL_IP);

        /* NetworkManager before 1.42 knows no flags. */
        return r == -EINVAL || r == -EOPNOTSUPP ? reapply(networkmanager, device, 0) : r;
}
