/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "command/steps_text.h"

#include "base/text.h"
#include "output/table.h"

static const enum table_colour colours[] = {
        [STEP_SET] = TABLE_YELLOW,   [STEP_KEEP] = TABLE_GREEN, [STEP_REFUSE] = TABLE_RED,
        [STEP_ABSENT] = TABLE_FAINT, [STEP_FALL] = TABLE_FAINT,
};

static void add_step(struct table *table, const struct step *step) {
        table_add(table, TABLE_PLAIN, "  %s", TEXT_SHOW(step->link ? step->link->name : step->line->name));
        table_add(table, colours[step->action], "%s%s", step_action_name(step->action),
                  step->set_up ? ", up" : "");
        if (step->link)
                table_add(table, TABLE_PLAIN, "%u", step->link->mtu);
        else
                table_add(table, TABLE_FAINT, "-");
        if (step->to > 0)
                table_add(table, TABLE_PLAIN, "-> %u", step->to);
        else
                table_add(table, TABLE_PLAIN, "-> max");
        table_add(table, TABLE_PLAIN, "%s", STEP_REASON(step));
        table_add(table, TABLE_FAINT, "%s", step->line ? CONFIG_LINE_PLACE(step->line) : "-");
}

bool steps_print(const struct steps *steps, bool is_wide) {
        struct table table = {
                .n_columns = 6,
                .is_number = { [2] = true },
                .is_text = { [4] = true },
                .gives_way = { [5] = 1 },
                .is_wide = is_wide,
        };

        /* An MTU that falls with another device's is not a request. */
        for (size_t i = 0; i < steps->n_items; i++)
                if (steps->items[i].action != STEP_FALL)
                        add_step(&table, &steps->items[i]);
        return table_print(&table);
}
