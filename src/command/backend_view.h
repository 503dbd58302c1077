/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Who sees to a device's MTU at this moment, and why that one. */

#include "plan/device_plan.h"
#include "plan/device_status.h"
#include "system/networkmanager_bus.h"

struct backend_view {
        const char *taken; /* a backend's name; static. NULL: nobody, there is no good line */
        char reason[512];  /* in UTF-8 and harmless on a terminal; empty where the line itself is the reason
                            */
        uint32_t overridden; /* what NetworkManager's profile gives the device instead; 0: it does not */
};

struct backend_views {
        bool is_known; /* the managers' state is about these devices: manager_is_here() */
        bool is_asked; /* whether NetworkManager runs; not before somebody needs it */
        struct networkmanager *networkmanager;
};

void backend_views_open(struct backend_views *ret);
void backend_views_cleanup(struct backend_views *views); /* for CLEANUP(); of one that is all zeros, too */

/* `planned` is NULL for a device without a good line, `link` for an absent one. */
void backend_view_make(struct backend_views *views, const struct device_plan *planned,
                       const struct link *link, struct backend_view *ret);
