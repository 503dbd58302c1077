/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What a command looks at: the configuration, the devices, and the one beside the other. */

#include "kernel/link.h"
#include "plan/device_plan.h"
#include "plan/device_status.h"

struct snapshot {
        struct link_socket *socket;
        struct plan plan;
        struct link_table links;
        struct device_statuses statuses;
};

/* False where it could not be made: that is said, and the exit code is 1. Mistakes in the configuration go
 * to `sink`. */
bool snapshot_take(const struct diagnostic_sink *sink, struct snapshot *ret);
/* The same with a configuration that the caller has read, and that the snapshot owns from now on in any
 * case.
 */
bool snapshot_take_with(struct config *config, const struct diagnostic_sink *sink, struct snapshot *ret);
void snapshot_cleanup(struct snapshot *snapshot); /* for CLEANUP(); of one that is all zeros, too */

/* What `word` of a command line means: the device with that name or alternative name, or the line for an
 * absent one. NULL where there is neither; that is said. */
const struct device_status *snapshot_find(const struct snapshot *snapshot, const char *word);

/* The line of a device that is there, by whichever of its names, or that of the name of an absent one. NULL
 * where there is none. */
const struct config_line *snapshot_line(const struct snapshot *snapshot, const struct link *link,
                                        const char *name);

/* A sink that prints FILE:LINE: error: text on stderr, as compilers do, and counts. */
struct mistakes {
        unsigned n_errors;
        unsigned n_warnings;
};
struct diagnostic_sink mistakes_sink(struct mistakes *mistakes);
