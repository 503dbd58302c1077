/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Who sees to the MTU of devices, with NetworkManager asked over D-Bus. */

#include "backends/backend.h"

struct backend_views {
        bool is_known; /* the managers' state is about these devices: manager_is_here() */
        bool is_asked; /* whether NetworkManager runs; not before that is needed */
        struct networkmanager *networkmanager;
};

void backend_views_open(struct backend_views *ret);
void backend_views_cleanup(struct backend_views *views); /* for CLEANUP(); of one that is all zeros, too */

/* `planned` is NULL for a device without a good line, `link` for an absent one. */
void backend_view_make(struct backend_views *views, const struct device_plan *planned,
                       const struct link *link, struct backend_view *ret);
