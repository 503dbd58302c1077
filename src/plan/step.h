/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What would be asked of the kernel, in which order and why. No I/O. */

#include "plan/device_status.h"

enum mtu_request_action {
        MTU_REQUEST_SET,
        MTU_REQUEST_KEEP,   /* nothing is to do */
        MTU_REQUEST_REFUSE, /* it cannot be had, and the kernel need not be asked */
        MTU_REQUEST_ABSENT,
};

struct mtu_request {
        const struct device_status *status; /* owned by the statuses; it has a line */
        enum mtu_request_action action;
        bool set_up;      /* bring the link up, too */
        unsigned stage;   /* ascending; those of one stage do not depend on each other */
        char reason[256]; /* one sentence without its full stop */
};

struct mtu_requests {
        struct mtu_request *items; /* what is lowered, uppers first; then the rest, lowers first; then absent
                                      ones */
        size_t n_items;
};

/* One for each device that has a line. `statuses` and `table` must stay. -ENOMEM is the only error. */
int mtu_requests_make(const struct device_statuses *statuses, const struct link_table *table,
                      struct mtu_requests *ret);
void mtu_requests_free(struct mtu_requests *requests);

/* set, keep, refuse, absent. */
const char *mtu_request_action_name(enum mtu_request_action action);
