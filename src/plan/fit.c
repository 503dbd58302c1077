/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "plan/fit.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/pool.h"
#include "base/text.h"
#include "plan/overlay.h"
#include "plan/stack.h"

/* How far the computation of a device is. */
#define FIT_NONE 0
#define FIT_DEPTH_MAX (8 * STACK_DEPTH_MAX)
#define FIT_DONE UINT_MAX /* anything between: where it is in the chain that is being computed, from 1 */

struct fitting {
        const struct link_table *links;
        struct device_status *statuses;
        struct fit *fits;
        unsigned *marks;
};

/* The ports by which a bridge reaches guests and containers. */
static bool is_guest(const struct link *link) {
        return text_is_among(link->kind, "veth tun netkit dummy");
}

static bool has_ports_out(const struct link_table *links, const struct link *bridge) {
        for (size_t i = 0; i < links->n_links; i++)
                if (links->links[i].controller_ifindex == bridge->ifindex && !is_guest(&links->links[i]))
                        return true;
        return false;
}

/* Whether the MTU of `link` is computed from that of its port. */
static bool is_port_of(const struct link *port, const struct link *link) {
        return port->controller_ifindex == link->ifindex &&
               (stack_is_setter(link) || (stack_is_bridge(link) && !is_guest(port)));
}

/* The bridge or bond whose MTU is that of the port, or NULL. */
static const struct link *find_controller(const struct link_table *links, const struct link *port) {
        const struct link *controller = link_table_by_ifindex(links, port->controller_ifindex);

        return controller && (stack_is_setter(controller) || (stack_is_bridge(controller) && is_guest(port)))
                               ? controller
                               : NULL;
}

/* The device on which `link` stands, or NULL. */
static const struct link *find_lower(const struct link_table *links, const struct link *link) {
        const struct link *limit = stack_limit(links, link);

        return limit ? limit : stack_leader(links, link);
}

bool fit_needs_underlay(const struct link_table *links, const struct link *link) {
        if (stack_is_bridge(link))
                return !has_ports_out(links, link);
        return overlay_is_over_ip(link->kind);
}

/* Takes a device by which its packets leave, if that has less room than those so far. `way`: the route by
 * it, or NULL. */
static void add_below(struct fit *fit, const struct link *below, uint32_t mtu, uint32_t overhead,
                      const struct underlay *way) {
        bool is_route = way && way->mtu > 0 && way->mtu < mtu;
        uint32_t room;

        mtu = is_route ? way->mtu : mtu;
        room = mtu > overhead ? mtu - overhead : 0;
        if (!fit->below || room < fit->mtu)
                *fit = (struct fit){
                        .mtu = room,
                        .below = below,
                        .below_mtu = mtu,
                        .overhead = overhead,
                        .is_route = is_route,
                        .is_over_ipv6 = overhead > 0 && way && way->is_over_ipv6,
                };
}

static uint32_t find_mtu(struct fitting *fitting, const struct link *link, unsigned depth, unsigned *lowest);

static uint32_t find_followed(struct fitting *fitting, const struct link *bridge, unsigned depth,
                              unsigned *lowest);

/* The least that `lower` has until all lines are carried out: one that follows another device, or its ports,
 * changes with that before its own line is. */
static uint32_t find_least(struct fitting *fitting, const struct link *lower, unsigned depth,
                           unsigned *lowest) {
        const struct link *leader = stack_leader(fitting->links, lower);
        uint32_t mtu = find_mtu(fitting, lower, depth, lowest), led = mtu;

        if (leader)
                led = find_mtu(fitting, leader, depth, lowest);
        else if (stack_is_bridge(lower) && !fitting->statuses[lower - fitting->links->links].is_pinned &&
                 mtu >= lower->mtu) /* else it is set before its ports */
                led = find_followed(fitting, lower, depth, lowest);
        return led < mtu && led != lower->mtu ? led : mtu;
}

/* Adds the ways that the kernel was asked for. Without a route to one of several ends, the others count. */
static void add_underlays(struct fitting *fitting, const struct link *link, unsigned depth, unsigned *lowest,
                          struct fit *fit) {
        const struct link_table *links = fitting->links;
        enum fit_fault none = stack_is_bridge(link) ? FIT_NO_DEFAULT : FIT_NO_END, unread = FIT_FITS;

        for (size_t i = 0; i < links->n_underlays; i++) {
                const struct underlay *way = &links->underlays[i];
                const struct link *below = link_table_by_ifindex(links, way->ifindex);

                if (way->upper != link->ifindex)
                        continue;
                if (way->error < 0)
                        unread = way->error == -EPERM ? FIT_NOT_PERMITTED : FIT_UNREADABLE;
                if (!below) {
                        none = stack_is_bridge(link) ? FIT_NO_DEFAULT : FIT_NO_ROUTE;
                        continue;
                }
                add_below(fit, below, find_mtu(fitting, below, depth, lowest),
                          overlay_bytes(link, way->is_over_ipv6), way);
        }
        if (!fit->below || unread != FIT_FITS)
                *fit = (struct fit){ .fault = unread != FIT_FITS ? unread : none };
}

