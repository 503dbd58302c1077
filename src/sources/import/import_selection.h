/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What setmtu takes over from all sources: one value per device, from the source that takes effect last. */

#include "sources/import/devices.h"

enum import_fate {
        IMPORT_TAKEN,      /* its value is the device's */
        IMPORT_SAME,       /* another one with that value */
        IMPORT_OVERRIDDEN, /* another value, of a source that acts before */
        IMPORT_UNDECIDED,  /* one of several values, by a condition that is known only when it acts */
        IMPORT_INACTIVE,   /* it is written down and does nothing */
        IMPORT_FOREIGN,    /* a server's or a container engine's, which is to stay so */
};

struct import_candidate {
        const struct mtu_source *source; /* not owned */
        enum import_fate fate;
};

struct import_device {
        const char *name;
        struct import_candidate *candidates; /* in the order in which they act */
        size_t n_candidates;
        const struct mtu_source *taken; /* NULL: none acts, or it cannot be decided */
};

/* What cannot be taken over, and why. */
struct import_refusal {
        const struct mtu_source *source;
        const char *why; /* the end of a sentence that begins with the place, without a full stop */
};

/* The pool holds all of it. */
struct import_selection {
        struct import_device *devices; /* in the order in which they were first found */
        size_t n_devices;
        struct import_refusal *refusals;
        size_t n_refusals;
        struct pool pool;
};

/* -ENOMEM is the only error, and leaves `ret` untouched. The sources of the devices have to stay. */
int import_selection_make(const struct devices *devices, struct import_selection *ret);
void import_selection_free(struct import_selection *selection); /* for CLEANUP(), too */
