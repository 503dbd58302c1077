/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The routes of a device, and an upper limit of what they send: RTM_GETROUTE and RTM_NEWROUTE with
 * NLM_F_REPLACE, rtnetlink(7). */

#include <stddef.h>
#include <stdint.h>

#include "kernel/netlink.h"

#include "base/attributes.h"

/* IPv4 routes: requests that make the kernel's routes what these were, one after the other. */
struct route_list {
        char *data; /* from malloc(), or NULL */
        size_t size;
};

/* Finds the IPv4 unicast routes through the device, of all tables, by which more than `limit` bytes may be
 * sent: with a larger MTU or without one. -ENOTUNIQ if the kernel cannot replace one of them, because
 * another route has the same table, destination, TOS and metric. -EPROTONOSUPPORT if an IPv6 route has a
 * larger MTU: a replaced one would no longer be that of a router advertisement. -ENODATA if the kernel does
 * not tell the device of one, which has a nexthop object (net.ipv4.nexthop_compat_mode). */
MUST_USE NONNULL int route_list_find(struct netlink_socket *socket, unsigned ifindex, uint32_t limit,
                                     struct route_list *ret);
/* Gives each of them the MTU `limit`; one that is gone is skipped. After an error, some have it. */
MUST_USE NONNULL int route_list_limit(struct netlink_socket *socket, const struct route_list *list,
                                      uint32_t limit);
/* Undoes route_list_limit(), also a part of it. Routes that have been changed or replaced since stay as they
 * are. */
MUST_USE NONNULL int route_list_restore(struct netlink_socket *socket, unsigned ifindex,
                                        const struct route_list *list, uint32_t limit);
NONNULL void route_list_cleanup(struct route_list *list); /* for CLEANUP() */
