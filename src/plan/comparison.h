/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What the devices have, beside what the configuration wants them to have. No I/O. */

#include "config/config.h"
#include "plan/link_table.h"

enum comparison_state {
        COMPARISON_OK,
        COMPARISON_DRIFT,      /* it has something else, and states no limit against what is wanted */
        COMPARISON_ABSENT,     /* there is no such device */
        COMPARISON_IMPOSSIBLE, /* outside what the device states; or `max`, and it states none */
        COMPARISON_UNSET,      /* the configuration does not name it */
};

struct comparison {
        const struct link *link;        /* owned by the table; NULL: absent */
        const struct config_line *line; /* owned by the config; NULL: unset */
        uint32_t wanted; /* in bytes; 0 where there is no number: unset, or `max` of no device */
        enum comparison_state state;
};

struct comparisons {
        struct comparison *items; /* the devices in the table's order, then absent ones in the
                                     configuration's */
        size_t n_items;
};

/* A device's line is that with its name, or else with an alternative one. Both `config` and `table` must
 * stay as they are. -ENOMEM is the only error. */
int comparisons_make(const struct config *config, const struct link_table *table, struct comparisons *ret);
void comparisons_free(struct comparisons *comparisons);

/* The one state of a device and a line, which may be NULL, but not both. */
struct comparison comparison_of(const struct link *link, const struct config_line *line);

/* Whether the device of the line, a number, may have what it wants: also where it is absent from `links`,
 * which may be NULL, and where it has the name as an alternative one. Where not, that goes to `sink`, or
 * nowhere for NULL. */
bool comparison_is_possible(const struct config_line *line, const struct link_table *links,
                            const struct diagnostic_sink *sink);

/* ok, drift, absent, impossible, unset. */
const char *comparison_state_name(enum comparison_state state);
