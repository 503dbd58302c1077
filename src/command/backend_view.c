/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "command/backend_view.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "backends/backend.h"
#include "base/cleanup.h"
#include "base/text.h"
#include "system/networkmanager_bus.h"
#include "system/owner_state.h"
#include "system/systemd_manager.h"

void backend_views_open(struct backend_views *ret) {
        *ret = (struct backend_views){ .is_here = manager_is_here() };
}

void backend_views_cleanup(struct backend_views *views) {
        networkmanager_cleanup(&views->networkmanager);
        *views = (struct backend_views){ .is_asked = false };
}

__attribute__((format(printf, 3, 4))) static void take(struct backend_view *view, enum backend backend,
                                                       const char *format, ...) {
        view->taken = backend_name(backend);
        TEXT_FORMAT(view->reason, sizeof(view->reason), format);
}

static void view_networkd(const char *profile, struct backend_view *ret) {
        const struct generated_place *place = &backend_networkd.files.places[1];
        const char *shown = TEXT_SHOW(profile);
        char path[2 * PATH_MAX];
        int r;

        snprintf(path, sizeof(path), "%s/%s.d/%s", place->folder, text_base_name(profile), place->below);
        r = generated_file_is_ours(path);
        if (r < 0)
                take(ret, BACKEND_UNIT,
                     "systemd-networkd manages the device, by %s, and its drop-in cannot be read: %s", shown,
                     strerror(-r));
        else if (r > 0)
                take(ret, BACKEND_NETWORK, "systemd-networkd manages the device, by %s", shown);
        else
                take(ret, BACKEND_UNIT,
                     "systemd-networkd manages the device, and %s is not for it alone, or not told of it "
                     "yet",
                     shown);
}

static void view_netctl(const struct link *link, const char *profile, struct backend_view *ret) {
        const char *shown = TEXT_SHOW(profile ? profile : "a profile of its own choice");
        char path[PATH_MAX];
        int r;

        snprintf(path, sizeof(path), "%s/%s", backend_netctl.files.places[0].folder, link->name);
        r = generated_file_is_ours(path);
        if (r < 0)
                take(ret, BACKEND_UNIT, "netctl manages the device, by %s, and %s cannot be read: %s", shown,
                     path, strerror(-r));
        else if (r > 0)
                take(ret, BACKEND_NETCTL, "netctl manages the device, by %s", shown);
        else
                take(ret, BACKEND_UNIT, "netctl manages the device, by %s, and gets a hook by setmtu reload",
                     shown);
}

/* False if NetworkManager does not run, or does not know the device. */
static bool ask_networkmanager(struct backend_views *views, const struct link *link,
                               struct networkmanager_device *ret) {
        int r = views->is_asked ? 0 : networkmanager_open(&views->networkmanager);

        views->is_asked = true;
        return r == 0 && views->networkmanager &&
               networkmanager_get_device(views->networkmanager, link->name, ret) == 0;
}

static void view_networkmanager(struct backend_views *views, const struct device_plan *planned,
                                const struct link *link, struct backend_view *ret) {
        bool is_auto = planned->backend == BACKEND_AUTO;
        struct networkmanager_device device;

        if (!ask_networkmanager(views, link, &device))
                take(ret, BACKEND_NETWORKMANAGER,
                     is_auto ? "NetworkManager manages the device"
                             : "NetworkManager does not run, or does not know the device");
        else if (!device.is_managed)
                take(ret, is_auto ? BACKEND_UNIT : BACKEND_NETWORKMANAGER,
                     "NetworkManager does not manage the device");
        /* A profile's own MTU overrides the line's. */
        else if (device.mtu > 0 && device.mtu != planned->line->spec.mtu) {
                ret->overridden = device.mtu;
                take(ret, BACKEND_NETWORKMANAGER, "its profile %s gives it %u by itself",
                     TEXT_QUOTE(device.profile), device.mtu);
        } else if (is_auto && device.profile[0])
                take(ret, BACKEND_NETWORKMANAGER, "NetworkManager manages the device, by its profile %s",
                     TEXT_QUOTE(device.profile));
        else if (is_auto)
                take(ret, BACKEND_NETWORKMANAGER, "NetworkManager manages the device");
}

/* With backend auto, the device belongs to its unit and also to its network manager: the first in `enum
 * owner` that manages it. */
static void view_auto(struct backend_views *views, const struct device_plan *planned,
                      const struct link *link, struct backend_view *ret) {
        CLEANUP(owners_free) struct owners owners = { 0 };
        int r = link && views->is_here ? owner_state_read(link, &owners) : 0;

        if (!link)
                take(ret, BACKEND_UNIT, "the device is absent");
        else if (views->is_here == 0)
                take(ret, BACKEND_UNIT, "systemd does not manage these devices");
        else if (r < 0)
                take(ret, BACKEND_UNIT, "cannot find out which network manager manages the device: %s",
                     strerror(-r));
        else if (owners.has[OWNER_NETWORKD])
                view_networkd(owners.profile[OWNER_NETWORKD], ret);
        else if (owners.has[OWNER_NETWORKMANAGER])
                view_networkmanager(views, planned, link, ret);
        else if (owners.has[OWNER_NETCTL])
                view_netctl(link, owners.profile[OWNER_NETCTL], ret);
        else
                take(ret, BACKEND_UNIT, "no network manager known to setmtu manages the device");
}

void backend_view_make(struct backend_views *views, const struct device_plan *planned,
                       const struct link *link, struct backend_view *ret) {
        *ret = (struct backend_view){ .taken = planned ? backend_name(planned->backend) : NULL };
        if (planned && link && views->is_here < 0)
                take(ret, planned->backend == BACKEND_AUTO ? BACKEND_UNIT : planned->backend,
                     MANAGER_NOT_KNOWN, strerror(-views->is_here));
        else if (planned && planned->backend == BACKEND_AUTO)
                view_auto(views, planned, link, ret);
        else if (planned && planned->backend == BACKEND_NETWORKMANAGER && link && views->is_here > 0)
                view_networkmanager(views, planned, link, ret);
}
