/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* setmtu plan: what apply would request of the kernel. */

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/exit_code.h"
#include "base/log.h"
#include "change/snapshot.h"
#include "command/command.h"
#include "command/prepare.h"
#include "output/json.h"
#include "output/table.h"
#include "plan/step_text.h"

enum { OPTION_JSON };

static const enum table_colour action_colours[] = {
        [STEP_SET] = TABLE_YELLOW,   [STEP_KEEP] = TABLE_GREEN, [STEP_REFUSE] = TABLE_RED,
        [STEP_ABSENT] = TABLE_FAINT, [STEP_FALL] = TABLE_FAINT, [STEP_WAIT] = TABLE_FAINT,
};

/* Adds them to the array or, for NULL, to the table, but no MTU that falls with another device's. */
static void show_requests(const struct steps *steps, struct table *table, json_t **array) {
        for (size_t i = 0; i < steps->n_items; i++) {
                const struct step *step = &steps->items[i];
                const char *name = step->link ? step->link->name : step->line->name;
                uint32_t from = step->link ? step->link->mtu : 0;

                if (step->action == STEP_FALL)
                        continue;
                if (array) {
                        JSON_ADD(*array, {
                                                         { "name", json_text(name) },
                                                         { "source", json_source(step->line) },
                                                         { "action", json_text(step_action_name(step)) },
                                                         { "from", json_count(from) },
                                                         { "to", json_count(step->to) },
                                                         { "up", json_boolean(step->set_up) },
                                                         { "reason", json_text(STEP_REASON(step)) },
                                         });
                        continue;
                }
                table_add(table, TABLE_PLAIN, "%s", name);
                table_add(table, action_colours[step->action], "%s%s", step_action_name(step),
                          step->set_up ? ", up" : "");
                table_add_number(table, from, "-");
                if (step->to > 0)
                        table_add(table, TABLE_PLAIN, "-> %u", step->to);
                else
                        table_add(table, TABLE_PLAIN, "-> %s",
                                  step->line && step->line->spec.is_auto ? "auto" : "max");
                table_add(table, TABLE_PLAIN, "%s", STEP_REASON(step));
                table_add(table, TABLE_FAINT, "%s", step->line ? CONFIG_LINE_PLACE(step->line) : "-");
        }
}

static int run_plan(const struct command_line *line) {
        CLEANUP(snapshot_cleanup) struct snapshot snapshot = { 0 };
        CLEANUP(steps_free) struct steps steps = { .n_items = 0 };
        struct table table = { .n_columns = 6, .is_number = { [2] = true } };
        bool is_done;
        int r;

        if (!prepare_snapshot(&snapshot))
                return EXIT_CODE_FAILURE;
        r = steps_make(&snapshot.statuses, &snapshot.links, NULL, 0, &steps);
        if (r < 0)
                return log_fail(EXIT_CODE_FAILURE, "the plan cannot be made: %s", strerror(-r));
        if (line->options[OPTION_JSON]) {
                json_t *requests = json_array();

                show_requests(&steps, NULL, &requests);
                is_done = json_print(JSON_OBJECT({ { "requests", requests } }));
        } else {
                if (steps.n_items == 0)
                        puts("No device takes its MTU from the configuration.");
                show_requests(&steps, &table, NULL);
                is_done = table_print(&table);
        }
        if (!is_done)
                return EXIT_CODE_FAILURE;
        return snapshot.mistakes.n_errors > 0 ? EXIT_CODE_CONFIGURATION : EXIT_CODE_DONE;
}

const struct command command_plan = {
        .name = "plan",
        .arguments = "",
        .summary = "show the requests of setmtu apply, with reasons",
        .text = "Shows the requests that setmtu apply would send to the kernel. Changes nothing and needs "
                "no root.",
        .examples = { "$ setmtu plan", "$ setmtu plan --json" },
        .options = { [OPTION_JSON] = COMMAND_JSON("object") },
        .words_max = 0,
        .run = run_plan,
};
