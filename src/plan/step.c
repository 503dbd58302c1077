/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "plan/step.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/pool.h"
#include "plan/fit.h"
#include "plan/stack.h"

/* A device while steps are made: first those of the table, in its order, then absent ones. */
struct node {
        const struct link *link;     /* NULL: absent */
        struct device_status status; /* for a target, that of its line */
        uint32_t mtu;                /* after the steps so far */
        size_t changed_by;           /* the last step that changed it, or STEP_NONE */
        bool is_given;               /* a target */
        bool is_target;              /* that, or needed by one */
        bool is_alone;
        bool is_above;           /* on top of a target, at any height */
        bool is_fitted;          /* it is above a target, and its line says auto */
        bool is_following_ports; /* a bridge, judging by its MTU: br_mtu_auto_adjust() */
        struct node *limit;      /* from stack_limit(); these may be NULL */
        struct node *leader;     /* from stack_leader() */
        struct node *setter;     /* from stack_setter() */
        struct node *bridge;     /* any other controller */
        struct node *first_upper, *next_upper;
        struct node *first_port, *next_port;
        unsigned place; /* the order in which the nodes are decided on: what is lowered by its rank, then
                           from PLACE_OTHERS on the others by theirs, then absent ones */
};

/* Above all ranks. */
#define PLACE_OTHERS (4 * STACK_DEPTH_MAX)
#define PLACE_ABSENT (2 * PLACE_OTHERS)

struct making {
        const struct link_table *links;
        struct node *nodes;
        struct stack_rank *ranks; /* of the devices of the table */
        struct fit *fits;         /* of these, too */
        size_t n_nodes;
        struct node **order; /* targets and devices above them */
        size_t n_order;
        struct steps steps;
        unsigned stage;
        bool is_out_of_memory;
        struct step spare; /* what is added then */
};

static struct node *node_of(const struct making *making, const struct link *link) {
        return link ? &making->nodes[link - making->links->links] : NULL;
}

static struct node *node_by_ifindex(const struct making *making, unsigned ifindex) {
        return node_of(making, link_table_by_ifindex(making->links, ifindex));
}

/* The MTU that the device can have once the lower device has `mtu`. */
static uint32_t room_on(const struct node *node, const struct node *lower, uint32_t mtu) {
        return stack_capacity(node->link, lower->link, mtu);
}

static bool is_auto(const struct node *node) {
        return node->link && node->status.line && node->status.line->spec.is_auto;
}

static void need(const struct making *making, struct node *node);

/* Marks a device by whose MTU another one is computed. */
static void need_below(const struct making *making, struct node *below) {
        if (below && below->setter && device_status_has_good_line(&below->setter->status))
                below = below->setter;
        if (below && !below->is_target && device_status_has_good_line(&below->status) &&
            below->status.wanted > below->mtu)
                need(making, below);
}

/* Marks the devices whose own lines must be applied first. */
static void need(const struct making *making, struct node *node) {
        struct node *limit = node->limit, *setter = node->setter;
        uint32_t wanted = node->status.wanted;

        node->is_target = true;
        if (node->is_alone || !device_status_has_good_line(&node->status))
                return;
        if (limit && !limit->is_target && wanted > node->mtu && room_on(node, limit, limit->mtu) < wanted &&
            device_status_has_good_line(&limit->status) &&
            room_on(node, limit, limit->status.wanted) >= wanted)
                need(making, limit);
        if (setter && !setter->is_target && device_status_has_good_line(&setter->status) &&
            setter->status.wanted == wanted && setter->mtu != wanted)
                need(making, setter);
        if (!is_auto(node))
                return;
        need_below(making, node->leader);
        need_below(making, node->setter ? node->setter : node->bridge);
        for (size_t i = 0; i < making->links->n_underlays; i++)
                if (making->links->underlays[i].upper == node->link->ifindex)
                        need_below(making, node_by_ifindex(making, making->links->underlays[i].ifindex));
        for (struct node *port = node->first_port; port; port = port->next_port)
                need_below(making, port);
}

