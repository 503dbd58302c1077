/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The .link files, .network drop-ins and netctl hooks of setmtu: made what the plan wants. */

#include <stdbool.h>

#include "backends/network_output.h"
#include "backends/network_own.h"
#include "config/interface_name.h"

/* What is different now. */
struct network_changes {
        char (*interfaces)[INTERFACE_NAME_SIZE]; /* those whose files are; one may be here several times */
        size_t n_interfaces;
        unsigned n_written; /* for systemd; a hook is told of by itself */
        unsigned n_removed;
        bool links;    /* a .link file is */
        bool networks; /* a drop-in is */
};

/* Writes the outputs, and then, where `may_remove`, removes those of `own` that are none of them. False
 * where something failed: that is said, and did not keep the rest from being done. */
bool configure_network_save(const struct network_outputs *outputs, const struct network_own *own,
                            bool may_remove, struct network_changes *ret);
void network_changes_free(struct network_changes *changes);
