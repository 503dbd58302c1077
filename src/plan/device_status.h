/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What the devices have, beside what the configuration wants them to have. No I/O. */

#include "base/attributes.h"
#include "config/config.h"
#include "plan/link_table.h"

enum device_state {
        DEVICE_STATE_OK,
        DEVICE_STATE_DRIFT,      /* it has something else, and states no limit against what is wanted */
        DEVICE_STATE_ABSENT,     /* there is no such device */
        DEVICE_STATE_IMPOSSIBLE, /* outside what the device states; or `max`, and it states none */
        DEVICE_STATE_UNSET,      /* the configuration does not name it */
        DEVICE_STATE_UNKNOWN,    /* nor does what could be read of it, which is not all */
        DEVICE_STATE_COUNT,
};

struct device_status {
        const struct link *link;        /* owned by the table; NULL: absent */
        const struct config_line *line; /* owned by the config; NULL: unset, or unknown */
        uint32_t wanted; /* in bytes; 0 where there is no number: unset, or `max` of no device */
        enum device_state state;
};

struct device_statuses {
        struct device_status *items; /* the devices in the table's order, then absent ones in the
                                     configuration's */
        size_t n_items;
};

/* A device's line is that with its name, or else with an alternative one. Both `config` and `table` must
 * stay as they are. -ENOMEM is the only error. */
MUST_USE NONNULL int device_statuses_make(const struct config *config, const struct link_table *table,
                                          struct device_statuses *ret);
NONNULL void device_statuses_free(struct device_statuses *statuses);

/* The one state of a device and a line, which may be NULL, but not both; never unknown. */
struct device_status device_status_of(const struct link *link, const struct config_line *line);

/* Whether the device of the line, a number, may have what it wants: also where it is absent from `links`,
 * which may be NULL, and where it has the name as an alternative one. Where not, that goes to `sink`, or
 * nowhere for NULL. */
bool device_status_is_possible(const struct config_line *line, const struct link_table *links,
                               const struct diagnostic_sink *sink);

/* Why the device cannot have what is wanted, where that is so: half a sentence. Returns `buffer`. */
#define DEVICE_STATUS_FAULT_SIZE 96
NONNULL const char *device_status_fault(char buffer[static DEVICE_STATUS_FAULT_SIZE],
                                        const struct device_status *status);

/* ok, drift, absent, impossible, unset, unknown. */
const char *device_state_name(enum device_state state);
