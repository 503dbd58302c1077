/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* For backends_view(): NetworkManager asked over D-Bus. */

#include "backends/backend.h"

struct backend_views {
        struct backend_viewer viewer;
        bool is_asked; /* whether NetworkManager runs; not before that is needed */
        struct bus *networkmanager;
};

void backend_views_open(struct backend_views *ret);      /* which must stay where it is */
void backend_views_cleanup(struct backend_views *views); /* for CLEANUP(); of one that is all zeros, too */
