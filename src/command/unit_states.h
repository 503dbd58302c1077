/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The states of the setmtu@ units that systemd has loaded. */

#include <stdbool.h>
#include <stddef.h>

#include "base/pool.h"
#include "system/systemd_manager.h"

struct unit_state {
        const char *unit;
        const char *active; /* as `systemctl is-active` says it */
};

struct unit_states {
        bool is_known;            /* systemd was there to be asked */
        struct unit_state *items; /* by name */
        size_t n_items;
        struct pool pool;
};

/* Asks systemd. If systemd does not run here or does not answer, `is_known` is false, and the reason is
 * logged. */
void unit_states_read(struct unit_states *ret);
/* The same over a connection that is open; 0 or a negative errno. */
int unit_states_read_from(struct manager *manager, struct unit_states *ret);
void unit_states_cleanup(struct unit_states *states); /* for CLEANUP() */

/* The state of setmtu@INSTANCE.service, or NULL if it is not loaded. */
const char *unit_states_find(const struct unit_states *states, const char *instance);
