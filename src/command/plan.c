/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* setmtu plan: what apply would request of the kernel, and what the generator makes of the configuration. */

#include <limits.h>
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

static json_t *units_json(const struct plan *plan) {
        json_t *units = json_array();
        struct unit_links links = { 0 };
        struct unit_link link;

        while (unit_links_next(plan, &links, &link)) {
                char path[2 * NAME_MAX];

                snprintf(path, sizeof(path), "%s/%s", link.directory, link.name);
                JSON_ADD(units, {
                                                { "path", json_text(path) },
                                                { "target", json_text(link.target) },
                                                { "source", json_source(link.line) },
                                });
        }
        return units;
}

/* The device of each line of each file. */
static json_t *files_json(const struct generated_files *files) {
        json_t *array = json_array();

        for (size_t i = 0; i < files->n_items; i++)
                for (size_t j = 0; j < files->items[i].n_lines; j++) {
                        const struct config_line *line = files->items[i].lines[j];

                        JSON_ADD(array, {
                                                        { "path", json_text(files->items[i].path) },
                                                        { "name", json_text(line->name) },
                                                        { "source", json_source(line) },
                                        });
                }
        return array;
}

static json_t *requests_json(const struct steps *steps) {
        json_t *requests = json_array();

        for (size_t i = 0; i < steps->n_items; i++) {
                const struct step *step = &steps->items[i];

                if (step->action == STEP_FALL)
                        continue;
                JSON_ADD(requests, {
                                                   { "name", json_text(step->link ? step->link->name
                                                                                  : step->line->name) },
                                                   { "source", json_source(step->line) },
                                                   { "action", json_text(step_action_name(step)) },
                                                   { "from", json_count(step->link ? step->link->mtu : 0) },
                                                   { "to", json_count(step->to) },
                                                   { "up", json_boolean(step->set_up) },
                                                   { "reason", json_text(STEP_REASON(step)) },
                                   });
        }
        return requests;
}

static void add_files(struct table *table, const struct generated_files *files) {
        for (size_t i = 0; i < files->n_items; i++)
                for (size_t j = 0; j < files->items[i].n_lines; j++) {
                        const struct config_line *line = files->items[i].lines[j];

                        table_add(table, TABLE_PLAIN, "%s", line->name);
                        table_add(table, TABLE_PLAIN, "%s", files->items[i].path);
                        table_add(table, TABLE_FAINT, "%s", CONFIG_LINE_PLACE(line));
                }
}

static const enum table_colour action_colours[] = {
        [STEP_SET] = TABLE_YELLOW,   [STEP_KEEP] = TABLE_GREEN, [STEP_REFUSE] = TABLE_RED,
        [STEP_ABSENT] = TABLE_FAINT, [STEP_FALL] = TABLE_FAINT, [STEP_WAIT] = TABLE_FAINT,
};

static void add_step(struct table *table, const struct step *step) {
        table_add(table, TABLE_PLAIN, "%s", step->link ? step->link->name : step->line->name);
        table_add(table, action_colours[step->action], "%s%s", step_action_name(step),
                  step->set_up ? ", up" : "");
        table_add_number(table, step->link ? step->link->mtu : 0, "-");
        if (step->to > 0)
                table_add(table, TABLE_PLAIN, "-> %u", step->to);
        else
                table_add(table, TABLE_PLAIN, "-> %s",
                          step->line && step->line->spec.is_auto ? "auto" : "max");
        table_add(table, TABLE_PLAIN, "%s", STEP_REASON(step));
        table_add(table, TABLE_FAINT, "%s", step->line ? CONFIG_LINE_PLACE(step->line) : "-");
}

/* An MTU that falls with another device's is not a request. */
static bool print_steps(const struct steps *steps) {
        struct table table = {
                .n_columns = 6,
                .is_number = { [2] = true },
                .indent = 2,
        };

        for (size_t i = 0; i < steps->n_items; i++)
                if (steps->items[i].action != STEP_FALL)
                        add_step(&table, &steps->items[i]);
        return table_print(&table);
}

static bool print_plan(const struct snapshot *snapshot, const struct generated_files *rules,
                       const struct generated_files *files, const struct steps *steps) {
        struct table units = { .n_columns = 3, .indent = 2 };
        struct table written = { .n_columns = 3, .indent = 2 };
        struct unit_links links = { 0 };
        struct unit_link link;
        bool is_whole;

        if (snapshot->plan.config.n_lines == 0)
                puts("The configuration names no device.");
        if (steps->n_items > 0)
                puts("What setmtu apply does, in this order:");
        is_whole = print_steps(steps);

        if (snapshot->plan.n_devices > 0 || snapshot->plan.config.is_partial)
                printf("%sUnits that setmtu-generator adds:\n", steps->n_items > 0 ? "\n" : "");
        while (unit_links_next(&snapshot->plan, &links, &link)) {
                table_add(&units, TABLE_PLAIN, "%s", link.name);
                table_add(&units, TABLE_PLAIN, "wanted by %.*s",
                          (int)(strlen(link.directory) - strlen(".wants")), link.directory);
                table_add(&units, TABLE_FAINT, "%s", link.line ? CONFIG_LINE_PLACE(link.line) : "");
        }
        is_whole &= table_print(&units);

        if (rules->n_items + files->n_items > 0)
                puts("\nFiles that setmtu-configure writes:");
        add_files(&written, rules);
        add_files(&written, files);
        return table_print(&written) && is_whole;
}

static int run_plan(const struct command_line *line) {
        CLEANUP(snapshot_cleanup) struct snapshot snapshot = { 0 };
        CLEANUP(generated_files_free) struct generated_files rules = { 0 }, files = { 0 };
        CLEANUP(steps_free) struct steps steps = { .n_items = 0 };
        struct diagnostic_sink sink;
        bool is_printed;
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
        if (line->options[OPTION_JSON])
                is_printed = json_print(JSON_OBJECT({
                                { "units", units_json(&snapshot.plan) },
                                { "rules", files_json(&rules) },
                                { "files", files_json(&files) },
                                { "requests", requests_json(&steps) },
                }));
        else
                is_printed = print_plan(&snapshot, &rules, &files, &steps);
        if (!is_printed)
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
