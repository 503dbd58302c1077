/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "plan/contradictions.h"

#include <errno.h>

#include "base/cleanup.h"
#include "plan/advice.h"
#include "plan/device_plan.h"
#include "plan/stack.h"
#include "plan/step.h"

struct outlook {
        const struct device_statuses *statuses;
        const struct link_table *table;
        const struct step_outcome *outcomes; /* of the devices of the table */
        const struct diagnostic_sink *sink;
        struct pool *pool;  /* for texts */
        bool is_lines_only; /* mistakes of one device are not reported */
};

/* Statuses begin in the table's order. */
static const struct device_status *status_of(const struct outlook *view, const struct link *link) {
        return &view->statuses->items[link - view->table->links];
}

/* Whether a line, or the lack of one, gives it that MTU. */
static bool is_by_lines(const struct outlook *view, const struct step_outcome *outcome) {
        const struct device_status *by = status_of(view, outcome->by);

        return device_status_has_good_line(by) || by->restored > 0;
}

/* A line that is refused because of another one counts: that one is reported. */
static struct step_outcome outcome_of(const struct outlook *view, const struct link *link) {
        const struct device_status *status = status_of(view, link);

        if (device_status_has_good_line(status))
                return (struct step_outcome){ .mtu = status->wanted, .by = link };
        return view->outcomes[link - view->table->links];
}

/* `9000 in FILE:LINE`, or `1500 and no valid line`: what `link` has. A line with a mistake is not valid, and
 * has been reported. */
static const char *outcome_text(const struct outlook *view, const struct link *link,
                                const struct step_outcome *outcome) {
        const struct device_status *by = status_of(view, outcome->by);
        const char *start = "";

        if (by->link != link)
                start = pool_print(view->pool, "%u with %s, which has ", outcome->mtu, by->link->name);
        if (by->restored > 0)
                return pool_print(view->pool, "%sno valid line any more and gets %u back", start,
                                  by->restored);
        if (!by->line)
                return pool_print(view->pool, "%s%u and no valid line", start, by->link->mtu);
        if (by->state == DEVICE_STATE_IMPOSSIBLE)
                return pool_print(view->pool, "%s%u and a line that cannot take effect, %s", start,
                                  by->link->mtu, CONFIG_LINE_PLACE(by->line));
        return pool_print(view->pool, "%s%u in %s", start, by->wanted, CONFIG_LINE_PLACE(by->line));
}

/* A line with more than the device below will carry. One that only follows it can have that, too. */
static void report_lower(const struct outlook *view, const struct device_status *own,
                         const struct link *lower) {
        const struct step_outcome below = outcome_of(view, lower);
        uint32_t room = stack_capacity(own->link, lower, below.mtu);
        bool is_follower = stack_is_follower(own->link);
        char less[64] = "";

        if (own->wanted <= room || (view->is_lines_only && (is_follower || !is_by_lines(view, &below))))
                return;
        if (room < below.mtu)
                snprintf(less, sizeof(less), ", of which %s takes %u", own->link->kind, below.mtu - room);
        plan_report(view->sink, is_follower ? DIAGNOSTIC_WARNING : DIAGNOSTIC_ERROR, own->line,
                    "%u is more than the device below it will carry: %s has %s%s", own->wanted, lower->name,
                    outcome_text(view, lower, &below), is_follower ? "; it drops larger frames" : less);
}

/* A port's line with another MTU than its bond or team gives it. */
static void report_setter(const struct outlook *view, const struct device_status *own,
                          const struct link *setter) {
        const struct step_outcome above = outcome_of(view, setter);

        if (own->wanted == above.mtu || (view->is_lines_only && !is_by_lines(view, &above)))
                return;
        plan_report(view->sink, DIAGNOSTIC_ERROR, own->line,
                    "%u contradicts %s, which has %s: a %s sets the MTU of its ports; write the line for "
                    "that one",
                    own->wanted, setter->name, outcome_text(view, setter, &above), setter->kind);
}

int contradictions_report(const struct device_statuses *statuses, const struct link_table *table,
                          bool is_lines_only, const struct diagnostic_sink *sink) {
        CLEANUP(pool_free) struct pool pool = { 0 };
        struct step_outcome *outcomes = pool_take(&pool, table->n_links * sizeof(*outcomes));
        const struct outlook view = { statuses, table, outcomes, sink, &pool, is_lines_only };
        int r = pool.failed ? -ENOMEM : steps_foresee(statuses, table, outcomes);

        if (r < 0)
                return r;
        for (size_t i = 0; i < table->n_links; i++) {
                const struct link *link = &table->links[i];
                const struct link *limit = stack_limit(table, link), *setter = stack_setter(table, link);
                const struct link *lower = limit ? limit : stack_leader(table, link);
                const struct link *controller = link_table_by_ifindex(table, link->controller_ifindex);
                const struct device_status *own = &statuses->items[i];
                const struct device_status *above = controller ? status_of(&view, controller) : NULL;
                struct step_outcome other;

                if (lower && device_status_has_good_line(own))
                        report_lower(&view, own, lower);
                if (setter && device_status_has_good_line(own))
                        report_setter(&view, own, setter);
                if (is_lines_only)
                        continue;
                if (own->state == DEVICE_STATE_IMPOSSIBLE)
                        plan_report(sink, DIAGNOSTIC_ERROR, own->line, "%s",
                                    DEVICE_FAULT(link, own->wanted));
                if (setter && above && above->line && !own->line && link->mtu != setter->mtu)
                        plan_report(sink, DIAGNOSTIC_WARNING, above->line,
                                    "its port %s has %u, and %s itself %u; to give it that: %s", link->name,
                                    link->mtu, setter->name, setter->mtu,
                                    advice_make(&pool, statuses, table, setter, setter->mtu));
                /* A port with a line is meant to be smaller. */
                if (above && stack_is_bridge(controller) && device_status_has_good_line(above) &&
                    !device_status_has_good_line(own)) {
                        other = outcome_of(&view, link);
                        if (above->wanted > other.mtu)
                                plan_report(sink, DIAGNOSTIC_WARNING, above->line,
                                            "%u is more than its port %s has (%s), which drops larger "
                                            "frames; a "
                                            "line for that port says that it is meant",
                                            above->wanted, link->name, outcome_text(&view, link, &other));
                }
        }
        return pool.failed ? -ENOMEM : 0;
}
