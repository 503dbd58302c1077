/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "plan/stack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "plan/overlay.h"

static bool is_kind(const struct link *link, const char *kind) {
        return link && strcmp(link->kind, kind) == 0;
}

/* The bytes beyond the MTU that a frame takes on the lower device. */
static uint32_t overhead(const struct link *link, const struct link *lower) {
        return is_kind(link, "vlan") && is_kind(lower, "macsec") ? 4 : overlay_overhead(link);
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
        return lower_mtu > overhead(link, lower) ? lower_mtu - overhead(link, lower) : 0;
}

bool stack_is_follower(const struct link *link) {
        return is_kind(link, "ipvlan") || is_kind(link, "ipvtap");
}

bool stack_is_setter(const struct link *link) {
        return is_kind(link, "bond") || is_kind(link, "team");
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

/* rank[of] = max(rank[of], rank[on] + step). True if that changed it. */
static bool lift(unsigned *rank, size_t of, size_t on, unsigned step) {
        if (rank[of] >= rank[on] + step || rank[on] >= STACK_DEPTH_MAX * 2)
                return false;
        rank[of] = rank[on] + step;
        return true;
}

/* One pass over all devices; false if no rank changed. A device's height grows with those below it. */
static bool settle(const struct link_table *table, unsigned *raising, unsigned *height) {
        bool moved = false;

        for (size_t i = 0; i < table->n_links; i++) {
                const struct link *link = &table->links[i];
                const struct link *lower = link_table_by_ifindex(table, link->lower_ifindex);
                const struct link *controller = link_table_by_ifindex(table, link->controller_ifindex);

                if (lower) {
                        size_t j = (size_t)(lower - table->links);

                        moved |= lift(raising, i, j, 2);
                        moved |= lift(height, i, j, 2);
                }
                if (controller) {
                        size_t j = (size_t)(controller - table->links);

                        /* A port comes right after its bond, and before the devices on top of either. */
                        moved |= stack_setter(table, link) ? lift(raising, i, j, 1) : lift(raising, j, i, 2);
                        moved |= lift(height, j, i, 2);
                }
        }
        return moved;
}

int stack_make(const struct link_table *table, struct stack *ret) {
        unsigned *raising = calloc(table->n_links + 1, sizeof(*raising));
        unsigned *lowering = calloc(table->n_links + 1, sizeof(*lowering));
        unsigned highest = 0;

        if (!raising || !lowering) {
                free(raising);
                free(lowering);
                return -ENOMEM;
        }
        while (settle(table, raising, lowering))
                ;
        for (size_t i = 0; i < table->n_links; i++)
                if (lowering[i] > highest)
                        highest = lowering[i];
        for (size_t i = 0; i < table->n_links; i++)
                lowering[i] = highest - lowering[i];
        *ret = (struct stack){ .table = table, .raising = raising, .lowering = lowering };
        return 0;
}

void stack_free(struct stack *stack) {
        free(stack->raising);
        free(stack->lowering);
        *stack = (struct stack){ 0 };
}

unsigned stack_raising_rank(const struct stack *stack, const struct link *link) {
        return stack->raising[link - stack->table->links];
}

unsigned stack_lowering_rank(const struct stack *stack, const struct link *link) {
        return stack->lowering[link - stack->table->links];
}
