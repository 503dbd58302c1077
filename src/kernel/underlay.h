/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* How the outer packets of a tunnel leave this machine: its other ends, which the device, its forwarding
 * table or its peers have, and the routes to them; else by its own address. */

#include "kernel/netlink.h"
#include "kernel/route.h"
#include "plan/link_table.h"

/* Passes each way to `take`: the address of the other end, of size 0 where it is not known, and the route,
 * NULL if there is none. For a bridge, the ways are the default routes of IPv4 and IPv6. 0 or a negative
 * errno: -EPERM if only root may ask for the other ends; with some ways perhaps missing. */
MUST_USE int underlay_each(struct netlink_socket *socket, const struct link *link,
                           void (*take)(void *userdata, const struct net_address *end,
                                        const struct route *route),
                           void *userdata);

/* Adds the ways of `link`, a device of the table, to it, also where they cannot be asked for. -ENOMEM is the
 * only error. */
MUST_USE NONNULL int underlay_add(struct netlink_socket *socket, const struct link *link,
                                  struct link_table *links);
