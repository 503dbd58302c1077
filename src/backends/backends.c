/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "backends/backends.h"

#include <string.h>

#include "backends/backend_unit.h"
#include "base/cleanup.h"
#include "change/snapshot.h"

static const struct backend_type *const types[] = {
        &backend_networkd,
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

static bool are_saved(const struct generated_files *wanted, const struct generated_files *saved) {
        for (size_t i = 0; i < wanted->n_items; i++) {
                const struct generated_file *file = generated_files_find(saved, wanted->items[i].path);

                if (!file || strcmp(file->text, wanted->items[i].text) != 0)
                        return false;
        }
        return wanted->n_items == saved->n_items;
}

bool backends_write_rules(const struct plan *plan, const struct link_table *links) {
        CLEANUP(generated_files_free) struct generated_files saved = { 0 }, wanted = { 0 }, rules = { 0 };
        struct mistakes mistakes = { 0 };
        const struct diagnostic_sink sink = mistakes_counter(&mistakes);

        return backends_read(&saved, &sink) == 0 &&
               backends_render(&(struct rendering){ plan, links, &sink, &wanted }) == 0 &&
               backend_unit_render(plan, &sink, &rules) == 0 &&
               mistakes.n_errors + mistakes.n_warnings == 0 && are_saved(&wanted, &saved) &&
               backend_unit_save(&rules) >= 0;
}
