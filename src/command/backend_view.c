/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "command/backend_view.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "system/owner_state.h"
#include "system/systemd_ini.h"
#include "system/systemd_manager.h"

void backend_views_open(struct backend_views *ret) {
        *ret = (struct backend_views){ .is_known = manager_is_here() };
}

void backend_views_cleanup(struct backend_views *views) {
        networkmanager_close(views->networkmanager);
        *views = (struct backend_views){ 0 };
}

__attribute__((format(printf, 3, 4))) static void take(struct backend_view *view, enum backend backend,
                                                       const char *format, ...) {
        va_list arguments;

        view->taken = backend_name(backend);
        va_start(arguments, format);
        vsnprintf(view->reason, sizeof(view->reason), format, arguments);
        va_end(arguments);
}

/* False where it does not run, or knows nothing of the device. */
static bool ask(struct backend_views *views, const struct link *link, struct networkmanager_device *ret) {
        if (!views->is_asked)
                (void)networkmanager_open(&views->networkmanager);
        views->is_asked = true;
        return views->networkmanager &&
               networkmanager_get_device(views->networkmanager, link->name, ret) == 0;
}

/* Whether a profile's own MTU goes before the line's. */
static bool is_overridden(const struct device_plan *planned, const struct networkmanager_device *device) {
        return device->mtu > 0 && device->mtu != planned->line->spec.mtu;
}

static void view_networkmanager(struct backend_views *views, const struct device_plan *planned,
                                const struct link *link, struct backend_view *ret) {
        bool is_auto = planned->backend == BACKEND_AUTO;
        struct networkmanager_device device;
        char profile[TEXT_QUOTE_SIZE];

        if (!ask(views, link, &device)) {
                if (is_auto)
                        take(ret, BACKEND_NETWORKMANAGER, "NetworkManager has the device");
                else
                        take(ret, BACKEND_NETWORKMANAGER,
                             "NetworkManager does not run, or does not know the device");
                return;
        }
        text_quote(profile, device.profile, strlen(device.profile));
        if (!device.is_managed)
                take(ret, is_auto ? BACKEND_UNIT : BACKEND_NETWORKMANAGER,
                     "NetworkManager does not manage the device");
        else if (is_overridden(planned, &device)) {
                ret->overridden = device.mtu;
                take(ret, BACKEND_NETWORKMANAGER, "its profile %s gives it %u by itself", profile,
                     device.mtu);
        } else if (is_auto && device.profile[0])
                take(ret, BACKEND_NETWORKMANAGER, "NetworkManager has the device, by its profile %s",
                     profile);
        else if (is_auto)
                take(ret, BACKEND_NETWORKMANAGER, "NetworkManager has the device");
}

/* Whether setmtu has a file there. */
static bool has_own(const char *path) {
        char *text;
        size_t size;
        bool result;

        if (whole_file_read(path, 1024 * 1024, &text, &size) < 0)
                return false;
        result = network_file_is_ours(path, text);
        free(text);
        return result;
}

static void view_networkd(const char *network, struct backend_view *ret) {
        const char *name = strrchr(network, '/');
        char path[2 * PATH_MAX], shown[TEXT_QUOTE_SIZE];

        snprintf(path, sizeof(path), NETWORK_FILE_FOLDER "/%s.d/" NETWORK_DROP_IN_NAME,
                 name ? name + 1 : network);
        text_show(shown, network);
        if (has_own(path))
                take(ret, BACKEND_NETWORK, "systemd-networkd has the device, by %s", shown);
        else
                take(ret, BACKEND_UNIT,
                     "systemd-networkd has the device, and %s is not for it alone, or not told of it yet",
                     shown);
}

/* `profile`: NULL where netctl chooses one itself. */
static void view_netctl(const char *profile, const struct link *link, struct backend_view *ret) {
        char path[sizeof(NETWORK_HOOK_NETCTL NETWORK_HOOK_BELOW "/") + INTERFACE_NAME_SIZE],
                        shown[TEXT_QUOTE_SIZE];

        snprintf(path, sizeof(path), NETWORK_HOOK_NETCTL NETWORK_HOOK_BELOW "/%s", link->name);
        text_show(shown, profile ? profile : "a profile of its own choice");
        if (has_own(path))
                take(ret, BACKEND_NETCTL, "netctl has the device, by %s", shown);
        else
                take(ret, BACKEND_UNIT, "netctl has the device, by %s, and gets a hook by setmtu reload",
                     shown);
}

static void view_auto(struct backend_views *views, const struct device_plan *planned,
                      const struct link *link, struct backend_view *ret) {
        CLEANUP(owners_free) struct owners owners = { 0 };

        if (!link)
                take(ret, BACKEND_UNIT, "the device is absent");
        else if (!views->is_known)
                take(ret, BACKEND_UNIT, "systemd does not manage these devices");
        else if (owner_state_read(link, &owners) < 0)
                take(ret, BACKEND_UNIT, "out of memory");
        else if (owners.has[OWNER_NETWORKD])
                view_networkd(owners.profile[OWNER_NETWORKD], ret);
        else if (owners.has[OWNER_NETWORKMANAGER])
                view_networkmanager(views, planned, link, ret);
        else if (owners.has[OWNER_NETCTL])
                view_netctl(owners.profile[OWNER_NETCTL], link, ret);
        else
                take(ret, BACKEND_UNIT, "no network manager that setmtu knows has the device");
}

void backend_view_make(struct backend_views *views, const struct device_plan *planned,
                       const struct link *link, struct backend_view *ret) {
        *ret = (struct backend_view){ .taken = planned ? backend_name(planned->backend) : NULL };
        if (!planned)
                return;
        if (planned->backend == BACKEND_AUTO)
                view_auto(views, planned, link, ret);
        else if (planned->backend == BACKEND_NETWORKMANAGER && link && views->is_known)
                view_networkmanager(views, planned, link, ret);
}
