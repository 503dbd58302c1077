/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "plan/contradictions.h"

#include <stdio.h>

#include "base/text.h"
#include "plan/device_plan.h"
#include "plan/stack.h"

/* The status of `link`, which may be NULL. Statuses begin in the table's order. */
static const struct device_status *status_at(const struct device_statuses *statuses,
                                             const struct link_table *table, const struct link *link) {
        return link ? &statuses->items[link - table->links] : NULL;
}

static bool is_followed(const struct device_status *status) {
        return status->line && status->state != DEVICE_STATE_IMPOSSIBLE;
}

/* The MTU of a device once its line is applied, if it can be. */
static uint32_t outcome(const struct device_status *status) {
        return is_followed(status) ? status->wanted : status->link->mtu;
}

/* `9000 in FILE:LINE`, or `1500 and no line`. */
static const char *outcome_text(char buffer[static 320], const struct device_status *status) {
        const struct config_line *line = status->line;

        if (!line)
                snprintf(buffer, 320, "%u and no line", status->link->mtu);
        else if (status->state == DEVICE_STATE_IMPOSSIBLE)
                snprintf(buffer, 320, "%u and a line that cannot take effect, %s", status->link->mtu,
                         CONFIG_LINE_PLACE(line));
        else
                snprintf(buffer, 320, "%u in %s", outcome(status), CONFIG_LINE_PLACE(line));
        return buffer;
}

#define OUTCOME_TEXT(status) outcome_text((char[320]){ 0 }, status)

static void report_limit(const struct device_status *upper, const struct device_status *lower,
                         const struct diagnostic_sink *sink) {
        uint32_t below = outcome(lower), room = stack_capacity(upper->link, lower->link, below);
        char less[64] = "";

        if (!is_followed(upper) || outcome(upper) <= room)
                return;
        if (room < below)
                snprintf(less, sizeof(less), ", of which %s takes %u", upper->link->kind, below - room);
        plan_report(sink, DIAGNOSTIC_ERROR, upper->line,
                    "%u is more than the device below it will carry: %s has %s%s", upper->wanted,
                    lower->link->name, OUTCOME_TEXT(lower), less);
}

/* Whether the line of `upper` gives it more than `lower` will have; either may be NULL. */
static bool is_more(const struct device_status *upper, const struct device_status *lower) {
        return upper && lower && is_followed(upper) && outcome(upper) > outcome(lower);
}

void contradictions_report(const struct device_statuses *statuses, const struct link_table *table,
                           const struct diagnostic_sink *sink) {
        for (size_t i = 0; i < table->n_links; i++) {
                const struct link *link = &table->links[i];
                const struct link *controller = link_table_by_ifindex(table, link->controller_ifindex);
                const struct device_status *own = status_at(statuses, table, link);
                char word[TEXT_SHELL_WORD_SIZE];
                const struct device_status *limit = status_at(statuses, table, stack_limit(table, link));
                const struct device_status *leader = status_at(statuses, table, stack_leader(table, link));
                const struct device_status *setter = status_at(statuses, table, stack_setter(table, link));
                const struct device_status *bridge = controller && stack_is_bridge(controller)
                                                                     ? status_at(statuses, table, controller)
                                                                     : NULL;

                if (own->state == DEVICE_STATE_IMPOSSIBLE)
                        plan_report(sink, DIAGNOSTIC_ERROR, own->line, "%s", DEVICE_STATUS_FAULT(own));
                if (limit)
                        report_limit(own, limit, sink);
                if (is_more(own, leader))
                        plan_report(sink, DIAGNOSTIC_WARNING, own->line,
                                    "%u is more than the device below it will carry (%s has %s), which "
                                    "drops larger frames",
                                    own->wanted, leader->link->name, OUTCOME_TEXT(leader));
                if (setter && is_followed(own) && outcome(own) != outcome(setter))
                        plan_report(sink, DIAGNOSTIC_ERROR, own->line,
                                    "%u contradicts %s, which has %s: a %s sets the MTU of its ports; "
                                    "write the line for that one",
                                    own->wanted, setter->link->name, OUTCOME_TEXT(setter),
                                    setter->link->kind);
                if (setter && setter->line && !own->line && link->mtu != setter->link->mtu)
                        plan_report(sink, DIAGNOSTIC_WARNING, setter->line,
                                    "its port %s has %u, and %s itself %u; to give it that: setmtu apply %s",
                                    link->name, link->mtu, setter->link->name, setter->link->mtu,
                                    text_shell_word(word, setter->link->name));
                if (is_more(bridge, own))
                        plan_report(sink, DIAGNOSTIC_WARNING, bridge->line,
                                    "%u is more than its port %s will have (%s), which drops larger frames",
                                    bridge->wanted, link->name, OUTCOME_TEXT(own));
        }
}
