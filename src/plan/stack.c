/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "plan/stack.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static bool is_kind(const struct link *link, const char *kind) {
        return link && strcmp(link->kind, kind) == 0;
}

/* What a frame takes on the device below beyond the MTU: of macsec its tag with an SCI and its check value,
 * of vxlan outer IP, UDP, its own header, and an inner Ethernet header. */
static uint32_t overhead(const struct link *link, const struct link *lower) {
        if (is_kind(link, "macsec"))
                return 32;
        if (is_kind(link, "vlan") && is_kind(lower, "macsec"))
                return 4;
        if (is_kind(link, "vxlan"))
                return link->is_over_ipv6 ? 70 : 50;
        return 0;
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

/* rank[of] = max(rank[of], rank[on] + step). True where that changed it. */
static bool lift(unsigned *rank, size_t of, size_t on, unsigned step) {
        if (rank[of] >= rank[on] + step || rank[on] >= STACK_DEPTH_MAX * 2)
                return false;
        rank[of] = rank[on] + step;
        return true;
}

/* One round over all devices; false where nothing has moved. The height of a device is how many there are
 * below it. */
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

                        /* A port comes right behind its bond, and before what stands on either. */
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
        for (int i = 0; i < STACK_DEPTH_MAX && settle(table, raising, lowering); i++)
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

/* The status of `link`: they begin in the table's order. */
static const struct device_status *status_at(const struct device_statuses *statuses,
                                             const struct link_table *table, const struct link *link) {
        return &statuses->items[link - table->links];
}

/* What a device will have once its line is carried out, as far as it can be. */
static uint32_t outcome(const struct device_status *status) {
        bool follows = status->state == DEVICE_STATE_DRIFT || status->state == DEVICE_STATE_OK;

        return follows ? status->wanted : status->link->mtu;
}

/* `9000 in FILE:LINE`, or `1500 and no line`. */
static const char *outcome_text(char buffer[static 320], const struct device_status *status) {
        const struct config_line *line = status->line;

        if (!line)
                snprintf(buffer, 320, "%u and no line", status->link->mtu);
        else if (status->state == DEVICE_STATE_IMPOSSIBLE)
                snprintf(buffer, 320, "%u and a line that cannot be had, %s:%u", status->link->mtu,
                         line->file, line->line);
        else if (line->line > 0)
                snprintf(buffer, 320, "%u in %s:%u", outcome(status), line->file, line->line);
        else
                snprintf(buffer, 320, "%u in %s", outcome(status), line->file);
        return buffer;
}

static void report_limit(const struct device_status *upper, const struct device_status *lower,
                         const struct diagnostic_sink *sink) {
        const struct config_line *line = upper->line;
        char text[320], name[TEXT_QUOTE_SIZE], less[64] = "";

        if (!line || upper->state == DEVICE_STATE_IMPOSSIBLE ||
            outcome(upper) <= stack_capacity(upper->link, lower->link, outcome(lower)))
                return;
        if (overhead(upper->link, lower->link) > 0)
                snprintf(less, sizeof(less), ", of which %s takes %u", upper->link->kind,
                         overhead(upper->link, lower->link));
        diagnostic_report(sink, DIAGNOSTIC_ERROR, line->file, line->line, line->name,
                          "%s: %u is more than the device below it will carry: %s has %s%s", line->name,
                          upper->wanted, text_show(name, lower->link->name), outcome_text(text, lower),
                          less);
}

static void report_follower(const struct device_status *upper, const struct device_status *lower,
                            const struct diagnostic_sink *sink) {
        const struct config_line *line = upper->line;
        char text[320], name[TEXT_QUOTE_SIZE];

        if (!line || upper->state == DEVICE_STATE_IMPOSSIBLE || outcome(upper) <= outcome(lower))
                return;
        diagnostic_report(
                        sink, DIAGNOSTIC_WARNING, line->file, line->line, line->name,
                        "%s: %u is more than the device below it will carry (%s has %s), which drops larger "
                        "frames",
                        line->name, upper->wanted, text_show(name, lower->link->name),
                        outcome_text(text, lower));
}

static void report_setter(const struct device_status *port, const struct device_status *setter,
                          const struct diagnostic_sink *sink) {
        const struct config_line *line = port->line;
        char text[320], name[TEXT_QUOTE_SIZE];

        if (!line || port->state == DEVICE_STATE_IMPOSSIBLE || outcome(port) == outcome(setter))
                return;
        diagnostic_report(sink, DIAGNOSTIC_ERROR, line->file, line->line, line->name,
                          "%s: %u contradicts %s, which has %s: a %s sets the MTU of its ports; give the "
                          "line to that one",
                          line->name, port->wanted, text_show(name, setter->link->name),
                          outcome_text(text, setter), setter->link->kind);
}

static void report_bridge(const struct device_status *port, const struct device_status *bridge,
                          const struct diagnostic_sink *sink) {
        const struct config_line *line = bridge->line;
        char text[320], name[TEXT_QUOTE_SIZE];

        if (!line || bridge->state == DEVICE_STATE_IMPOSSIBLE || outcome(bridge) <= outcome(port))
                return;
        diagnostic_report(sink, DIAGNOSTIC_WARNING, line->file, line->line, line->name,
                          "%s: %u is more than its port %s will have (%s), which drops larger frames",
                          line->name, bridge->wanted, text_show(name, port->link->name),
                          outcome_text(text, port));
}

/* A value outside what the device states. */
static void report_impossible(const struct device_status *status, const struct diagnostic_sink *sink) {
        const struct config_line *line = status->line;
        const struct link *link = status->link;

        if (status->wanted == 0)
                diagnostic_report(sink, DIAGNOSTIC_ERROR, line->file, line->line, line->name,
                                  "%s: max cannot be had: the device states no largest MTU; write a number",
                                  line->name);
        else if (link->mtu_max > 0)
                diagnostic_report(sink, DIAGNOSTIC_ERROR, line->file, line->line, line->name,
                                  "%s: %u is outside what this device takes (%u to %u)", line->name,
                                  status->wanted, link->mtu_min, link->mtu_max);
        else
                diagnostic_report(sink, DIAGNOSTIC_ERROR, line->file, line->line, line->name,
                                  "%s: %u is less than this device takes (%u at least)", line->name,
                                  status->wanted, link->mtu_min);
}

void stack_report_contradictions(const struct device_statuses *statuses, const struct link_table *table,
                                 const struct diagnostic_sink *sink) {
        for (size_t i = 0; i < table->n_links; i++) {
                const struct link *link = &table->links[i];
                const struct device_status *own = status_at(statuses, table, link);
                const struct link *limit = stack_limit(table, link), *setter = stack_setter(table, link);
                const struct link *controller = link_table_by_ifindex(table, link->controller_ifindex);
                const struct link *leader = stack_leader(table, link);

                if (own->state == DEVICE_STATE_IMPOSSIBLE)
                        report_impossible(own, sink);
                if (limit)
                        report_limit(own, status_at(statuses, table, limit), sink);
                if (leader)
                        report_follower(own, status_at(statuses, table, leader), sink);
                if (setter)
                        report_setter(own, status_at(statuses, table, setter), sink);
                else if (is_kind(controller, "bridge"))
                        report_bridge(own, status_at(statuses, table, controller), sink);
        }
}
