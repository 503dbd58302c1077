/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Warnings about settings elsewhere that override lines: explain/conflict.h. The files of the machine are
 * read once, and only if the configuration has a line. */

#include "base/attributes.h"
#include "explain/explain_facts.h"
#include "output/json.h"

struct conflicts {
        struct explain_facts facts;
        bool is_broken; /* out of memory, which has been logged */
};

/* For the devices in the snapshot. Both must stay in place, and the snapshot unchanged. Logs an error if out
 * of memory. */
NONNULL void conflicts_open(const struct snapshot *snapshot, struct conflicts *ret);
void conflicts_cleanup(struct conflicts *conflicts); /* for CLEANUP(); of one that is all zeros, too */

/* Prints the conflicts of these devices on stderr, each with its command below it; then logs the unreadable
 * files that may have more. Returns how many conflicts there are. */
unsigned conflicts_report(struct conflicts *conflicts, const struct device_status *statuses, size_t n);
/* Those of all devices. */
NONNULL unsigned conflicts_report_all(const struct snapshot *snapshot);

/* Adds to the object, which may be NULL, `warnings`, the conflicts of these devices, and `unread`, the
 * unreadable files that may have more. Returns the object, or frees it and returns NULL. */
MUST_USE json_t *conflicts_add_json(struct conflicts *conflicts, const struct device_status *statuses,
                                    size_t n, json_t *object);

/* Warns about the conflicts of one device in the current configuration; with `spec`, as if it was the
 * device's line. */
void conflicts_warn(const char *name, const struct mtu_spec *spec);
