/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The kernel's neighbour and forwarding tables: RTM_GETNEIGH, rtnetlink(7), ip-neighbour(8), bridge(8). */

#include <sys/socket.h>

#include "kernel/netlink.h"
#include "plan/net_address.h"

#include "base/attributes.h"

/* A host of the neighbour tables; with AF_BRIDGE, an entry of the forwarding table of a bridge or vxlan. */
struct neighbour {
        unsigned ifindex;            /* the device; of a bridge's entry, the port */
        unsigned controller;         /* the bridge; 0: none */
        struct net_address address;  /* of IP; of a vxlan's entry, that of the other end */
        struct net_address hardware; /* none while it is not known */
};

/* Calls `take` with each entry of the family. Returns 0 or a negative errno. */
MUST_USE int neighbour_each(struct netlink_socket *socket, sa_family_t family,
                            void (*take)(void *userdata, const struct neighbour *neighbour), void *userdata);
