/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What to type so that a device has an MTU. No I/O. */

#include "base/attributes.h"
#include "base/pool.h"
#include "plan/device_status.h"

/* The command to begin with so that `link`, a device of the table, gets `mtu` or, where that is not
 * possible, the nearest MTU that is: it concerns the lowest device in the way, or `link` itself if there is
 * none. After it, the advice is the next one. Memory is the pool's, also in case of failure. */
const char *advice_make(struct pool *pool, const struct device_statuses *statuses,
                        const struct link_table *links, const struct link *link, uint32_t mtu);

/* The command that gives `name`, whose line so far is `line` or NULL, a line with this MTU; what leads to
 * that line, if it overrides CONFIG_FILE. */
const char *advice_set(struct pool *pool, const struct config_line *line, const char *name, uint32_t mtu);

/* The smallest port below `mtu` of a device that must not be larger than its ports, without the ports of a
 * bridge that have a line of their own: what that says is meant. NULL: none. */
NONNULL const struct link *advice_smaller_port(const struct device_statuses *statuses,
                                               const struct link_table *links, const struct link *link,
                                               uint32_t mtu);