/* Marks the device and those on top of it, also through its bridge, and the ports of a bond or team. */
static void mark_above(const struct making *making, struct node *node) {
        if (node->is_above)
                return;
        node->is_above = true;
        node->is_fitted = is_auto(node) && !node->status.is_fixed;
        for (size_t i = 0; node->link && i < making->links->n_underlays; i++) {
                const struct underlay *way = &making->links->underlays[i];
                bool is_by_node = way->ifindex == node->link->ifindex;
                struct node *upper = is_by_node ? node_by_ifindex(making, way->upper) : NULL;

                if (upper && is_auto(upper))
                        mark_above(making, upper);
        }
        if (node->setter && is_auto(node->setter))
                mark_above(making, node->setter);
        for (struct node *upper = node->first_upper; upper; upper = upper->next_upper)
                mark_above(making, upper);
        if (node->bridge)
                mark_above(making, node->bridge);
        for (struct node *port = node->first_port; port; port = port->next_port)
                if (stack_is_setter(node->link) || is_auto(port))
                        mark_above(making, port);
}

/* Fills the nodes and links them. Backwards, so that the lists are in the table's order. */
static void fill_nodes(struct making *making, const struct device_status *statuses) {
        for (size_t i = making->n_nodes; i-- > 0;) {
                struct node *node = &making->nodes[i], *lower, *controller;
                const struct link *link = statuses[i].link;

                node->status = statuses[i];
                node->is_alone = !statuses[i].line;
                node->changed_by = STEP_NONE;
                if (!link)
                        continue;
                node->link = link;
                node->mtu = link->mtu;
                node->limit = node_of(making, stack_limit(making->links, link));
                node->leader = node_of(making, stack_leader(making->links, link));
                node->setter = node_of(making, stack_setter(making->links, link));
                lower = node_by_ifindex(making, link->lower_ifindex);
                controller = node_by_ifindex(making, link->controller_ifindex);
                if (lower) {
                        node->next_upper = lower->first_upper;
                        lower->first_upper = node;
                }
                if (controller) {
                        node->bridge = node->setter ? NULL : controller;
                        node->next_port = controller->first_port;
                        controller->first_port = node;
                }
        }
}

/* The smallest MTU among a device's ports; 0: no ports. */
static uint32_t smallest_port(const struct node *node) {
        uint32_t smallest = 0;

        for (const struct node *port = node->first_port; port; port = port->next_port)
                if (smallest == 0 || port->mtu < smallest)
                        smallest = port->mtu;
        return smallest;
}

/* A bridge that was given an MTU keeps it; its MTU then differs from the smallest of its ports. */
static void mark_following_bridges(struct making *making) {
        for (size_t i = 0; i < making->links->n_links; i++)
                making->nodes[i].is_following_ports =
                                stack_is_bridge(&making->links->links[i]) &&
                                !making->nodes[i].status.is_pinned &&
                                making->nodes[i].mtu == smallest_port(&making->nodes[i]);
}

/* Puts the targets' lines into a copy of the statuses. Whether some line says auto. */
static bool use_lines(const struct making *making, const struct step_target *targets, size_t n_targets,
                      struct device_status *statuses) {
        bool has_auto = false;

        for (size_t i = 0; i < n_targets; i++) {
                struct device_status *status = &statuses[targets[i].link - making->links->links];
                const struct device_status former = *status;

                *status = device_status_of(targets[i].link, targets[i].line);
                status->mtu_before_fall = former.mtu_before_fall;
                status->is_pinned = former.is_pinned;
                if (!targets[i].line)
                        status->wanted = targets[i].mtu;
        }
        for (size_t i = 0; i < making->links->n_links; i++)
                has_auto |= statuses[i].line && statuses[i].line->spec.is_auto;
        return has_auto;
}

static void mark_targets(struct making *making, const struct step_target *targets, size_t n_targets) {
        for (size_t i = 0; i < n_targets; i++) {
                struct node *node = node_of(making, targets[i].link);

                node->is_alone |= targets[i].is_alone;
                node->is_given = node->is_target = true;
        }
        for (struct node *node = making->nodes; !targets && node < making->nodes + making->n_nodes; node++)
                node->is_given = node->is_target = node->status.line || node->status.wanted > 0;
        for (size_t i = 0; i < making->n_nodes; i++)
                if (making->nodes[i].is_target)
                        need(making, &making->nodes[i]);
        for (size_t i = 0; i < making->n_nodes; i++)
                if (making->nodes[i].is_target)
                        mark_above(making, &making->nodes[i]);
}

/* Computes once more what fits, with the lines alone that are carried out now; and those of a bond's ports,
 * which say what the bond can have. */
