/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "plan/stack.h"

#include <string.h>

#include "plan/overlay.h"

static bool is_kind(const struct link *link, const char *kind) {
        return link && strcmp(link->kind, kind) == 0;
}

uint32_t stack_overhead(const struct link *link, const struct link *lower) {
        return is_kind(link, "vlan") && is_kind(lower, "macsec") ? 4
                                                                 : overlay_bytes(link, link->is_over_ipv6);
}

bool stack_is_limited(const struct link *link) {
        return is_kind(link, "vlan") || is_kind(link, "macvlan") || is_kind(link, "macvtap") ||
               is_kind(link, "macsec") || is_kind(link, "vxlan");
}

bool stack_falls(const struct link *link, const struct link *lower) {
        return stack_is_limited(link) && !is_kind(link, "vxlan") &&
               !(is_kind(link, "vlan") && is_kind(lower, "macsec"));
}

uint32_t stack_capacity(const struct link *link, const struct link *lower, uint32_t lower_mtu) {
        uint32_t overhead = stack_overhead(link, lower);

        return lower_mtu > overhead ? lower_mtu - overhead : 0;
}

bool stack_is_follower(const struct link *link) {
        return is_kind(link, "ipvlan") || is_kind(link, "ipvtap");
}

bool stack_is_setter(const struct link *link) {
        return is_kind(link, "bond") || is_kind(link, "team");
}

bool stack_is_bridge(const struct link *link) {
        return is_kind(link, "bridge");
}

const struct link *stack_limit(const struct link_table *table, const struct link *link) {
        return stack_is_limited(link) ? link_table_by_ifindex(table, link->lower_ifindex) : NULL;
}

const struct link *stack_leader(const struct link_table *table, const struct link *link) {
        return stack_is_follower(link) ? link_table_by_ifindex(table, link->lower_ifindex) : NULL;
}

const struct link *stack_setter(const struct link_table *table, const struct link *link) {
        const struct link *controller = link_table_by_ifindex(table, link->controller_ifindex);

        return stack_is_setter(controller) ? controller : NULL;
}

const struct link *stack_smallest_port(const struct link_table *table, const struct link *link) {
        const struct link *found = NULL;

        for (size_t i = 0; i < table->n_links; i++)
                if (table->links[i].controller_ifindex == link->ifindex &&
                    (!found || table->links[i].mtu < found->mtu))
                        found = &table->links[i];
        return found;
}

/* Raises a rank to at least `step` above another one. True if that changed it. */
static bool lift(unsigned *rank, unsigned other, unsigned step) {
        if (*rank >= other + step || other >= STACK_DEPTH_MAX * 2)
                return false;
        *rank = other + step;
        return true;
}

/* One pass over all devices; false if no rank changed. `lowering` is a height for now, which grows with
 * those of the devices below. */
static bool settle(const struct link_table *table, struct stack_rank *ranks) {
        bool moved = false;

        for (size_t i = 0; i < table->n_links; i++) {
                const struct link *link = &table->links[i];
                const struct link *lower = link_table_by_ifindex(table, link->lower_ifindex);
                const struct link *controller = link_table_by_ifindex(table, link->controller_ifindex);
                struct stack_rank *own = &ranks[i];

                if (lower) {
                        moved |= lift(&own->raising, ranks[lower - table->links].raising, 2);
                        moved |= lift(&own->lowering, ranks[lower - table->links].lowering, 2);
                        /* A bond asks its ports, which need what is below them. */
                        if (controller)
                                moved |= lift(&ranks[controller - table->links].raising,
                                              ranks[lower - table->links].raising, 2);
                }
                if (controller) {
                        struct stack_rank *other = &ranks[controller - table->links];

                        /* A port comes right after its bond, and before the devices on top of either. */
                        moved |= stack_is_setter(controller) ? lift(&own->raising, other->raising, 1)
                                                             : lift(&other->raising, own->raising, 2);
                        moved |= lift(&other->lowering, own->lowering, 2);
                }
        }
        for (size_t i = 0; i < table->n_underlays; i++) {
                const struct link *upper = link_table_by_ifindex(table, table->underlays[i].upper);
                const struct link *below = link_table_by_ifindex(table, table->underlays[i].ifindex);

                if (!upper || !below)
                        continue;
                moved |= lift(&ranks[upper - table->links].raising, ranks[below - table->links].raising, 2);
                moved |= lift(&ranks[upper - table->links].lowering, ranks[below - table->links].lowering,
                              2);
        }
        return moved;
}

void stack_rank(const struct link_table *table, struct stack_rank *ranks) {
        unsigned highest = 0;

        while (settle(table, ranks))
                ;
        for (size_t i = 0; i < table->n_links; i++)
                if (ranks[i].lowering > highest)
                        highest = ranks[i].lowering;
        for (size_t i = 0; i < table->n_links; i++)
                ranks[i].lowering = highest - ranks[i].lowering;
}
