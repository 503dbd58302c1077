/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Where the kernel would send a packet, and the largest that it would send there: RTM_GETROUTE and
 * RTM_NEWROUTE, rtnetlink(7). */

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "kernel/netlink.h"
#include "plan/net_address.h"

#include "base/attributes.h"

/* The interface that leads to `to`; if `ifindex` is not 0, only that one is considered. 0 or a negative
 * errno: -ENETUNREACH if there is no route. */
MUST_USE int route_get_interface(struct netlink_socket *socket, const struct sockaddr *to, unsigned ifindex,
                                 unsigned *ret_ifindex);

/* Whether that errno means that there is no route, rather than a failure: a route may be of type
 * unreachable, prohibit or blackhole (fib_props in net/ipv4/fib_semantics.c), and a protocol absent. */
bool route_is_none(int error);

/* The socket address of an IP address; a link-local one is on the interface (RFC 4007). */
struct sockaddr_storage route_sockaddr(const struct net_address *address, unsigned ifindex);
/* The IP address of a socket address; none of another family. */
struct net_address route_address(const struct sockaddr *address);

/* What limits packets to an address. */
struct route {
        unsigned ifindex;
        struct net_address gateway; /* of size 0: none, it is on the link */
        uint32_t mtu;               /* that the route is configured with; 0: none */
        uint32_t learned;           /* from routers for this address, for some minutes; 0: nothing */
};

/* The route to `to`, as above, of packets with that mark; 0: none. */
MUST_USE int route_get(struct netlink_socket *socket, const struct sockaddr *to, unsigned ifindex,
                       uint32_t mark, struct route *ret);
