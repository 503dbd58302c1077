/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The backend that sets the MTU of a device now, and why: by the line, the state of the network managers in
 * /run, and NetworkManager over D-Bus. */

#include "plan/device_plan.h"
#include "plan/link_table.h"

struct backend_view {
        const char *taken;   /* a backend's name; static. NULL: there is no valid line */
        char reason[512];    /* in UTF-8 and harmless on a terminal; empty if the line is the reason */
        uint32_t overridden; /* the MTU of the manager's configuration, which wins; 0: none */
};

/* What the views of all devices share. */
struct backend_views {
        int is_here;   /* manager_is_here(): whether the managers' state concerns these devices */
        bool is_asked; /* whether NetworkManager runs; not before that is needed */
        struct networkmanager *networkmanager;
};

void backend_views_open(struct backend_views *ret);
void backend_views_cleanup(struct backend_views *views); /* for CLEANUP(); of one that is all zeros, too */

/* `planned` is NULL for a device without a good line, `link` for an absent one. */
void backend_view_make(struct backend_views *views, const struct device_plan *planned,
                       const struct link *link, struct backend_view *ret);