/* The number of the device's line, or what it is set back to; 0: none, or it is refused, being more than the
 * device below carries. What does not fall with that is lowered before it. */
static uint32_t find_line_mtu(struct fitting *fitting, const struct link *link, unsigned depth,
                              unsigned *lowest) {
        const struct device_status *status = &fitting->statuses[link - fitting->links->links];
        const struct link *limit = stack_limit(fitting->links, link);
        bool is_lowered = status->wanted < link->mtu;

        if (status->line && (status->line->spec.is_auto || !device_status_has_good_line(status)))
                return 0;
        if (limit && (!is_lowered || stack_falls(link, limit)) &&
            stack_capacity(link, limit,
                           is_lowered ? find_least(fitting, limit, depth, lowest)
                                      : find_mtu(fitting, limit, depth, lowest)) < status->wanted)
                return 0;
        return status->wanted;
}

static void compute(struct fitting *fitting, const struct link *link, unsigned depth, unsigned *lowest,
                    struct fit *fit) {
        const struct link_table *links = fitting->links;
        const struct link *lower = find_lower(links, link), *controller = find_controller(links, link);
        bool is_setter = stack_is_setter(link);

        for (size_t i = 0; i < links->n_links; i++) {
                const struct link *port = &links->links[i];
                uint32_t mtu;

                if (!is_port_of(port, link))
                        continue;
                /* What a port without a line has is from the bond itself. */
                mtu = is_setter ? find_line_mtu(fitting, port, depth, lowest)
                                : find_mtu(fitting, port, depth, lowest);
                if (mtu > 0)
                        add_below(fit, port, mtu, 0, NULL);
        }
        if (lower) {
                uint32_t mtu = find_mtu(fitting, lower, depth, lowest);

                if (stack_falls(link, lower) && stack_capacity(link, lower, mtu) < link->mtu)
                        mtu = find_least(fitting, lower, depth, lowest);
                add_below(fit, lower, mtu, stack_overhead(link, lower), NULL);
        }
        if (controller) {
                add_below(fit, controller, find_mtu(fitting, controller, depth, lowest), 0, NULL);
                /* It waits together with its bridge, which follows its ports meanwhile. */
                fit->fault = fitting->fits[controller - links->links].fault;
        } else if (strcmp(link->kind, "ppp") == 0) {
                fit->mtu = link->mtu;
                /* Each time it would be less than the time before. */
                if (fitting->statuses[link - links->links].line->spec.less > 0)
                        fit->fault = FIT_NEGOTIATED;
        } else if (link->is_lower_elsewhere)
                fit->fault = FIT_ELSEWHERE;
        else if (text_is_among(link->kind, "xfrm vti vti6"))
                fit->fault = FIT_IPSEC;
        else if (is_setter && !fit->below)
                fit->fault = FIT_NO_PORT;
        else if (!fit->below && !fit_needs_underlay(links, link))
                fit->fault = is_guest(link) ? FIT_NO_BRIDGE : FIT_NO_LOWER;
        if (fit->fault == FIT_FITS && fit_needs_underlay(links, link))
                add_underlays(fitting, link, depth, lowest, fit);
}

/* Computes the device, which is at that place of the chain. `lowest`: the first device of the chain on which
 * it depends again, if that is before those that are known so far. */
static void settle(struct fitting *fitting, const struct link *link, unsigned depth, unsigned *lowest) {
        size_t i = (size_t)(link - fitting->links->links);
        const struct config_line *line = fitting->statuses[i].line;
        struct fit *fit = &fitting->fits[i];
        struct link fitted = *link;
        unsigned own_lowest = UINT_MAX;
        struct device_status status;

        fitting->marks[i] = depth;
        compute(fitting, link, depth, &own_lowest, fit);
        fitting->marks[i] = FIT_DONE;
        if (own_lowest <= depth && fit->fault == FIT_FITS)
                fit->fault = FIT_LOOP;
        if (fit->fault != FIT_FITS)
                *fit = (struct fit){ .fault = fit->fault };
        if (own_lowest < depth && own_lowest < *lowest)
                *lowest = own_lowest;
        if (link->mtu_max > 0 && fit->mtu > link->mtu_max)
                fit->mtu = link->mtu_max;
        fit->less = line->spec.less;
        fit->mtu = fit->mtu > fit->less ? fit->mtu - fit->less : 0;
        if (fit->mtu == 0 && fit->fault == FIT_FITS)
                fit->fault = FIT_NOTHING_LEFT;
        fitted.fit = *fit;
        status = device_status_of(&fitted, line);
        fitting->statuses[i].wanted = status.wanted;
        fitting->statuses[i].state = status.state;
}

