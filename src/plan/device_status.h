/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The MTUs of the devices beside the wanted ones. No I/O. */

#include "base/attributes.h"
#include "config/config.h"
#include "plan/link_table.h"

enum device_state {
        DEVICE_STATE_OK,
        DEVICE_STATE_DRIFT,      /* it has another MTU, and its limits allow the wanted one */
        DEVICE_STATE_ABSENT,     /* there is no such device */
        DEVICE_STATE_IMPOSSIBLE, /* outside the limits of the device; `max`, and it reports no maximum; or
                                    `auto`, and nothing says what fits */
        DEVICE_STATE_WAITING,    /* `auto`, and the route, the other end, or the port is not there yet */
        DEVICE_STATE_UNSET,      /* the configuration does not name it */
        DEVICE_STATE_UNKNOWN,    /* nor does the part of it that could be read */
        DEVICE_STATE_COUNT,
};

struct device_status {
        const struct link *link; /* owned by the table; NULL: absent */
        /* owned by the config, or by the statuses; NULL: unset, or unknown */
        const struct config_line *line;
        uint32_t wanted; /* in bytes; 0 if not known as a number: unset, `max` without a maximum, or
                            `auto` and it is not known what fits */
        enum device_state state;
        /* Set by the caller: */
        uint32_t restored; /* without a line: the other MTU that it gets back by a reload; 0: it stays */
        bool is_pinned;    /* a bridge: setmtu has set its MTU, so that it does not follow its ports */
        /* Of a device on top of another one: */
        uint32_t mtu_before_fall; /* before the kernel lowered it with that one; 0: not lowered */
        bool is_fixed;            /* it is not changed along with devices below it */
};

struct device_statuses {
        struct device_status *items; /* the devices in the table's order, then absent ones in the
                                     configuration's */
        size_t n_items;
        struct config_line *lines; /* those of patterns, one a device, with its name */
};

/* Finds a device's line by its name or, failing that, by an alternative name. A pattern is not meant for a
 * port of a bond or team, and has no status of its own. `config` and `table` must not
 * change afterwards. -ENOMEM is the only error. */
MUST_USE NONNULL int device_statuses_make(const struct config *config, const struct link_table *table,
                                          struct device_statuses *ret);
NONNULL void device_statuses_free(struct device_statuses *statuses);

/* The line of `link`, which is of the table, by whichever of its names; for NULL that of `name`, which may
 * be a pattern's. NULL if there is none. */
const struct config_line *device_statuses_line(const struct device_statuses *statuses,
                                               const struct config *config, const struct link *link,
                                               const char *name);

/* The device's own name; that of the line for an absent one. */
static inline const char *device_status_name(const struct device_status *status) {
        return status->link ? status->link->name : status->line->name;
}

/* Whether it has a line that it can follow, as far as its own limits go. */
static inline bool device_status_has_good_line(const struct device_status *status) {
        return status->line && status->state != DEVICE_STATE_IMPOSSIBLE &&
               status->state != DEVICE_STATE_WAITING;
}

/* The state of a device and a line, of which one may be NULL; never unknown. Of a line that says auto, by
 * the device's `fit`. */
struct device_status device_status_of(const struct link *link, const struct config_line *line);

/* Why a device cannot have the wanted MTU: half a sentence, in `buffer` or static. */
#define DEVICE_FAULT_SIZE 128
NONNULL const char *device_fault(char buffer[static DEVICE_FAULT_SIZE], const struct link *link,
                                 uint32_t wanted);
#define DEVICE_FAULT(link, wanted) device_fault((char[DEVICE_FAULT_SIZE]){ 0 }, link, wanted)

/* Why it is not known what fits, which is not FIT_FITS. */
const char *device_fit_fault(enum fit_fault fault);

/* ok, drift, absent, impossible, waiting, unset, unknown. */
const char *device_state_name(enum device_state state);
