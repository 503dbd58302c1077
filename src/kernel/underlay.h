/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* How the outer packets of a tunnel leave this machine: its other ends, which the device, its forwarding
 * table or its peers have, and the routes to them; else by its own address. */

#include "kernel/netlink.h"
#include "plan/link_table.h"

/* Adds the ways of `link`, a device of the table, to it, also where they cannot be asked for: with -EPERM,
 * only root may ask for the other ends. For a bridge, the ways are the default routes of IPv4 and IPv6.
 * -ENOMEM is the only error. */
MUST_USE NONNULL int underlay_add(struct netlink_socket *socket, const struct link *link,
                                  struct link_table *links);
