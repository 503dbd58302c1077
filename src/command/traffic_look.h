/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* A look at the TCP connections of this network namespace, for the judge. */

#include "probe/path.h"
#include "probe/traffic.h"

/* Passes one dump of `diag`, which is opened if it is NULL, to the judge. 0 or a negative errno. */
MUST_USE int traffic_look(struct netlink_socket **diag, struct traffic *traffic);
/* Logs what has failed in it. Returns an exit code. */
int traffic_look_exit_code(int r);

/* Looks for a while, and marks the paths that connections have proven to carry packets of `size` bytes; 0:
 * of the MTU. Returns an exit code. */
int traffic_find_proven(struct netlink_socket *route, struct path *paths, size_t n, uint32_t size);
