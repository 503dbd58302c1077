/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* setmtu plan: what apply would request of the kernel, and what the generator makes of the configuration. */

#include <stdio.h>
#include <string.h>

#include "backends/backend_unit.h"
#include "backends/backends.h"
#include "backends/unit_links.h"
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

/* The next three add to the array or, without one, to the table. */

static void show_units(const struct plan *plan, struct table *table, json_t **array) {
        struct unit_links links = { 0 };
        struct unit_link link;

        while (unit_links_next(plan, &links, &link))
                if (array) {
                        JSON_ADD(*array, {
                                                         { "path", json_sprintf("%s/%s", link.directory,
                                                                                link.name) },
                                                         { "target", json_text(link.target) },
                                                         { "source", json_source(link.line) },
                                         });
                } else {
                        table_add(table, TABLE_PLAIN, "%s", link.name);
                        table_add(table, TABLE_PLAIN, "wanted by %.*s",
                                  (int)(strlen(link.directory) - strlen(".wants")), link.directory);
                        table_add(table, TABLE_FAINT, "%s", link.line ? CONFIG_LINE_PLACE(link.line) : "");
                }
}

/* The device of each line of each file. */
static void show_files(const struct generated_files *files, struct table *table, json_t **array) {
        for (size_t i = 0; i < files->n_items; i++)
                for (size_t j = 0; j < files->items[i].n_lines; j++) {
                        const struct config_line *line = files->items[i].lines[j];

                        if (array) {
                                JSON_ADD(*array, {
                                                                 { "path", json_text(files->items[i].path) },
                                                                 { "name", json_text(line->name) },
                                                                 { "source", json_source(line) },
                                                 });
                                continue;
                        }
                        table_add(table, TABLE_PLAIN, "%s", line->name);
                        table_add(table, TABLE_PLAIN, "%s", files->items[i].path);
                        table_add(table, TABLE_FAINT, "%s", CONFIG_LINE_PLACE(line));
                }
}

static const enum table_colour action_colours[] = {
        [STEP_SET] = TABLE_YELLOW,   [STEP_KEEP] = TABLE_GREEN, [STEP_REFUSE] = TABLE_RED,
        [STEP_ABSENT] = TABLE_FAINT, [STEP_FALL] = TABLE_FAINT, [STEP_WAIT] = TABLE_FAINT,
};

/* An MTU that falls with another device's is not a request. */
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

static bool print_plan(const struct snapshot *snapshot, const struct generated_files *rules,
                       const struct generated_files *files, const struct steps *steps) {
        struct table requests = { .n_columns = 6, .is_number = { [2] = true }, .indent = 2 };
        struct table units = { .n_columns = 3, .indent = 2 }, written = { .n_columns = 3, .indent = 2 };
        bool is_whole;

        if (snapshot->plan.config.n_lines == 0)
                puts("The configuration names no device.");
        if (steps->n_items > 0)
                puts("What setmtu apply does, in this order:");
        show_requests(steps, &requests, NULL);
        is_whole = table_print(&requests);

        if (snapshot->plan.n_devices > 0 || snapshot->plan.config.is_partial)
                printf("%sUnits that setmtu-generator adds:\n", steps->n_items > 0 ? "\n" : "");
        show_units(&snapshot->plan, &units, NULL);
        is_whole &= table_print(&units);

        if (rules->n_items + files->n_items > 0)
                puts("\nFiles that setmtu-configure writes:");
        show_files(rules, &written, NULL);
        show_files(files, &written, NULL);
        return table_print(&written) && is_whole;
}

static bool print_plan_json(const struct snapshot *snapshot, const struct generated_files *rules,
                            const struct generated_files *files, const struct steps *steps) {
        json_t *units = json_array(), *rule_files = json_array(), *other_files = json_array(),
               *requests = json_array();

        show_units(&snapshot->plan, NULL, &units);
        show_files(rules, NULL, &rule_files);
        show_files(files, NULL, &other_files);
        show_requests(steps, NULL, &requests);
        return json_print(JSON_OBJECT({
                        { "units", units },
                        { "rules", rule_files },
                        { "files", other_files },
                        { "requests", requests },
        }));
}

static int run_plan(const struct command_line *line) {
        CLEANUP(snapshot_cleanup) struct snapshot snapshot = { 0 };
        CLEANUP(generated_files_free) struct generated_files rules = { 0 }, files = { 0 };
        CLEANUP(steps_free) struct steps steps = { .n_items = 0 };
        struct diagnostic_sink sink;
        int r;

        if (!prepare_snapshot(&snapshot))
                return EXIT_CODE_FAILURE;
        sink = mistakes_sink(&snapshot.mistakes);
        r = backend_unit_render(&snapshot.plan, &sink, &rules);
        if (r == 0)
                r = backends_render(&(struct rendering){ .plan = &snapshot.plan,
                                                         .links = &snapshot.links,
                                                         .sink = &sink,
                                                         .files = &files });
        if (r == 0)
                r = steps_make(&snapshot.statuses, &snapshot.links, NULL, 0, &steps);
        if (r < 0)
                return log_fail(EXIT_CODE_FAILURE, "the plan cannot be made: %s", strerror(-r));
        if (!(line->options[OPTION_JSON] ? print_plan_json : print_plan)(&snapshot, &rules, &files, &steps))
                return EXIT_CODE_FAILURE;
        return snapshot.mistakes.n_errors > 0 ? EXIT_CODE_CONFIGURATION : EXIT_CODE_DONE;
}

const struct command command_plan = {
        .name = "plan",
        .arguments = "",
        .summary = "show the requests of setmtu apply, with reasons",
        .text = "Shows the requests that setmtu apply would send to the kernel, and what setmtu-generator "
                "makes of the configuration. Changes nothing and needs no root.",
        .examples = { "$ setmtu plan", "$ setmtu plan --json" },
        .options = { [OPTION_JSON] = COMMAND_JSON("object") },
        .words_max = 0,
        .run = run_plan,
};
