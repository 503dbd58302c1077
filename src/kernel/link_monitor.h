/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What the kernel tells of network devices as it happens: RTNLGRP_LINK in rtnetlink(7). */

#include <stdbool.h>

#include "base/attributes.h"
#include "plan/link_table.h"

struct link_monitor;

/* Errors as those of netlink_socket_open(). */
MUST_USE NONNULL int link_monitor_open(struct link_monitor **ret);
void link_monitor_close(struct link_monitor *monitor); /* NULL is fine */

/* For poll(2). */
NONNULL int link_monitor_fd(const struct link_monitor *monitor);

/* Hands what has been told to `take`: a device as it is, or `is_gone`. Waits for nothing; where there is
 * more, poll(2) says so. 0, or a negative errno: -ENOBUFS where something was lost, and every device is to
 * be looked at. */
MUST_USE NONNULL int link_monitor_read(struct link_monitor *monitor,
                                       void (*take)(void *userdata, const struct link *link, bool is_gone),
                                       void *userdata);
