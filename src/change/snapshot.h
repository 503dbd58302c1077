/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The configuration and the devices beside each other: the input of steps. */

#include "base/attributes.h"
#include "kernel/link.h"
#include "plan/device_plan.h"
#include "plan/device_status.h"

/* The mistakes of a configuration, counted. */
struct mistakes {
        unsigned n_errors;
        unsigned n_warnings;
        char first[DIAGNOSTIC_TEXT_SIZE]; /* FILE:LINE: error: text, as compilers print it */
};
/* A sink that counts them, and what it calls. */
struct diagnostic_sink mistakes_counter(struct mistakes *mistakes);
void mistakes_count(void *userdata, const struct diagnostic *diagnostic);

struct snapshot {
        struct netlink_socket *socket;
        struct plan plan;
        struct link_table links;
        struct device_statuses statuses;
        struct mistakes mistakes; /* in the configuration, where these two have read it */
        bool has_void_falls;      /* for snapshot_forget_void_falls() */
};

/* Reads the configuration, whose mistakes go to `sink`, and opens the socket; looks at no device yet. 0 or a
 * negative errno; -ENOMEM may be of the configuration. On failure, too, `ret` is to be cleaned up. */
MUST_USE NONNULL int snapshot_open(const struct diagnostic_sink *sink, struct snapshot *ret);

/* Looks at all devices, also once more. 0, or a negative errno with the snapshot as it was. */
MUST_USE NONNULL int snapshot_look(struct snapshot *snapshot);

/* Looks at `link`, fresh from the kernel, which is to have `mtu`, and at all other devices where these may
 * matter for that: a list of them takes its time where there are thousands. `ret` is the device among them,
 * NULL on failure: -ENODEV if it is gone, or errors as above. */
MUST_USE NONNULL int snapshot_look_at(struct snapshot *snapshot, const struct link *link, uint32_t mtu,
                                      const struct link **ret);

/* Computes for devices whose lines say auto what fits them, by plan/fit.h, after asking the kernel how their
 * packets leave. Part of the functions above, for a caller that has changed the statuses since. 0 or
 * -ENOMEM.
 */
MUST_USE NONNULL int snapshot_fit(struct snapshot *snapshot);

/* The same for `link`, a device of the snapshot, with another line, which says auto; the statuses stay as
 * they are. */
MUST_USE NONNULL int snapshot_fit_line(struct snapshot *snapshot, const struct link *link,
                                       const struct config_line *line);

/* Fills in what devices that have no line any more get back once `setmtu reload` has stopped their units. */
NONNULL void snapshot_add_restored(struct snapshot *snapshot);

/* Removes the records of falls that are over because others have given the devices another MTU: what these
 * had before counts no longer. Those of falls over which a process was killed fit one MTU from then on. For
 * those who change devices; looking alone changes nothing. */
NONNULL void snapshot_forget_void_falls(struct snapshot *snapshot);

/* snapshot_open() and snapshot_look(). `sink` may count the mistakes in `ret`. */
MUST_USE NONNULL int snapshot_take(const struct diagnostic_sink *sink, struct snapshot *ret);
/* The same with a configuration that the caller has read, and that the snapshot owns from then on in any
 * case. */
MUST_USE NONNULL int snapshot_take_with(struct config *config, const struct diagnostic_sink *sink,
                                        struct snapshot *ret);
NONNULL void snapshot_cleanup(struct snapshot *snapshot); /* for CLEANUP(); of one that is all zeros, too */

/* What `word` of a command line means: the device with that name or alternative name, or the line for an
 * absent one. NULL if there is neither. */
NONNULL const struct device_status *snapshot_find(const struct snapshot *snapshot, const char *word);
