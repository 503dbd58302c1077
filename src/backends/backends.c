/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "backends/backends.h"

#include "backends/live_devices.h"
#include "base/cleanup.h"

static const struct backend_type *const types[] = {
        &backend_networkd,
        &backend_netctl,
        &backend_networkmanager,
};

#define N_TYPES (sizeof(types) / sizeof(types[0]))

int backends_render(const struct rendering *rendering) {
        const struct plan *plan = rendering->plan;
        int r = 0;

        for (size_t i = 0; i < N_TYPES && r == 0 && (plan->has_others || plan->has_auto); i++)
                r = types[i]->render(rendering);
        return r;
}

int backends_read(struct generated_files *ret, const struct diagnostic_sink *sink) {
        int r = 0;

        for (size_t i = 0; i < N_TYPES && r == 0; i++)
                r = generated_files_read(ret, &types[i]->files, sink);
        return r;
}

bool backends_go_live(const struct generated_files *before, const struct generated_files *wanted,
                      struct snapshot *snapshot) {
        bool is_done = true;

        if (live_devices_is_boot() > 0)
                return true;
        for (size_t i = 0; i < N_TYPES; i++)
                if (types[i]->live_before)
                        is_done &= types[i]->live_before(before, wanted);
        if (snapshot->links.n_links > 0)
                is_done &= live_devices_set(before, wanted, snapshot);
        for (size_t i = 0; i < N_TYPES; i++)
                if (types[i]->live_after)
                        is_done &= types[i]->live_after(before, wanted);
        return is_done;
}
