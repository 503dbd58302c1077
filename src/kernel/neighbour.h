/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The hosts in the kernel's neighbour tables: RTM_GETNEIGH, rtnetlink(7), ip-neighbour(8). */

#include <sys/socket.h>

#include "kernel/netlink.h"

#include "base/attributes.h"

/* Calls `take` with each host of the family (AF_UNSPEC: either) whose hardware address is known, or was
 * until recently; a link-local address has its scope. If `ifindex` is not 0, only those of that interface.
 * Returns 0 or a negative errno. */
MUST_USE int neighbour_each(struct netlink_socket *socket, sa_family_t family, unsigned ifindex,
                            void (*take)(void *userdata, const struct sockaddr_storage *address),
                            void *userdata);
