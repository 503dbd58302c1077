/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Where the kernel would send a packet, and the largest that it would send there: RTM_GETROUTE and
 * RTM_NEWROUTE, rtnetlink(7). */

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "kernel/netlink.h"

#include "base/attributes.h"

/* The interface that leads to `to`; if `ifindex` is not 0, only that one is considered. 0 or a negative
 * errno: -ENETUNREACH if there is no route. */
MUST_USE int route_get_interface(struct netlink_socket *socket, const struct sockaddr *to, unsigned ifindex,
                                 unsigned *ret_ifindex);

/* Whether that errno means that there is no route, rather than a failure: a route may be of type
 * unreachable, prohibit or blackhole (fib_props in net/ipv4/fib_semantics.c), and a protocol absent. */
bool route_is_none(int error);

/* The configured MTU of the route to `to`, not one that the kernel has learned; 0: none. Errors as above. */
MUST_USE int route_get_mtu(struct netlink_socket *socket, const struct sockaddr *to, uint32_t *ret_mtu);
