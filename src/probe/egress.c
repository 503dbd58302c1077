/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "probe/egress.h"

#include <errno.h>
#include <stdlib.h>

#include "kernel/neighbour.h"
#include "kernel/underlay.h"
#include "plan/overlay.h"
#include "plan/stack.h"

/* What is looked for in the tables of neighbours. */
struct search {
        unsigned ifindex;            /* of the device; of a bridge, `ret_port` is the port */
        struct net_address address;  /* of the next host; size 0: it is not known */
        struct net_address hardware; /* and of its own */
        unsigned port;
};

static void take_host(void *userdata, const struct neighbour *neighbour) {
        struct search *search = userdata;

        if (neighbour->ifindex == search->ifindex &&
            net_address_equals(&neighbour->address, &search->address))
                search->hardware = neighbour->hardware;
}

static void take_port(void *userdata, const struct neighbour *neighbour) {
        struct search *search = userdata;

        if (neighbour->controller == search->ifindex &&
            net_address_equals(&neighbour->hardware, &search->hardware))
                search->port = neighbour->ifindex;
}

int egress_find_underlay(struct netlink_socket *socket, const struct link_table *links,
                         const struct link *link, struct egress_step *ret) {
        struct link_table ways = { .links = links->links, .n_links = links->n_links };
        int r = underlay_add(socket, link, &ways);

        *ret = (struct egress_step){ 0 };
        for (size_t i = 0; i < ways.n_underlays; i++) {
                const struct underlay *way = &ways.underlays[i];
                const struct link *below = link_table_by_ifindex(links, way->ifindex);
                uint32_t limit = way->learned > 0 ? way->learned : way->mtu;
                bool is_route = below && limit > 0 && limit < below->mtu;
                uint32_t mtu = is_route ? limit : below ? below->mtu : 0;
                uint32_t overhead = overlay_bytes(link, way->is_over_ipv6);

                /* The peers of a WireGuard device are root's to know. */
                if (way->error < 0 && way->error != -EPERM)
                        r = way->error;
                /* The one that leaves the least: the peers of WireGuard may be of both protocols. */
                if (!below || below == link || (ret->link && ret->mtu + overhead <= mtu + ret->overhead))
                        continue;
                *ret = (struct egress_step){ .link = below, .mtu = mtu, .overhead = overhead };
                if (is_route)
                        ret->to = way->to;
        }
        free(ways.underlays);
        return r;
}

/* The port by which a bridge sends to the next host. 0 or a negative errno. */
static int find_port(struct netlink_socket *socket, const struct link_table *links,
                     const struct link *bridge, struct search *next, bool *ret_is_guess,
                     const struct link **ret) {
        sa_family_t family = next->address.size == 4 ? AF_INET : AF_INET6;
        struct search search = { .ifindex = bridge->ifindex };
        int r = 0;

        if (next->address.size > 0 && next->hardware.size == 0)
                r = neighbour_each(socket, family, take_host, next);
        search.hardware = next->hardware;
        if (r == 0 && search.hardware.size > 0)
                r = neighbour_each(socket, AF_BRIDGE, take_port, &search);
        *ret = search.port > 0 ? link_table_by_ifindex(links, search.port)
                               : stack_smallest_port(links, bridge);
        for (size_t i = 0; search.port == 0 && i < links->n_links; i++)
                *ret_is_guess |= links->links[i].controller_ifindex == bridge->ifindex &&
                                 links->links[i].mtu > (*ret)->mtu;
        return r;
}

/* `next` is the next host as seen from the device. 0 or a negative errno. */
static int find_step(struct netlink_socket *socket, const struct link_table *links, const struct link *link,
                     struct search *next, bool *ret_is_guess, struct egress_step *ret) {
        int r = 0;

        *ret = (struct egress_step){ 0 };
        if (overlay_find(link->kind)) {
                /* The outer packets go to another host. */
                *next = (struct search){ 0 };
                return egress_find_underlay(socket, links, link, ret);
        }
        if (stack_is_bridge(link))
                r = find_port(socket, links, link, next, ret_is_guess, &ret->link);
        else
                ret->link = stack_is_setter(link) ? stack_smallest_port(links, link)
                                                  : link_table_by_ifindex(links, link->lower_ifindex);
        ret->mtu = ret->link ? ret->link->mtu : 0;
        return r;
}

static void keep_narrowest(const struct link *link, const struct egress_step *step, uint32_t room,
                           const struct overlay *overlay, struct egress *egress) {
        /* The lowest of equals has to be raised first; a bond, which sets its ports, before them. */
        if (egress->room > 0 && (egress->room < room || (egress->room == room && stack_is_setter(link))))
                return;
        egress->room = room;
        egress->mtu = step->mtu;
        memcpy(egress->name, step->link->name, sizeof(egress->name));
        memcpy(egress->above, link->name, sizeof(egress->above));
        egress->is_port = step->link->controller_ifindex == link->ifindex;
        egress->is_set = stack_is_setter(link);
        egress->overlay = overlay ? overlay->title : NULL;
        egress->to = step->to;
}

static void limit_to(struct egress *egress, enum egress_limit limit, uint32_t mtu) {
        if (mtu == 0 || (egress->sent > 0 && egress->sent <= mtu))
                return;
        egress->sent = mtu;
        egress->limit = limit;
}

int egress_find(struct netlink_socket *socket, const struct link_table *links, const struct sockaddr *to,
                unsigned ifindex, struct egress *ret) {
        const struct link *link = link_table_by_ifindex(links, ifindex);
        struct search next = { .ifindex = ifindex };
        struct egress found = { 0 };
        struct egress_step step;
        const struct overlay *overlay = NULL; /* that the packet is in by now */
        uint32_t headers = 0;                 /* that are around the first device's packet */
        int r = route_get(socket, to, ifindex, 0, &found.route);

        if (r < 0 && !route_is_none(r))
                return r;
        if (link && to->sa_family == AF_INET6 && link->ipv6_mtu < link->mtu)
                limit_to(&found, EGRESS_IPV6, link->ipv6_mtu);
        limit_to(&found, EGRESS_ROUTE, found.route.mtu);
        limit_to(&found, EGRESS_LEARNED, found.route.learned);
        next.address = found.route.gateway;
        if (next.address.size == 0)
                next.address = route_address(to);
        for (int i = 0; link && i < STACK_DEPTH_MAX; i++, link = step.link) {
                r = find_step(socket, links, link, &next, &found.is_guess, &step);
                if (r < 0)
                        return r;
                if (!step.link)
                        break;
                if (step.link->controller_ifindex != link->ifindex)
                        headers += step.mtu - stack_capacity(link, step.link, step.mtu);
                overlay = overlay_find(link->kind) ? overlay_find(link->kind) : overlay;
                keep_narrowest(link, &step, step.mtu > headers ? step.mtu - headers : 1, overlay, &found);
        }
        *ret = found;
        return 0;
}
