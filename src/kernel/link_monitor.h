/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Events of network devices: RTNLGRP_LINK in rtnetlink(7). */

#include <stdbool.h>

#include "base/attributes.h"
#include "plan/link_table.h"

struct link_monitor;

/* Errors as those of netlink_socket_open(). */
MUST_USE NONNULL int link_monitor_open(struct link_monitor **ret);
void link_monitor_close(struct link_monitor *monitor); /* NULL is fine */

/* For poll(2). */
NONNULL int link_monitor_fd(const struct link_monitor *monitor);

/* Passes pending events to `take`: a device as it is now, or `is_gone`. Does not block; poll(2) reports if
 * there is more. 0, or a negative errno: -ENOBUFS if events were lost, so that every device must be read. */
MUST_USE NONNULL int link_monitor_read(struct link_monitor *monitor,
                                       void (*take)(void *userdata, const struct link *link, bool is_gone),
                                       void *userdata);