/* Whether the port is to have what its bridge has. */
static bool is_like_bridge(const struct fitting *fitting, const struct link *port) {
        const struct config_line *line = fitting->statuses[port - fitting->links->links].line;

        return is_guest(port) && line && line->spec.is_auto && line->spec.less == 0;
}

/* The MTU that a bridge gets from its ports, if it has not been set. One that differs from all of them was
 * set by another program, and is left. */
static uint32_t find_followed(struct fitting *fitting, const struct link *bridge, unsigned depth,
                              unsigned *lowest) {
        const struct link *smallest = stack_smallest_port(fitting->links, bridge);
        uint32_t mtu = UINT32_MAX;

        if (!smallest || smallest->mtu != bridge->mtu)
                return bridge->mtu;
        for (size_t i = 0; i < fitting->links->n_links; i++) {
                const struct link *port = &fitting->links->links[i];
                uint32_t own = port->controller_ifindex == bridge->ifindex && !is_like_bridge(fitting, port)
                                               ? find_mtu(fitting, port, depth, lowest)
                                               : UINT32_MAX;

                mtu = own < mtu ? own : mtu;
        }
        return mtu < UINT32_MAX ? mtu : bridge->mtu;
}

/* The MTU that the device has once all lines are carried out. */
static uint32_t find_mtu(struct fitting *fitting, const struct link *link, unsigned depth,
                         unsigned *lowest) {
        size_t i = (size_t)(link - fitting->links->links);
        const struct device_status *status = &fitting->statuses[i];
        const struct link *lower = find_lower(fitting->links, link);
        const struct link *setter = stack_setter(fitting->links, link);
        uint32_t set, own, below, room;

        /* The kernel nests less; but a table that was read while devices changed may have a circle. */
        if (depth++ > FIT_DEPTH_MAX)
                return link->mtu;
        if (status->line && status->line->spec.is_auto) {
                if (fitting->marks[i] == FIT_NONE)
                        settle(fitting, link, depth, lowest);
                if (fitting->marks[i] < *lowest)
                        *lowest = fitting->marks[i];
                if (fitting->marks[i] != FIT_DONE)
                        return link->mtu;
                if (device_status_has_good_line(status))
                        return status->wanted;
        }
        /* A port's line that contradicts that of its bond is refused. */
        set = setter ? find_mtu(fitting, setter, depth, lowest) : 0;
        own = setter && device_status_has_good_line(&fitting->statuses[setter - fitting->links->links])
                              ? set
                              : find_line_mtu(fitting, link, depth, lowest);
        if (!lower)
                return own > 0 ? own
                       : stack_is_bridge(link) && !status->is_pinned
                                       ? find_followed(fitting, link, depth, lowest)
                                       : link->mtu;
        below = find_mtu(fitting, lower, depth, lowest);
        room = stack_capacity(link, lower, below);
        if (own > 0)
                return stack_falls(link, lower) && room < own ? room : own;
        if (!stack_is_follower(link))
                below = find_least(fitting, lower, depth, lowest);
        room = stack_capacity(link, lower, below);
        if (!stack_is_follower(link) && !stack_falls(link, lower))
                return link->mtu;
        /* Counts as lowered with that even where it has fallen behind. */
        return room < link->mtu || (below > lower->mtu && stack_is_follower(link)) ? room : link->mtu;
}

int fit_compute(const struct link_table *links, struct device_status *statuses, struct fit *fits) {
        CLEANUP(pool_free) struct pool pool = { 0 };
        struct fitting fitting = {
                .links = links,
                .statuses = statuses,
                .fits = fits,
                .marks = pool_take(&pool, links->n_links * sizeof(*fitting.marks)),
        };

        if (pool.failed)
                return -ENOMEM;
        for (size_t i = 0; i < links->n_links; i++)
                if (statuses[i].line && statuses[i].line->spec.is_auto && fitting.marks[i] == FIT_NONE)
                        settle(&fitting, &links->links[i], 1, &(unsigned){ UINT_MAX });
        return 0;
}

const char *fit_text(char buffer[static FIT_TEXT_SIZE], const struct fit *fit) {
        const struct link *below = fit->below;
        char overhead[32] = "";
        int n;

        if (fit->overhead > 0)
                snprintf(overhead, sizeof(overhead), "%u less than ", fit->overhead);
        if (!below)
                n = snprintf(buffer, FIT_TEXT_SIZE, "what PPP has negotiated");
        else
                n = snprintf(buffer, FIT_TEXT_SIZE, "%sthe %u of %s%s%s", overhead, fit->below_mtu,
                             fit->is_route ? "the route by " : "", below->name,
                             fit->is_over_ipv6 ? ", over IPv6" : "");
        if (fit->less > 0)
                snprintf(buffer + n, FIT_TEXT_SIZE - (size_t)n, ", and %u less by its line", fit->less);
        return buffer;
}
