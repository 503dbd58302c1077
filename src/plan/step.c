/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "plan/step.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "plan/stack.h"

/* One device of the table while the steps are made. Devices are referred to by their index in the table. */
struct node {
        struct device_status status; /* beside the target's line, where it is one */
        uint32_t mtu;                /* once the steps so far are carried out */
        size_t changed_by;           /* the step that changed it last, or STEP_NONE */
        bool is_target;              /* or needed by one */
        bool is_alone;
        bool is_above;           /* it stands, at whatever height, on a target */
        bool is_following_ports; /* a bridge, as far as its MTU tells: br_mtu_auto_adjust() */
        size_t first_upper, next_upper;
        size_t first_port, next_port;
};

struct making {
        const struct link_table *links;
        struct stack stack;
        struct node *nodes;
        struct steps steps;
        unsigned stage;
        bool is_out_of_memory;
};

/* The order in which devices are decided upon. */
struct position {
        size_t index;   /* of a node, or of an absent one's status */
        unsigned group; /* lowered, the rest, absent */
        unsigned rank;  /* within the group */
};

static size_t index_of(const struct making *making, const struct link *link) {
        return link ? (size_t)(link - making->links->links) : STEP_NONE;
}

static const struct link *link_at(const struct making *making, size_t index) {
        return &making->links->links[index];
}

static size_t limit_of(const struct making *making, size_t index) {
        return index_of(making, stack_limit(making->links, link_at(making, index)));
}

static size_t leader_of(const struct making *making, size_t index) {
        return index_of(making, stack_leader(making->links, link_at(making, index)));
}

static size_t setter_of(const struct making *making, size_t index) {
        return index_of(making, stack_setter(making->links, link_at(making, index)));
}

/* What the device can have on the one below it, once that has `mtu`. */
static uint32_t room_on(const struct making *making, size_t index, size_t lower, uint32_t mtu) {
        return stack_capacity(link_at(making, index), link_at(making, lower), mtu);
}

/* Its line can be carried out, as far as the device itself is concerned. */
static bool has_good_line(const struct node *node) {
        return node->status.line && node->status.state != DEVICE_STATE_IMPOSSIBLE;
}

/* Marks the devices whose own lines have to be carried out first. */
static void need(struct making *making, size_t index, unsigned depth) {
        struct node *node = &making->nodes[index];
        size_t limit = limit_of(making, index), setter = setter_of(making, index);
        uint32_t wanted = node->status.wanted;

        if (node->is_target && depth > 0)
                return;
        node->is_target = true;
        if (depth > STACK_DEPTH_MAX || node->is_alone || !has_good_line(node))
                return;
        if (limit != STEP_NONE && wanted > node->mtu &&
            room_on(making, index, limit, making->nodes[limit].mtu) < wanted &&
            has_good_line(&making->nodes[limit]) &&
            room_on(making, index, limit, making->nodes[limit].status.wanted) >= wanted)
                need(making, limit, depth + 1);
        if (setter != STEP_NONE && has_good_line(&making->nodes[setter]) &&
            making->nodes[setter].status.wanted == wanted && making->nodes[setter].mtu != wanted)
                need(making, setter, depth + 1);
}

/* Marks what stands on the device, also by way of a bridge that it is a port of, or as a port of it. */
static void mark_above(struct making *making, size_t index, unsigned depth) {
        const struct link *link = link_at(making, index);
        const struct link *controller = link_table_by_ifindex(making->links, link->controller_ifindex);

        if (depth > STACK_DEPTH_MAX || making->nodes[index].is_above)
                return;
        making->nodes[index].is_above = true;
        for (size_t i = making->nodes[index].first_upper; i != STEP_NONE; i = making->nodes[i].next_upper)
                mark_above(making, i, depth + 1);
        if (controller && !stack_is_setter(controller))
                mark_above(making, index_of(making, controller), depth + 1);
        if (stack_is_setter(link))
                for (size_t i = making->nodes[index].first_port; i != STEP_NONE;
                     i = making->nodes[i].next_port)
                        mark_above(making, i, depth + 1);
}

