/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "explain/backend_view.h"

#include <stdio.h>
#include <string.h>

#include "backends/backend.h"
#include "base/text.h"
#include "bus/systemd_manager.h"
#include "store/generated_files.h"

__attribute__((format(printf, 3, 4))) static void set_taken(struct backend_view *view, enum backend backend,
                                                            const char *format, ...) {
        view->taken = backend_name(backend);
        TEXT_FORMAT(view->reason, sizeof(view->reason), format);
}

/* `by`: what the manager has for the device; `file`: setmtu's, without which the backend has no effect;
 * `otherwise`: why there is none. */
static void view_file(struct backend_view *view, enum backend backend, const char *manager, const char *by,
                      const char *file, const char *otherwise) {
        int r = generated_file_is_ours(file);

        if (r < 0)
                set_taken(view, BACKEND_UNIT, "%s manages the device, by %s, and %s cannot be read: %s",
                          manager, by, file, strerror(-r));
        else if (r > 0)
                set_taken(view, backend, "%s manages the device, by %s", manager, by);
        else
                set_taken(view, BACKEND_UNIT, "%s manages the device, by %s, %s", manager, by, otherwise);
}

/* A profile's own MTU overrides the line's. */
static void view_networkmanager(const struct networkmanager_device *device, const struct config_line *line,
                                struct backend_view *ret) {
        if (device->mtu > 0 && device->mtu != line->spec.mtu) {
                ret->overridden = device->mtu;
                set_taken(ret, BACKEND_NETWORKMANAGER, "its profile \"%s\" sets %u", device->profile,
                          device->mtu);
        } else if (device->profile[0])
                set_taken(ret, BACKEND_NETWORKMANAGER,
                          "NetworkManager manages the device, by its profile \"%s\"", device->profile);
        else
                set_taken(ret, BACKEND_NETWORKMANAGER, "NetworkManager manages the device");
}

/* With backend auto, the device belongs to its unit and also to its network manager. */
static void view_auto(const struct manager_facts *facts, const struct device_plan *planned,
                      const struct link *link, struct backend_view *ret) {
        char file[2 * PATH_MAX];

        if (facts->network_file[0]) {
                snprintf(file, sizeof(file), NETWORK_DROP_IN, text_base_name(facts->network_file));
                view_file(ret, BACKEND_NETWORK, "systemd-networkd", facts->network_file, file,
                          "which also matches other devices, or whose drop-in is not written yet (run "
                          "setmtu reload)");
        } else if (facts->has_networkmanager)
                view_networkmanager(&facts->networkmanager, planned->line, ret);
        else if (facts->has_netctl) {
                snprintf(file, sizeof(file), NETCTL_HOOK, link->name);
                view_file(ret, BACKEND_NETCTL, "netctl",
                          facts->netctl_profile[0] ? facts->netctl_profile : "an unknown profile", file,
                          "whose hook is not written yet (run setmtu reload)");
        } else
                set_taken(ret, BACKEND_UNIT, "no network manager reports that it manages the device");
}

void backend_view_make(struct managers *managers, const struct device_plan *planned, const struct link *link,
                       struct backend_view *ret) {
        bool is_auto = planned && planned->backend == BACKEND_AUTO;
        struct manager_facts facts;

        *ret = (struct backend_view){ .taken = planned ? backend_name(planned->backend) : NULL };
        if (!is_auto && (!link || !planned || planned->backend != BACKEND_NETWORKMANAGER))
                return;
        if (!link) {
                set_taken(ret, BACKEND_UNIT, "the device is absent");
                return;
        }
        managers_ask(managers, link, &facts);
        if (managers->is_here < 0)
                set_taken(ret, is_auto ? BACKEND_UNIT : planned->backend, MANAGER_NOT_KNOWN,
                          strerror(-managers->is_here));
        else if (is_auto && managers->is_here == 0)
                set_taken(ret, BACKEND_UNIT, "systemd does not manage these devices");
        else if (is_auto)
                view_auto(&facts, planned, link, ret);
        else if (facts.has_networkmanager)
                view_networkmanager(&facts.networkmanager, planned->line, ret);
        else if (managers->is_here > 0)
                set_taken(ret, BACKEND_NETWORKMANAGER, "NetworkManager does not run, or does not manage it");
}
