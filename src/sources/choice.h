/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What setmtu is to take over of all that is found: one value a device, that of whoever acts last. */

#include "sources/devices.h"
#include "sources/finding.h"

enum choice_fate {
        CHOICE_TAKEN,      /* its value is the device's */
        CHOICE_SAME,       /* another one with that value */
        CHOICE_OVERRIDDEN, /* another value, of somebody who acts before */
        CHOICE_UNDECIDED,  /* one of several values, by a condition that is known only when it acts */
        CHOICE_INACTIVE,   /* it is written down and does nothing */
        CHOICE_FOREIGN,    /* a server's or a container engine's, which is to stay so */
};

struct choice_finding {
        const struct finding *finding; /* not owned */
        enum choice_fate fate;
};

struct choice {
        char *device;
        struct choice_finding *findings; /* in the order in which they act */
        size_t n_findings;
        const struct finding *taken; /* NULL: none acts, or it cannot be decided */
};

/* What cannot be taken over, and why. */
struct choice_refusal {
        const struct finding *finding;
        char *why; /* the end of a sentence that begins with the place, without a full stop */
};

struct choices {
        struct choice *items; /* in the order in which the devices were first found */
        size_t n_items;
        struct choice_refusal *refusals;
        size_t n_refusals;
};

/* -ENOMEM is the only error, and leaves `ret` untouched. `findings` has to stay. */
int choices_make(const struct findings *findings, const struct devices *devices, struct choices *ret);
void choices_free(struct choices *choices); /* for CLEANUP(), too */
