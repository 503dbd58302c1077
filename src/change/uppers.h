/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The devices on top of one whose MTU is changed, directly and further up. What the kernel lowers or takes
 * along with it gets what its own line wants, as far as the device carries that; what has no line gets back
 * what it had before it fell. Devices on trial are left alone. */

#include "kernel/link.h"
#include "plan/device_plan.h"

struct uppers {
        struct link_socket *socket;
        const struct config *config;
        const struct plan *plan;
        struct link_table before; /* private */
        bool has_before;          /* private */
};

/* Before `link`, fresh from the kernel, gets `mtu`: looks at what there is, if that is less than it has. The
 * first three must stay. To be ended by uppers_settle(). */
void uppers_watch(struct link_socket *socket, const struct plan *plan, const struct link *link, uint32_t mtu,
                  struct uppers *ret);

/* The same before changes of several devices, whatever they are. */
void uppers_watch_all(struct link_socket *socket, const struct plan *plan, struct uppers *ret);

/* After any number of changes: settles what is on top of each of the `n` devices, and ends the watch. */
void uppers_settle(struct uppers *uppers, const unsigned *ifindexes, size_t n);

/* Whether there is anything to settle on top of a device that has not been changed just now: other lines, or
 * something that has fallen. A list of all devices takes its time where there are thousands. */
bool uppers_may_wait(const struct plan *plan, const char *name);

/* The line of a device, by its name or else, with the table that it is in, by an alternative one; or NULL.
 */
const struct config_line *uppers_line_of(const struct plan *plan, const struct link_table *table,
                                         const struct link *link);