/* Fills the nodes, with what stands on what. */
static void fill_nodes(struct making *making, const struct device_statuses *statuses) {
        for (size_t i = 0; i < making->links->n_links; i++)
                making->nodes[i] = (struct node){
                        .status = statuses->items[i],
                        .mtu = link_at(making, i)->mtu,
                        .changed_by = STEP_NONE,
                        .first_upper = STEP_NONE,
                        .first_port = STEP_NONE,
                };
        /* From the last one, so that the lists are in the table's order. */
        for (size_t i = making->links->n_links; i-- > 0;) {
                const struct link *link = link_at(making, i);
                const struct link *lower = link_table_by_ifindex(making->links, link->lower_ifindex);
                const struct link *controller =
                                link_table_by_ifindex(making->links, link->controller_ifindex);

                if (lower) {
                        making->nodes[i].next_upper = making->nodes[index_of(making, lower)].first_upper;
                        making->nodes[index_of(making, lower)].first_upper = i;
                }
                if (controller) {
                        making->nodes[i].next_port = making->nodes[index_of(making, controller)].first_port;
                        making->nodes[index_of(making, controller)].first_port = i;
                }
        }
}

/* The smallest MTU of a device's ports; 0: it has none. */
static uint32_t smallest_port(const struct making *making, size_t index) {
        uint32_t smallest = 0;

        for (size_t i = making->nodes[index].first_port; i != STEP_NONE; i = making->nodes[i].next_port)
                if (smallest == 0 || making->nodes[i].mtu < smallest)
                        smallest = making->nodes[i].mtu;
        return smallest;
}

/* A bridge that has been given an MTU keeps it, which shows where that is not the smallest of its ports. */
static void mark_following_bridges(struct making *making) {
        for (size_t i = 0; i < making->links->n_links; i++)
                making->nodes[i].is_following_ports = strcmp(link_at(making, i)->kind, "bridge") == 0 &&
                                                      making->nodes[i].mtu == smallest_port(making, i);
}

static void mark_targets(struct making *making, const struct step_target *targets, size_t n_targets) {
        for (size_t i = 0; i < n_targets; i++) {
                struct node *node = &making->nodes[index_of(making, targets[i].link)];

                node->status = device_status_of(targets[i].link, targets[i].line);
                if (!targets[i].line)
                        node->status.wanted = targets[i].mtu;
                node->is_alone = targets[i].is_alone || !targets[i].line;
                node->is_target = true;
        }
        for (size_t i = 0; !targets && i < making->links->n_links; i++)
                making->nodes[i].is_target = making->nodes[i].status.line;
        for (size_t i = 0; i < making->links->n_links; i++)
                if (making->nodes[i].is_target)
                        need(making, i, 0);
        for (size_t i = 0; i < making->links->n_links; i++)
                if (making->nodes[i].is_target)
                        mark_above(making, i, 0);
}

/* A new step at the end, STEP_NONE being an absent device; NULL where memory is out. */
static struct step *add_step(struct making *making, size_t index, enum step_action action,
                             enum step_reason reason) {
        struct steps *steps = &making->steps;
        struct step *items = array_grow(steps->items, steps->n_items, sizeof(*items));

        if (!items) {
                making->is_out_of_memory = true;
                return NULL;
        }
        steps->items = items;
        items[steps->n_items] = (struct step){
                .action = action,
                .stage = making->stage,
                .after = STEP_NONE,
                .reason = reason,
        };
        if (index != STEP_NONE) {
                items[steps->n_items].link = link_at(making, index);
                items[steps->n_items].line = making->nodes[index].status.line;
                items[steps->n_items].to = making->nodes[index].status.wanted;
                items[steps->n_items].is_dependent = !making->nodes[index].is_target;
        }
        return &items[steps->n_items++];
}

/* Says which other device the reason is about, and that the step comes after its last change. */
static void concern(const struct making *making, struct step *step, size_t other) {
        const struct node *node = &making->nodes[other];

        step->other = link_at(making, other);
        step->other_line = node->status.line;
        step->other_mtu = node->mtu;
        step->after = node->changed_by;
}