static int fit_again(struct making *making, struct device_status *statuses) {
        int r;

        for (size_t i = 0; i < making->links->n_links; i++) {
                const struct node *node = &making->nodes[i], *setter = node->setter;

                making->fits[i] = (struct fit){ 0 };
                if (node->is_target || node->is_fitted ||
                    (setter && is_auto(setter) && (setter->is_target || setter->is_fitted)) ||
                    (node->is_above && !node->status.is_fixed && (node->limit || node->leader)))
                        continue;
                statuses[i].line = NULL;
                statuses[i].wanted = 0;
        }
        r = fit_compute(making->links, statuses, making->fits);
        for (size_t i = 0; i < making->links->n_links; i++)
                if (is_auto(&making->nodes[i]) && statuses[i].line) {
                        making->nodes[i].status.wanted = statuses[i].wanted;
                        making->nodes[i].status.state = statuses[i].state;
                }
        return r;
}

/* Appends a step. */
static struct step *add_step(struct making *making, const struct node *node, enum step_action action,
                             enum step_reason reason) {
        struct step *step = array_add(&making->steps.items, &making->steps.n_items, sizeof(*step));
        const struct config_line *line = node->status.line;

        making->is_out_of_memory |= !step;
        step = step ? step : &making->spare;
        *step = (struct step){
                .link = node->link,
                .line = line,
                .action = action,
                .mtu_before_fall = node->status.mtu_before_fall,
                .to = node->status.wanted,
                .set_up = (action == STEP_SET || action == STEP_KEEP) && line && line->spec.up &&
                          !node->link->up,
                .is_given = node->is_given,
                .is_dependent = !node->is_target,
                .is_apart = !node->limit && !node->leader && !node->setter && !node->bridge &&
                            !node->first_port,
                .stage = making->stage,
                .after = STEP_NONE,
                .reason = reason,
        };
        if (is_auto(node))
                step->fit = making->fits[node - making->nodes];
        return step;
}

/* Records the other device that the reason is about; the step comes after that device's last change. */
static void concern(struct step *step, const struct node *other) {
        step->other = other->link;
        step->other_line = other->status.line;
        step->other_mtu = other->mtu;
        step->after = other->changed_by;
}

/* Gives the device an MTU, by the step `cause`, and predicts what the kernel does to other devices then. */
static void follow(struct making *making, struct node *node, uint32_t mtu, size_t cause, unsigned depth) {
        /* A step is carried out even if it changes nothing. */
        if (depth > STACK_DEPTH_MAX || (depth > 0 && node->mtu == mtu))
                return;
        node->mtu = mtu;
        node->changed_by = cause;
        for (struct node *upper = node->first_upper; upper; upper = upper->next_upper) {
                uint32_t room = room_on(upper, node, mtu);

                if (stack_is_follower(upper->link))
                        follow(making, upper, mtu, cause, depth + 1);
                else if (stack_falls(upper->link, node->link) && room < upper->mtu) {
                        struct step *step = add_step(making, upper, STEP_FALL, STEP_BY_LEADER);

                        concern(step, node);
                        step->to = room;
                        follow(making, upper, room, cause, depth + 1);
                }
        }
        for (struct node *port = node->first_port; port && stack_is_setter(node->link);
             port = port->next_port)
                follow(making, port, mtu, cause, depth + 1);
        if (node->bridge && node->bridge->is_following_ports)
                follow(making, node->bridge, smallest_port(node->bridge), cause, depth + 1);
}

/* Adds the step that sets the device to `to`. `other`: the device that the reason is about, or NULL. */
static void set(struct making *making, struct node *node, uint32_t to, enum step_reason reason,
                const struct node *other) {
        struct step *step = add_step(making, node, STEP_SET, reason);

        step->to = to;
        if (other)
                concern(step, other);
        if (is_auto(node) && step->fit.below && to > node->mtu)
                step->after = node_of(making, step->fit.below)->changed_by;
        node->is_following_ports = false;
        follow(making, node, to, making->steps.n_items - 1, 0);
}

static void keep(struct making *making, const struct node *node) {
        struct step *step = add_step(making, node, STEP_KEEP, STEP_HAS_IT);

        if (node->changed_by == STEP_NONE || (!node->leader && !node->setter))
                return;
        step->reason = node->leader ? STEP_BY_LEADER : STEP_BY_SETTER;
        concern(step, node->leader ? node->leader : node->setter);
}

/* The ports of a bond that has its MTU already, as a request to the bond itself would not reach them. */
static void set_ports(struct making *making, struct node *node) {
        for (struct node *port = node->first_port; port && stack_is_setter(node->link);
             port = port->next_port) {
                struct step *step;

                if (port->mtu == node->mtu || (port->is_target && port->status.line) ||
                    (port->limit && room_on(port, port->limit, port->limit->mtu) < node->mtu))
                        continue;
                step = add_step(making, port, STEP_SET, STEP_BY_SETTER);
                concern(step, node);
                step->line = NULL;
                step->set_up = false;
                step->to = node->mtu;
                step->is_dependent = true;
                follow(making, port, node->mtu, making->steps.n_items - 1, 0);
        }
}

