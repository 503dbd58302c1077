/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The backend that sets the MTU of a device now, and why. */

#include "explain/managers.h"
#include "plan/device_plan.h"

struct backend_view {
        const char *taken;   /* a backend's name; static. NULL: there is no valid line */
        char reason[512];    /* in UTF-8 and harmless on a terminal; empty if the line is the reason */
        uint32_t overridden; /* the MTU of NetworkManager's profile, which wins; 0: none */
};

/* Asks the managers where that matters. `planned` is NULL for a device without a good line, `link` for an
 * absent one. */
void backend_view_make(struct managers *managers, const struct device_plan *planned, const struct link *link,
                       struct backend_view *ret);