/* What the kernel does with other devices once this one has another MTU. */
static void follow(struct making *making, size_t index, size_t cause, unsigned depth) {
        const struct link *link = link_at(making, index);
        const struct link *bridge = link_table_by_ifindex(making->links, link->controller_ifindex);
        struct node *nodes = making->nodes;
        uint32_t mtu = nodes[index].mtu;

        if (depth > STACK_DEPTH_MAX)
                return;
        for (size_t i = nodes[index].first_upper; i != STEP_NONE; i = nodes[i].next_upper) {
                const struct link *upper = link_at(making, i);

                if (stack_is_follower(upper) && nodes[i].mtu != mtu)
                        nodes[i].mtu = mtu;
                else if (stack_falls(upper, link) && room_on(making, i, index, mtu) < nodes[i].mtu) {
                        struct step *step = add_step(making, i, STEP_FALL, STEP_FALLS);

                        if (!step)
                                return;
                        concern(making, step, index);
                        nodes[i].mtu = step->to = room_on(making, i, index, mtu);
                } else
                        continue;
                nodes[i].changed_by = cause;
                follow(making, i, cause, depth + 1);
        }
        for (size_t i = nodes[index].first_port; i != STEP_NONE && stack_is_setter(link);
             i = nodes[i].next_port)
                if (nodes[i].mtu != mtu) {
                        nodes[i].mtu = mtu;
                        nodes[i].changed_by = cause;
                        follow(making, i, cause, depth + 1);
                }
        if (bridge && nodes[index_of(making, bridge)].is_following_ports) {
                size_t i = index_of(making, bridge);

                mtu = smallest_port(making, i);
                if (nodes[i].mtu == mtu)
                        return;
                nodes[i].mtu = mtu;
                nodes[i].changed_by = cause;
                follow(making, i, cause, depth + 1);
        }
}

/* Adds the step that gives the device `to`; `other` is what the reason is about, or STEP_NONE. */
static void set(struct making *making, size_t index, uint32_t to, enum step_reason reason, size_t other) {
        struct step *step = add_step(making, index, STEP_SET, reason);

        if (!step)
                return;
        step->to = to;
        if (other != STEP_NONE)
                concern(making, step, other);
        making->nodes[index].mtu = to;
        making->nodes[index].is_following_ports = false;
        making->nodes[index].changed_by = making->steps.n_items - 1;
        follow(making, index, making->nodes[index].changed_by, 0);
}

static void keep(struct making *making, size_t index) {
        const struct node *node = &making->nodes[index];
        size_t leader = leader_of(making, index), setter = setter_of(making, index);
        struct step *step = add_step(making, index, STEP_KEEP, STEP_HAS_IT);

        if (!step || node->changed_by == STEP_NONE)
                return;
        step->reason = leader != STEP_NONE ? STEP_BY_LEADER : STEP_BY_SETTER;
        if (leader != STEP_NONE || setter != STEP_NONE)
                concern(making, step, leader != STEP_NONE ? leader : setter);
        else
                step->reason = STEP_HAS_IT;
}

/* What the device below has once all is done: it may be lowered after those that stand on it. */
static uint32_t mtu_to_come(const struct making *making, size_t index, size_t lower) {
        const struct node *node = &making->nodes[lower];

        if (node->is_target && has_good_line(node) && node->changed_by == STEP_NONE &&
            node->status.wanted < node->mtu && stack_falls(link_at(making, index), link_at(making, lower)))
                return node->status.wanted;
        return node->mtu;
}

static void refuse(struct making *making, size_t index, enum step_reason reason, size_t other) {
        struct step *step = add_step(making, index, STEP_REFUSE, reason);

        if (!step || other == STEP_NONE)
                return;
        concern(making, step, other);
        if (reason == STEP_SETTER_DISAGREES) {
                step->other_mtu = making->nodes[other].status.wanted;
                return;
        }
        step->other_mtu = mtu_to_come(making, index, other);
        step->room = room_on(making, index, other, step->other_mtu);
}

