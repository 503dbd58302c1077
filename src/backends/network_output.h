/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The files of a plan that are for one device each: .link files, .network drop-ins, netctl hooks. */

#include "plan/device_plan.h"
#include "plan/link_table.h"

struct network_output {
        char *path; /* without SETMTU_ROOT */
        char *text;
        size_t size;
        bool is_program;                /* it must be executable */
        const struct config_line *line; /* owned by the config */
};

struct network_outputs {
        struct network_output *items; /* in the order of the plan */
        size_t n_items;
};

/* Makes them from the plan, the .link and .network files that are there, and for backend auto from who has
 * the device. What cannot be carried out goes to `sink`: what no such file can say, what a device of `links`
 * (or NULL) states that it does not take, and a file of somebody else in the place of ours. -ENOMEM, with
 * `ret` untouched, is the only error. */
int network_outputs_make(const struct plan *plan, const struct link_table *links,
                         const struct diagnostic_sink *sink, struct network_outputs *ret);
void network_outputs_free(struct network_outputs *outputs);

const struct network_output *network_outputs_find(const struct network_outputs *outputs, const char *path);
