/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Warnings of settings elsewhere that override lines: explain/conflict.h. The files of the machine are read
 * once, and only if the configuration has a line. */

#include "base/attributes.h"
#include "explain/explain_facts.h"
#include "output/json.h"

struct conflicts {
        struct explain_facts facts;
        bool has_facts;
        bool is_broken;      /* memory was out; that has been said */
        const char **hidden; /* files that could not be read and may have more, of the devices asked about */
        size_t n_hidden;
        char hidden_of[INTERFACE_NAME_SIZE]; /* the first device of which that is so */
};

/* Of the devices in the snapshot, which must stay as it is; and so must `ret`. Where memory is out, that is
 * said. */
NONNULL void conflicts_open(const struct snapshot *snapshot, struct conflicts *ret);
NONNULL void conflicts_cleanup(
                struct conflicts *conflicts); /* for CLEANUP(); of one that is all zeros, too */

/* Reports those of a device, each with its command on stderr below it. */
NONNULL void conflicts_report(struct conflicts *conflicts, const struct device_status *status,
                              const struct diagnostic_sink *sink);
/* Says, once, which files could not be read that may have more. After the others. */
NONNULL void conflicts_report_hidden(const struct conflicts *conflicts);
/* Both, of all devices; printed. */
NONNULL void conflicts_report_all(const struct snapshot *snapshot, const struct diagnostic_sink *sink);

/* The same as data: adds an object a conflict to the array, which may be NULL. Returns it, or NULL. */
MUST_USE json_t *conflicts_json(struct conflicts *conflicts, const struct device_status *status,
                                json_t *array);
/* The files that could not be read, of all devices asked about since the last time. */
MUST_USE json_t *conflicts_hidden_json(struct conflicts *conflicts);

/* Warns of those of one device, by what the configuration says now; with `spec`, as if that was the device's
 * line. */
void conflicts_warn(const char *name, const struct mtu_spec *spec);