static void decide_target(struct making *making, size_t index) {
        const struct node *node = &making->nodes[index];
        const struct link *link = link_at(making, index);
        size_t limit = limit_of(making, index), leader = leader_of(making, index);
        size_t setter = setter_of(making, index);
        uint32_t wanted = node->status.wanted;
        bool is_lowered = wanted < link->mtu;
        /* Whether a bridge has followed its ports shows when it is looked at again. */
        bool is_certain = !node->is_following_ports || node->changed_by == STEP_NONE;

        if (node->status.state == DEVICE_STATE_IMPOSSIBLE)
                refuse(making, index, wanted == 0 ? STEP_NO_LARGEST : STEP_OUT_OF_RANGE, STEP_NONE);
        else if (!node->is_alone && setter != STEP_NONE && has_good_line(&making->nodes[setter]) &&
                 making->nodes[setter].status.wanted != wanted)
                refuse(making, index, STEP_SETTER_DISAGREES, setter);
        else if (node->mtu == wanted && is_certain)
                keep(making, index);
        else if (!node->is_alone && limit != STEP_NONE &&
                 wanted > room_on(making, index, limit, mtu_to_come(making, index, limit)))
                refuse(making, index, link->mtu == wanted ? STEP_LOWER_TAKES_IT : STEP_LOWER_TOO_SMALL,
                       limit);
        else if (leader != STEP_NONE && making->nodes[leader].changed_by != STEP_NONE)
                set(making, index, wanted, STEP_AFTER_LEADER, leader);
        else if (limit != STEP_NONE && is_lowered)
                set(making, index, wanted, STEP_BEFORE_LOWER, limit);
        else if (limit != STEP_NONE && making->nodes[limit].changed_by != STEP_NONE)
                set(making, index, wanted, STEP_AFTER_LOWER, limit);
        else if (strcmp(link->kind, "bridge") == 0)
                set(making, index, wanted, is_lowered ? STEP_BRIDGE_BEFORE : STEP_BRIDGE_AFTER, STEP_NONE);
        else
                set(making, index, wanted, is_lowered ? STEP_HAS_MORE : STEP_HAS_LESS, STEP_NONE);
}

/* A device that stands on a target and is none itself. */
static void decide_above(struct making *making, size_t index) {
        const struct node *node = &making->nodes[index];
        const struct link *link = link_at(making, index);
        size_t limit = limit_of(making, index), leader = leader_of(making, index);
        uint32_t wanted = node->status.wanted, room;

        if (link->is_on_trial || (node->status.line && !has_good_line(node)))
                return;
        if (leader != STEP_NONE && node->status.line && node->mtu != wanted)
                set(making, index, wanted, STEP_AFTER_LEADER, leader);
        if (limit == STEP_NONE)
                return;
        room = room_on(making, index, limit, making->nodes[limit].mtu);
        if (node->status.line && node->mtu < wanted && wanted <= room)
                set(making, index, wanted,
                    making->nodes[limit].changed_by != STEP_NONE ? STEP_AFTER_LOWER : STEP_HAS_LESS, limit);
        if (!node->status.line && link->mtu_before_fall > node->mtu && room > node->mtu)
                set(making, index, link->mtu_before_fall < room ? link->mtu_before_fall : room, STEP_REGAINS,
                    limit);
}

static void decide(struct making *making, const struct position *position,
                   const struct device_statuses *statuses) {
        size_t first = making->steps.n_items;

        if (position->group == 2) {
                struct step *step = add_step(making, STEP_NONE, STEP_ABSENT, STEP_ABSENT_NOW);

                if (step) {
                        step->line = statuses->items[position->index].line;
                        step->to = statuses->items[position->index].wanted;
                }
                return;
        }
        if (making->nodes[position->index].is_target)
                decide_target(making, position->index);
        else
                decide_above(making, position->index);
        if (making->steps.n_items > first) {
                struct step *step = &making->steps.items[first];

                step->set_up = step->line && step->line->spec.up && !step->link->up &&
                               (step->action == STEP_SET || step->action == STEP_KEEP);
        }
}

static int by_position(const void *a, const void *b) {
        const struct position *x = a, *y = b;

        if (x->group != y->group)
                return x->group < y->group ? -1 : 1;
        if (x->rank != y->rank)
                return x->rank < y->rank ? -1 : 1;
        return (x->index > y->index) - (x->index < y->index);
}

/* Of those that have a say; returns how many. */
static size_t sort_positions(const struct making *making, const struct device_statuses *statuses,
                             bool has_absent, struct position *positions) {
        size_t n = 0;

        for (size_t i = 0; i < making->links->n_links; i++) {
                const struct node *node = &making->nodes[i];
                const struct link *link = link_at(making, i);
                /* What takes over the MTU of the device below comes after that one in any case. */
                bool is_lowered = node->is_target && node->status.state != DEVICE_STATE_IMPOSSIBLE &&
                                  node->status.wanted < link->mtu && !stack_is_follower(link);

                if (!node->is_target && !node->is_above)
                        continue;
                positions[n++] = (struct position){
                        .index = i,
                        .group = is_lowered ? 0 : 1,
                        .rank = is_lowered ? stack_lowering_rank(&making->stack, link)
                                           : stack_raising_rank(&making->stack, link),
                };
        }
        for (size_t i = making->links->n_links; has_absent && i < statuses->n_items; i++)
                positions[n++] = (struct position){ .index = i, .group = 2 };
        qsort(positions, n, sizeof(*positions), by_position);
        return n;
}

