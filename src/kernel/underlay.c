/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "kernel/underlay.h"

#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <linux/wireguard.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "kernel/neighbour.h"
#include "kernel/route.h"
#include "plan/stack.h"

/* Addresses far away, to which only a default route or one of a VPN for everything leads: those of
 * a.root-servers.net. Nothing is sent there. */
static const struct net_address far[] = {
        { .bytes = { 198, 41, 0, 4 }, .size = 4 },
        { .bytes = { 0x20, 0x01, 0x05, 0x03, 0xba, 0x3e, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0x30 }, .size = 16 },
};

/* The other ends of a tunnel. */
struct ends {
        unsigned ifindex;
        struct net_address *items;
        size_t n_items;
        uint32_t mark; /* of outer packets, by which ip-rule(8) may route them; 0: none */
        bool is_out_of_memory;
};

static void add_end(struct ends *ends, const struct net_address *address) {
        struct net_address *item;

        for (size_t i = 0; i < ends->n_items; i++)
                if (net_address_equals(&ends->items[i], address))
                        return;
        item = array_add(&ends->items, &ends->n_items, sizeof(*item));
        if (item)
                *item = *address;
        ends->is_out_of_memory |= !item;
}

/* The peers of a WireGuard device: WG_CMD_GET_DEVICE over generic netlink, linux/wireguard.h. */

static struct nlmsghdr *begin_command(struct netlink_socket *socket, uint16_t family, uint16_t flags,
                                      uint8_t command) {
        struct nlmsghdr *request = netlink_begin(socket, family, flags, sizeof(struct genlmsghdr));
        struct genlmsghdr *header = mnl_nlmsg_get_payload(request);

        header->cmd = command;
        header->version = WG_GENL_VERSION; /* that of the controller, too */
        return request;
}

static int take_family(void *userdata, const struct nlmsghdr *message) {
        const struct nlattr *id = netlink_attribute(message, sizeof(struct genlmsghdr), CTRL_ATTR_FAMILY_ID);

        if (id && mnl_attr_validate(id, MNL_TYPE_U16) >= 0)
                *(uint16_t *)userdata = mnl_attr_get_u16(id);
        return 0;
}

static int take_peer(const struct nlattr *peer, void *userdata) {
        const struct nlattr *endpoint = netlink_nested(peer, WGPEER_A_ENDPOINT);
        struct net_address address = { .size = 0 };

        if (endpoint && mnl_attr_get_payload_len(endpoint) >= sizeof(struct sockaddr))
                address = route_address(mnl_attr_get_payload(endpoint));
        if (address.size > 0)
                add_end(userdata, &address);
        return MNL_CB_OK;
}

/* A device with many peers comes in several messages. */
static int take_device(void *userdata, const struct nlmsghdr *message) {
        const size_t header = sizeof(struct genlmsghdr);
        const struct nlattr *peers = netlink_attribute(message, header, WGDEVICE_A_PEERS),
                            *mark = netlink_attribute(message, header, WGDEVICE_A_FWMARK);
        struct ends *ends = userdata;

        if (mark)
                ends->mark = netlink_number(mark);
        if (peers)
                (void)mnl_attr_parse_nested(peers, take_peer, ends);
        return 0;
}

/* The endpoints that are known. 0 or a negative errno: -EPERM without CAP_NET_ADMIN. */
static int add_endpoints(struct ends *ends) {
        CLEANUP(netlink_socket_cleanup) struct netlink_socket *socket = NULL;
        struct nlmsghdr *request;
        uint16_t family = 0;
        int r = netlink_socket_open(NETLINK_GENERIC, &socket);

        if (r < 0)
                return r;
        request = begin_command(socket, GENL_ID_CTRL, 0, CTRL_CMD_GETFAMILY);
        mnl_attr_put_strz(request, CTRL_ATTR_FAMILY_NAME, WG_GENL_NAME);
        r = netlink_exchange(socket, request, take_family, &family, NULL);
        if (r < 0)
                return r;
        request = begin_command(socket, family, NLM_F_DUMP, WG_CMD_GET_DEVICE);
        mnl_attr_put_u32(request, WGDEVICE_A_IFINDEX, ends->ifindex);
        r = netlink_exchange(socket, request, take_device, ends, NULL);
        netlink_socket_forget(socket); /* the answer has the private key */
        return r;
}

static void add_entry(void *userdata, const struct neighbour *neighbour) {
        const struct ends *ends = userdata;

        if (neighbour->ifindex == ends->ifindex && neighbour->address.size > 0)
                add_end(userdata, &neighbour->address);
}

static int find_ends(struct netlink_socket *socket, const struct link *link, struct ends *ends) {
        int r = 0;

        if (strcmp(link->kind, "wireguard") == 0)
                return add_endpoints(ends);
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
        struct ends ends = { .ifindex = link->ifindex };
        int r = find_ends(socket, link, &ends);
        bool is_added = true;

        for (size_t i = 0; r == 0 && i < ends.n_items; i++) {
                const struct sockaddr_storage to = route_sockaddr(&ends.items[i], link->lower_ifindex);
                struct route route;

                r = route_get(socket, (const struct sockaddr *)&to, link->lower_ifindex, ends.mark, &route);
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