/* Whether the bond or team that sets the device's MTU has a line with another MTU. */
static bool is_contradicted(const struct node *node) {
        return !node->is_alone && node->setter && device_status_has_good_line(&node->setter->status) &&
               node->setter->status.wanted != node->status.wanted;
}

/* The MTU of the lower device after all steps: it may be lowered after the devices on top of it. */
static uint32_t mtu_to_come(const struct node *node, const struct node *lower) {
        if (lower->is_target && device_status_has_good_line(&lower->status) && !is_contradicted(lower) &&
            lower->changed_by == STEP_NONE && lower->status.wanted < lower->mtu &&
            stack_falls(node->link, lower->link))
                return lower->status.wanted;
        return lower->mtu;
}

static void refuse_node(struct making *making, const struct node *node, enum step_reason reason,
                        const struct node *other) {
        struct step *step = add_step(making, node, STEP_REFUSE, reason);

        if (!other)
                return;
        concern(step, other);
        if (reason == STEP_SETTER_DISAGREES) {
                step->other_mtu = other->status.wanted;
                return;
        }
        step->other_mtu = mtu_to_come(node, other);
        step->room = room_on(node, other, step->other_mtu);
}

static void decide_target(struct making *making, struct node *node) {
        const struct node *limit = node->limit, *leader = node->leader;
        uint32_t wanted = node->status.wanted, mtu = node->link->mtu;
        bool is_lowered = wanted < mtu;
        /* Only a later look shows whether a bridge has followed its ports. */
        bool is_certain = !node->is_following_ports || node->changed_by == STEP_NONE;

        if (node->status.state == DEVICE_STATE_WAITING)
                (void)add_step(making, node, STEP_WAIT, STEP_IMPOSSIBLE);
        else if (node->status.state == DEVICE_STATE_IMPOSSIBLE)
                refuse_node(making, node, STEP_IMPOSSIBLE, NULL);
        else if (is_contradicted(node))
                refuse_node(making, node, STEP_SETTER_DISAGREES, node->setter);
        else if (mtu == wanted && node->mtu == wanted && node->status.line && !node->status.is_pinned &&
                 stack_is_bridge(node->link))
                set(making, node, wanted, STEP_BRIDGE_PINNED, NULL);
        else if (node->mtu == wanted && is_certain) {
                keep(making, node);
                set_ports(making, node);
        } else if (!node->is_alone && limit && wanted > room_on(node, limit, mtu_to_come(node, limit)))
                refuse_node(making, node, STEP_LOWER_TOO_SMALL, limit);
        else if (leader && leader->changed_by != STEP_NONE)
                set(making, node, wanted, STEP_AFTER_LEADER, leader);
        else if (limit && is_lowered)
                set(making, node, wanted, STEP_BEFORE_LOWER, limit);
        else if (limit && limit->changed_by != STEP_NONE)
                set(making, node, wanted, STEP_AFTER_LOWER, limit);
        else if (stack_is_bridge(node->link))
                set(making, node, wanted, is_lowered ? STEP_BRIDGE_BEFORE : STEP_BRIDGE_AFTER, NULL);
        else
                set(making, node, wanted, is_lowered ? STEP_HAS_MORE : STEP_HAS_LESS, NULL);
}

/* Decides on a device above a target that is not itself a target. */
static void decide_above(struct making *making, struct node *node) {
        const struct node *limit = node->limit;
        uint32_t wanted = node->status.wanted, before = node->status.mtu_before_fall, room;

        if (node->status.is_fixed || (node->status.line && !device_status_has_good_line(&node->status)))
                return;
        if (node->leader && node->status.line && node->mtu != wanted)
                set(making, node, wanted, STEP_AFTER_LEADER, node->leader);
        if (!limit)
                return;
        room = room_on(node, limit, limit->mtu);
        if (node->status.line && node->mtu < wanted && wanted <= room)
                set(making, node, wanted, limit->changed_by != STEP_NONE ? STEP_AFTER_LOWER : STEP_HAS_LESS,
                    limit);
        if (!node->status.line && before > node->mtu && room > node->mtu)
                set(making, node, before < room ? before : room, STEP_REGAINS, limit);
}

