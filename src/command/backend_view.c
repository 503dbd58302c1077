/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "command/backend_view.h"

#include "backends/backends.h"
#include "system/networkmanager_bus.h"
#include "system/systemd_manager.h"

void backend_views_open(struct backend_views *ret) {
        *ret = (struct backend_views){ .is_known = manager_is_here() };
}

void backend_views_cleanup(struct backend_views *views) {
        networkmanager_cleanup(&views->networkmanager);
        *views = (struct backend_views){ 0 };
}

static bool ask(void *userdata, const char *interface, struct networkmanager_device *ret) {
        struct backend_views *views = userdata;

        if (!views->is_asked && networkmanager_open(&views->networkmanager) < 0)
                views->networkmanager = NULL;
        views->is_asked = true;
        return views->networkmanager &&
               networkmanager_get_device(views->networkmanager, interface, ret) == 0;
}

void backend_view_make(struct backend_views *views, const struct device_plan *planned,
                       const struct link *link, struct backend_view *ret) {
        const struct backend_viewer viewer = { .is_known = views->is_known,
                                               .ask_networkmanager = ask,
                                               .userdata = views };

        backends_view(&viewer, planned, link, ret);
}
