/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Settings of other programs that override a device's line: those that take effect after setmtu, or may, and
 * set another value. */

#include "base/attributes.h"
#include "explain/explain_data.h"

struct conflict {
        const struct explain_step *step; /* what acts, and when */
        const char *file; /* where to edit it: the file of netplan, not one that netplan has generated */
        unsigned line;    /* 0: not known */
        bool is_certain;  /* it acts; otherwise it may */
        char text[EXPLAIN_TEXT_SIZE]; /* what sets what and when; one sentence without a full stop. From
                                         outside in part, as is `command`: not fit for a terminal as it is */
        char command[1024]; /* for a shell, to settle it in favour of the line; empty: none is known */
};

/* The next conflict of the device's line, by the steps of its explanation; `index` is 0 at first. The order
 * is that in which they act. Each place comes once. False: there is no more. It looks into the file, to see
 * whether a command can edit it; and points into what it was given. */
MUST_USE NONNULL bool conflict_next(const struct explained *explained, size_t *index, struct conflict *ret);

/* Whether a file that could not be read may have a setting that concerns the device. */
MUST_USE NONNULL bool conflict_may_be_in(const struct explain_device *device, const char *file);