static void make(struct making *making, const struct device_statuses *statuses,
                 const struct step_target *targets, size_t n_targets, struct position *positions) {
        size_t n;

        fill_nodes(making, statuses);
        mark_targets(making, targets, n_targets);
        mark_following_bridges(making);
        n = sort_positions(making, statuses, !targets, positions);
        for (size_t i = 0; i < n && !making->is_out_of_memory; i++) {
                if (i > 0)
                        making->stage += positions[i].group != positions[i - 1].group ||
                                         positions[i].rank != positions[i - 1].rank;
                decide(making, &positions[i], statuses);
        }
}

int steps_make(const struct device_statuses *statuses, const struct link_table *links,
               const struct step_target *targets, size_t n_targets, struct steps *ret) {
        struct making making = { .links = links,
                                 .nodes = calloc(links->n_links + 1, sizeof(*making.nodes)) };
        struct position *positions = calloc(statuses->n_items + 1, sizeof(*positions));
        int r = making.nodes && positions ? stack_make(links, &making.stack) : -ENOMEM;

        if (r == 0) {
                make(&making, statuses, targets, n_targets, positions);
                r = making.is_out_of_memory ? -ENOMEM : 0;
        }
        if (r == 0)
                *ret = making.steps;
        else
                steps_free(&making.steps);
        stack_free(&making.stack);
        free(positions);
        free(making.nodes);
        return r;
}

void steps_free(struct steps *steps) {
        free(steps->items);
        *steps = (struct steps){ .n_items = 0 };
}

const char *step_action_name(enum step_action action) {
        static const char *const names[] = {
                [STEP_SET] = "set",       [STEP_KEEP] = "keep", [STEP_REFUSE] = "refuse",
                [STEP_ABSENT] = "absent", [STEP_FALL] = "fall",
        };

        return names[action];
}

const char *step_reason_text(char buffer[static STEP_REASON_SIZE], const struct step *step) {
        char name[TEXT_QUOTE_SIZE] = "";
        uint32_t mtu = step->other_mtu;

#define SAY(...) snprintf(buffer, STEP_REASON_SIZE, __VA_ARGS__)
        if (step->other)
                text_show(name, step->other->name);
        switch (step->reason) {
        case STEP_ABSENT_NOW:
                SAY("there is no such device now");
                break;
        case STEP_HAS_IT:
                SAY("it has that already");
                break;
        case STEP_HAS_MORE:
                SAY("it has more than is wanted");
                break;
        case STEP_HAS_LESS:
                SAY("it has less than is wanted");
                break;
        case STEP_BRIDGE_BEFORE:
                SAY("a bridge comes before its ports");
                break;
        case STEP_BRIDGE_AFTER:
                SAY("a bridge comes after its ports");
                break;
        case STEP_BEFORE_LOWER:
                SAY("lowered before %s, which it stands on", name);
                break;
        case STEP_AFTER_LOWER:
                SAY("raised after %s, which it stands on", name);
                break;
        case STEP_AFTER_LEADER:
                SAY("set after %s, which takes it along", name);
                break;
        case STEP_BY_LEADER:
                SAY("%s takes it along", name);
                break;
        case STEP_BY_SETTER:
                SAY("%s sets it, as one of its ports", name);
                break;
        case STEP_REGAINS:
                SAY("raised again after %s, with which it fell", name);
                break;
        case STEP_FALLS:
                SAY("falls with %s, which it stands on", name);
                break;
        case STEP_NO_LARGEST:
                SAY("the device states no largest MTU");
                break;
        case STEP_OUT_OF_RANGE:
                if (step->link->mtu_max > 0)
                        SAY("the device takes %u to %u", step->link->mtu_min, step->link->mtu_max);
                else
                        SAY("the device takes %u at least", step->link->mtu_min);
                break;
        case STEP_LOWER_TOO_SMALL:
                if (step->room == mtu)
                        SAY("%s below it has %u by then", name, mtu);
                else
                        SAY("%s below it has %u by then, room for %u", name, mtu, step->room);
                break;
        case STEP_LOWER_TAKES_IT:
                SAY("%s below it has %u by then, and takes it along", name, mtu);
                break;
        case STEP_SETTER_DISAGREES:
                SAY("%s gives %u to its ports", name, mtu);
                break;
        }
#undef SAY
        return buffer;
}