static int by_order(const void *a, const void *b) {
        const struct node *x = *(struct node *const *)a, *y = *(struct node *const *)b;

        if (x->place != y->place)
                return x->place < y->place ? -1 : 1;
        return (x > y) - (x < y);
}

static void sort_nodes(struct making *making) {
        for (size_t i = 0; i < making->n_nodes; i++) {
                struct node *node = &making->nodes[i];
                const struct link *link = node->link;

                if (!node->is_target && !node->is_above)
                        continue;
                /* A device that follows its lower device always comes after it. */
                if (!link)
                        node->place = PLACE_ABSENT;
                else if ((node->is_target || node->is_fitted) && node->status.wanted > 0 &&
                         node->status.state != DEVICE_STATE_IMPOSSIBLE && node->status.wanted < link->mtu &&
                         !stack_is_follower(link))
                        node->place = making->ranks[i].lowering;
                else
                        node->place = PLACE_OTHERS + making->ranks[i].raising;
                making->order[making->n_order++] = node;
        }
        if (making->n_order > 1)
                qsort(making->order, making->n_order, sizeof(struct node *), by_order);
}

/* With `ret_outcomes`, which may be NULL, devices that get their MTU back are targets, too. */
static int make(const struct device_statuses *statuses, const struct link_table *links,
                const struct step_target *targets, size_t n_targets, struct step_outcome *ret_outcomes,
                struct steps *ret) {
        CLEANUP(pool_free) struct pool pool = { 0 };
        struct making making = {
                .links = links,
                .steps = { .statuses = statuses, .links = links },
                .nodes = pool_take(&pool, statuses->n_items * sizeof(*making.nodes)),
                .n_nodes = statuses->n_items,
                .ranks = pool_take(&pool, statuses->n_items * sizeof(*making.ranks)),
                .order = pool_take(&pool, statuses->n_items * sizeof(struct node *)),
                .fits = pool_take(&pool, links->n_links * sizeof(*making.fits)),
        };
        struct device_status *items = pool_take(&pool, statuses->n_items * sizeof(*items));
        bool has_auto;

        if (pool.failed)
                return -ENOMEM;
        if (statuses->n_items > 0)
                memcpy(items, statuses->items, statuses->n_items * sizeof(*items));
        for (size_t i = 0; ret_outcomes && i < links->n_links; i++)
                if (!items[i].line)
                        items[i].wanted = items[i].restored;
        has_auto = use_lines(&making, targets, n_targets, items);
        if (has_auto && fit_compute(links, items, making.fits) < 0)
                return -ENOMEM;
        stack_rank(links, making.ranks);
        fill_nodes(&making, items);
        mark_targets(&making, targets, n_targets);
        if (has_auto && targets && fit_again(&making, items) < 0)
                return -ENOMEM;
        mark_following_bridges(&making);
        sort_nodes(&making);
        for (size_t i = 0; i < making.n_order && !making.is_out_of_memory; i++) {
                struct node *node = making.order[i];

                making.stage += i > 0 && node->place != making.order[i - 1]->place;
                if (!node->link)
                        (void)add_step(&making, node, STEP_ABSENT, STEP_ABSENT_NOW);
                else if (node->is_target || (node->is_fitted && node->mtu != node->status.wanted &&
                                             device_status_has_good_line(&node->status)))
                        decide_target(&making, node);
                else
                        decide_above(&making, node);
        }
        if (making.is_out_of_memory) {
                steps_free(&making.steps);
                return -ENOMEM;
        }
        for (size_t i = 0; ret_outcomes && i < links->n_links; i++) {
                size_t cause = making.nodes[i].changed_by;

                ret_outcomes[i].mtu = making.nodes[i].mtu;
                ret_outcomes[i].by = making.steps.items && cause != STEP_NONE
                                                     ? making.steps.items[cause].link
                                                     : &links->links[i];
        }
        *ret = making.steps;
        return 0;
}

int steps_make(const struct device_statuses *statuses, const struct link_table *links,
               const struct step_target *targets, size_t n_targets, struct steps *ret) {
        return make(statuses, links, targets, n_targets, NULL, ret);
}

int steps_foresee(const struct device_statuses *statuses, const struct link_table *links,
                  struct step_outcome *ret) {
        struct steps steps;
        int r = make(statuses, links, NULL, 0, ret, &steps);

        if (r == 0)
                steps_free(&steps);
        return r;
}

void steps_free(struct steps *steps) {
        free(steps->items);
        *steps = (struct steps){ .n_items = 0 };
}
