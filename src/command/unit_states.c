/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "command/unit_states.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/log.h"
#include "base/text.h"
#include "base/unit_name.h"
#include "config/interface_name.h"

static void take(void *userdata, const char *unit, const char *active) {
        struct unit_states *states = userdata;
        struct pool *pool = &states->pool;
        struct unit_state *item = pool_add(pool, &states->items, &states->n_items, sizeof(*item));

        if (item)
                *item = (struct unit_state){ pool_copy(pool, unit), pool_copy(pool, active) };
        /* Out of memory: shown as not loaded. */
        if (item && pool->failed)
                states->n_items--;
}

int unit_states_read_from(struct manager *manager, struct unit_states *ret) {
        struct unit_states states = { .is_known = true };
        int r = manager_list_units(manager, "setmtu@*.service", take, &states);

        if (r < 0) {
                unit_states_cleanup(&states);
                return r;
        }
        if (states.n_items > 0)
                qsort(states.items, states.n_items, sizeof(*states.items), text_compare);
        *ret = states;
        return 0;
}

void unit_states_read(struct unit_states *ret) {
        CLEANUP(manager_cleanup) struct manager *manager = NULL;
        int r = manager_is_here();

        *ret = (struct unit_states){ .is_known = false };
        if (r < 0) {
                log_warning(MANAGER_NOT_KNOWN "; unit states are left out", strerror(-r));
                return;
        }
        if (r == 0) {
                log_info("systemd does not manage these devices: unit states are left out");
                return;
        }
        r = manager_open(&manager);
        if (r == 0)
                r = unit_states_read_from(manager, ret);
        if (r < 0)
                log_warning("systemd does not answer: %s; unit states are left out",
                            manager ? manager_error_text(manager) : strerror(-r));
}

void unit_states_cleanup(struct unit_states *states) {
        pool_free(&states->pool);
        *states = (struct unit_states){ .is_known = false };
}

const char *unit_states_find(const struct unit_states *states, const char *instance) {
        char unit[UNIT_NAME_ESCAPED_SIZE(INTERFACE_NAME_SIZE) + sizeof("setmtu@.service")];
        struct unit_state wanted = { .unit = unit };
        const struct unit_state *found;

        snprintf(unit, sizeof(unit), "setmtu@%s.service", instance);
        if (states->n_items == 0)
                return NULL;
        found = bsearch(&wanted, states->items, states->n_items, sizeof(wanted), text_compare);
        return found ? found->active : NULL;
}
