/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "kernel/underlay.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "kernel/neighbour.h"
#include "kernel/route.h"
#include "kernel/wireguard.h"
#include "plan/stack.h"

/* Addresses far away, to which only a default route or one of a VPN for everything leads: those of
 * a.root-servers.net. Nothing is sent there. */
static const struct net_address far[] = {
        { .bytes = { 198, 41, 0, 4 }, .size = 4 },
        { .bytes = { 0x20, 0x01, 0x05, 0x03, 0xba, 0x3e, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0x30 }, .size = 16 },
};

struct ends {
        unsigned ifindex;
        struct net_address *items;
        size_t n_items;
        bool is_out_of_memory;
};

static void add_end(void *userdata, const struct net_address *address) {
        struct ends *ends = userdata;
        struct net_address *item;

        for (size_t i = 0; i < ends->n_items; i++)
                if (net_address_equals(&ends->items[i], address))
                        return;
        item = array_add(&ends->items, &ends->n_items, sizeof(*item));
        if (item)
                *item = *address;
        ends->is_out_of_memory |= !item;
}

static void add_entry(void *userdata, const struct neighbour *neighbour) {
        const struct ends *ends = userdata;

        if (neighbour->ifindex == ends->ifindex && neighbour->address.size > 0)
                add_end(userdata, &neighbour->address);
}

static int find_ends(struct netlink_socket *socket, const struct link *link, struct ends *ends,
                     uint32_t *ret_mark) {
        int r = 0;

        ends->ifindex = link->ifindex;
        if (strcmp(link->kind, "wireguard") == 0)
                return wireguard_each_endpoint(link->ifindex, add_end, ends, ret_mark);
        if (link->remote.size > 0)
                add_end(ends, &link->remote);
        if (strcmp(link->kind, "vxlan") == 0)
                r = neighbour_each(socket, AF_BRIDGE, add_entry, ends);
        for (size_t i = 0; stack_is_bridge(link) && i < sizeof(far) / sizeof(far[0]); i++)
                add_end(ends, &far[i]);
        if (ends->n_items == 0 && link->lower_ifindex == 0 && link->local.size > 0)
                add_end(ends, &link->local);
        return r;
}

/* Most ends of a large overlay are reached the same way. False if out of memory. */
static bool add_way(struct link_table *links, const struct underlay *way) {
        struct underlay *item;

        for (size_t i = 0; i < links->n_underlays; i++) {
                item = &links->underlays[i];
                if (item->upper == way->upper && item->ifindex == way->ifindex && item->mtu == way->mtu &&
                    item->learned == way->learned && item->is_over_ipv6 == way->is_over_ipv6 &&
                    item->error == way->error)
                        return true;
        }
        item = array_add(&links->underlays, &links->n_underlays, sizeof(*item));
        if (item)
                *item = *way;
        return item;
}

/* The way to an end, whose size is 0 where it is not known. `route`: NULL if there is none. */
static bool add_route(struct link_table *links, const struct link *link, const struct net_address *end,
                      const struct route *route) {
        const struct link *below = route ? link_table_by_ifindex(links, route->ifindex) : NULL;
        struct underlay way = {
                .upper = link->ifindex,
                .to = *end,
                .is_over_ipv6 = end->size > 0 ? end->size == 16 : link->is_over_ipv6,
        };

        /* An address of lo is reached by any device. */
        if (below && strcmp(below->name, "lo") != 0) {
                way.ifindex = below->ifindex;
                way.mtu = route->mtu;
                way.learned = route->learned;
        }
        return add_way(links, &way);
}

int underlay_add(struct netlink_socket *socket, const struct link *link, struct link_table *links) {
        struct ends ends = { 0 };
        uint32_t mark = 0;
        int r = find_ends(socket, link, &ends, &mark);
        bool is_added = true;

        for (size_t i = 0; r == 0 && i < ends.n_items; i++) {
                const struct sockaddr_storage to = route_sockaddr(&ends.items[i], link->lower_ifindex);
                struct route route;

                r = route_get(socket, (const struct sockaddr *)&to, link->lower_ifindex, mark, &route);
                if (r == 0 || route_is_none(r))
                        is_added &= add_route(links, link, &ends.items[i], r == 0 ? &route : NULL);
                r = route_is_none(r) ? 0 : r;
        }
        if (r == 0 && ends.n_items == 0 && link->lower_ifindex > 0)
                is_added &= add_route(links, link, &(struct net_address){ .size = 0 },
                                      &(struct route){ .ifindex = link->lower_ifindex });
        free(ends.items);
        if (r < 0)
                is_added &= add_way(links, &(struct underlay){ .upper = link->ifindex, .error = r });
        return ends.is_out_of_memory || !is_added ? -ENOMEM : 0;
}
