/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The part of a path that is this machine: what is below the device that packets leave by, and the largest
 * packet that the kernel sends to the host. */

#include "kernel/link.h"
#include "kernel/route.h"

/* What a device sends by. */
struct egress_step {
        const struct link *link; /* NULL: nothing, or it is not known */
        uint32_t mtu;            /* of that, or of the route that an overlay's packets take */
        uint32_t overhead;       /* of the headers of an overlay there */
        struct net_address to;   /* of an overlay: its other end, where it is the route's */
};

/* Finds what carries the packets of an overlay: by its other end, which the device or the forwarding table
 * has, and the route there; else by its own address. Of a bridge: by the default routes. 0 or a negative
 * errno. */
MUST_USE int egress_find_underlay(struct netlink_socket *socket, const struct link_table *links,
                                  const struct link *link, struct egress_step *ret);

/* Why the kernel cuts what programs send to the host into smaller packets. */
enum egress_limit {
        EGRESS_IPV6,
        EGRESS_ROUTE,
        EGRESS_LEARNED,
};

struct egress {
        struct route route;
        uint32_t sent; /* the largest packet that the kernel sends; 0: any */
        enum egress_limit limit;
        /* What has the least room of all below the first device. */
        uint32_t room; /* for packets of the first device; 0: it is not limited */
        uint32_t mtu;  /* its own */
        char name[INTERFACE_NAME_SIZE], above[INTERFACE_NAME_SIZE];
        bool is_port, is_set;  /* `above` has it as a port, and sets its MTU */
        const char *overlay;   /* in whose packets they are there; or NULL */
        struct net_address to; /* the other end of that, if it is the route there */
        bool is_guess;         /* some bridge may send by another port */
};

/* Whether packets of that size do not fit into what is below. */
static inline bool egress_is_narrow(const struct egress *egress, uint32_t size) {
        return egress->room > 0 && egress->room < size;
}

/* Whether the kernel sends smaller ones. */
static inline bool egress_is_cut(const struct egress *egress, uint32_t size) {
        return egress->sent > 0 && egress->sent < size;
}

/* Finds the way of packets to an address by the device of that ifindex, which is among the links. Where a
 * bridge has not heard of the address lately, its smallest port is a guess. 0 or a negative errno. */
MUST_USE int egress_find(struct netlink_socket *socket, const struct link_table *links,
                         const struct sockaddr *to, unsigned ifindex, struct egress *ret);
