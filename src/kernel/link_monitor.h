/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Events of network devices, of routes, and of forwarding tables: RTNLGRP_LINK in rtnetlink(7). */

#include <stdbool.h>

#include "base/attributes.h"
#include "plan/link_table.h"

/* Opens a socket for poll(2), which does not block. Returns a descriptor or a negative errno. */
MUST_USE int link_monitor_open(void);

/* Has the socket report routes and the ends of vxlans as well, or no longer. 0 or a negative errno. */
MUST_USE int link_monitor_hear_ways(int fd, bool on);

/* Passes pending events to `take`: a device as it is now, or `is_gone`; NULL for a way. Does not block;
 * poll(2) reports if there is more. 0, or a negative errno: -ENOBUFS if events were lost, so that every
 * device must be read. */
MUST_USE int link_monitor_read(int fd, void (*take)(void *userdata, const struct link *link, bool is_gone),
                               void *userdata);
