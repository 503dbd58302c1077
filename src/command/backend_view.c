/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "command/backend_view.h"

#include "system/networkmanager_bus.h"
#include "system/systemd_manager.h"

void backend_views_cleanup(struct backend_views *views) {
        bus_cleanup(&views->networkmanager);
        *views = (struct backend_views){ .is_asked = false };
}

static bool ask(void *userdata, const char *interface, struct networkmanager_device *ret) {
        struct backend_views *views = userdata;

        if (!views->is_asked && networkmanager_open(&views->networkmanager) < 0)
                views->networkmanager = NULL;
        views->is_asked = true;
        return views->networkmanager &&
               networkmanager_get_device(views->networkmanager, interface, ret) == 0;
}

void backend_views_open(struct backend_views *ret) {
        *ret = (struct backend_views){ .viewer = { manager_is_here(), ask, ret } };
}
