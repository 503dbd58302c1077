/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* setmtu plan: what the generator makes of the configuration, and what apply would ask of the kernel. */

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "backends/network_output.h"
#include "backends/networkmanager_conf.h"
#include "backends/udev_rules.h"
#include "backends/unit_links.h"
#include "base/cleanup.h"
#include "base/exit_code.h"
#include "base/log.h"
#include "change/snapshot.h"
#include "command/command.h"
#include "command/steps_text.h"
#include "output/json.h"
#include "output/table.h"
#include "plan/step.h"
#include "system/unit_mask.h"

enum { OPTION_JSON };

static void append_link(void *userdata, const struct unit_link *link) {
        char path[2 * NAME_MAX];

        snprintf(path, sizeof(path), "%s/%s", link->folder, link->name);
        json_array_append_new(userdata, json_pack("{so ss so}", "path", json_text(path), "target",
                                                  link->target, "source", json_source(link->line)));
}

/* Returns how many there are of the step: one, or none where nothing is asked of the kernel. */
static size_t append_request(json_t *requests, const struct step *step) {
        char reason[STEP_REASON_SIZE];

        if (step->action == STEP_FALL)
                return 0;
        json_array_append_new(
                        requests,
                        json_pack("{so so ss so so sb so}", "name",
                                  json_text(step->link ? step->link->name : step->line->name), "source",
                                  json_source(step->line), "action", step_action_name(step->action), "from",
                                  json_mtu(step->link ? step->link->mtu : 0), "to", json_mtu(step->to), "up",
                                  step->set_up, "reason", json_text(step_reason_text(reason, step))));
        return 1;
}

/* Returns how many there are of the device: one or none. */
static size_t append_order(json_t *order, const struct device_plan *device) {
        if (!device->lower)
                return 0;
        json_array_append_new(order, json_pack("{ss ss so}", "name", device->line->name, "after",
                                               device->lower->name, "source", json_source(device->line)));
        return 1;
}

static bool print_json(struct snapshot *snapshot, const struct network_outputs *files,
                       const struct steps *steps) {
        json_t *units = json_array(), *order = json_array(), *rules = json_array(), *paths = json_array(),
               *list = json_array();
        size_t n_links = snapshot->plan.n_units + (plan_has_files(&snapshot->plan) ? 1 : 0), n_rules = 0,
               n_orders = 0, n_paths = files->n_items, n_requests = 0;
        bool is_whole;

        unit_links_each(&snapshot->plan, SYSTEM_UNIT_DIR, append_link, units);
        for (size_t i = 0; i < snapshot->plan.n_devices; i++)
                n_orders += append_order(order, &snapshot->plan.devices[i]);
        /* The generator does not look at masks; setmtu-configure does. */
        unit_mask_leave_out(&snapshot->plan);
        for (size_t i = 0; i < snapshot->plan.n_devices; i++) {
                const struct config_line *line = snapshot->plan.devices[i].line;

                if (!snapshot->plan.devices[i].has_rule)
                        continue;
                n_rules++;
                json_array_append_new(rules,
                                      json_pack("{ss so}", "name", line->name, "source", json_source(line)));
        }
        for (size_t i = 0; i < files->n_items; i++)
                json_array_append_new(paths, json_pack("{so so}", "path", json_text(files->items[i].path),
                                                       "source", json_source(files->items[i].line)));
        for (size_t i = 0; i < snapshot->plan.n_devices; i++) {
                const struct config_line *line = snapshot->plan.devices[i].line;

                if (!networkmanager_conf_has(&snapshot->plan.devices[i]))
                        continue;
                n_paths++;
                json_array_append_new(paths, json_pack("{ss so}", "path", NETWORKMANAGER_CONF_PATH, "source",
                                                       json_source(line)));
        }
        for (size_t i = 0; i < steps->n_items; i++)
                n_requests += append_request(list, &steps->items[i]);

        /* A piece that memory did not allow is missing in its array. */
        is_whole = json_array_size(units) == n_links && json_array_size(order) == n_orders &&
                   json_array_size(rules) == n_rules && json_array_size(paths) == n_paths &&
                   json_array_size(list) == n_requests;
        if (!is_whole) {
                json_decref(units);
                json_decref(order);
                json_decref(rules);
                json_decref(paths);
                json_decref(list);
                return json_print(NULL);
        }
        return json_print(json_pack("{so so so so so}", "units", units, "order", order, "rules", rules,
                                    "files", paths, "requests", list));
}

static const char *place_or_nothing(char buffer[static CONFIG_LINE_PLACE_SIZE],
                                    const struct config_line *line) {
        return line ? config_line_place(buffer, line) : "";
}

static void add_link(void *userdata, const struct unit_link *link) {
        char place[CONFIG_LINE_PLACE_SIZE];

        table_add(userdata, TABLE_PLAIN, "  %s/%s", link->folder, link->name);
        table_add(userdata, TABLE_FAINT, "%s", place_or_nothing(place, link->line));
}

static void add_order(struct table *order, const struct device_plan *device) {
        char place[CONFIG_LINE_PLACE_SIZE];

        if (!device->lower)
                return;
        table_add(order, TABLE_PLAIN, "  %s", device->line->name);
        table_add(order, TABLE_PLAIN, "after %s", device->lower->name);
        table_add(order, TABLE_FAINT, "%s", config_line_place(place, device->line));
}

static bool print_text(struct snapshot *snapshot, const struct network_outputs *files,
                       const struct steps *steps) {
        struct table links = { .n_columns = 2 }, order = { .n_columns = 3 }, rules = { .n_columns = 2 },
                     paths = { .n_columns = 2 };
        char place[CONFIG_LINE_PLACE_SIZE];
        bool is_whole;

        if (snapshot->plan.config.n_lines == 0)
                puts("The configuration names no device.");
        if (plan_has_files(&snapshot->plan) || snapshot->plan.n_units > 0)
                puts("Links that setmtu-generator makes:");
        unit_links_each(&snapshot->plan, SYSTEM_UNIT_DIR, add_link, &links);
        is_whole = table_print(&links);

        for (size_t i = 0; i < snapshot->plan.n_devices; i++)
                add_order(&order, &snapshot->plan.devices[i]);
        if (order.n_cells > 0)
                puts("\nUnits that start after another one:");
        is_whole &= table_print(&order);

        /* The generator does not look at masks; setmtu-configure does. */
        unit_mask_leave_out(&snapshot->plan);
        if (snapshot->plan.has_rules)
                puts("\nDevices with a rule in " UDEV_RULES_PATH ":");
        for (size_t i = 0; i < snapshot->plan.n_devices; i++) {
                const struct config_line *line = snapshot->plan.devices[i].line;

                if (!snapshot->plan.devices[i].has_rule)
                        continue;
                table_add(&rules, TABLE_PLAIN, "  %s", line->name);
                table_add(&rules, TABLE_FAINT, "%s", config_line_place(place, line));
        }
        is_whole &= table_print(&rules);

        for (size_t i = 0; i < files->n_items; i++) {
                table_add(&paths, TABLE_PLAIN, "  %s", files->items[i].path);
                table_add(&paths, TABLE_FAINT, "%s", config_line_place(place, files->items[i].line));
        }
        for (size_t i = 0; i < snapshot->plan.n_devices; i++)
                if (networkmanager_conf_has(&snapshot->plan.devices[i])) {
                        table_add(&paths, TABLE_PLAIN, "  " NETWORKMANAGER_CONF_PATH);
                        table_add(&paths, TABLE_FAINT, "%s",
                                  config_line_place(place, snapshot->plan.devices[i].line));
                }
        if (paths.n_cells > 0)
                puts("\nFiles for the programs that set an MTU then:");
        is_whole &= table_print(&paths);

        if (steps->n_items > 0)
                puts("\nWhat setmtu apply does, in this order:");
        return steps_print(steps) && is_whole;
}

static int run(const struct command_line *line) {
        CLEANUP(snapshot_cleanup) struct snapshot snapshot = { 0 };
        CLEANUP(network_outputs_free) struct network_outputs files = { 0 };
        struct mistakes mistakes = { 0 };
        const struct diagnostic_sink sink = mistakes_sink(&mistakes);
        CLEANUP(steps_free) struct steps steps = { .n_items = 0 };
        bool is_printed;

        if (!snapshot_take(&sink, &snapshot))
                return EXIT_CODE_FAILURE;
        if (network_outputs_make(&snapshot.plan, &snapshot.links, &sink, &files) < 0 ||
            steps_make(&snapshot.statuses, &snapshot.links, NULL, 0, &steps) < 0) {
                log_out_of_memory();
                return EXIT_CODE_FAILURE;
        }
        is_printed = line->options[OPTION_JSON] ? print_json(&snapshot, &files, &steps)
                                                : print_text(&snapshot, &files, &steps);
        if (!is_printed)
                return EXIT_CODE_FAILURE;
        return mistakes.n_errors > 0 ? EXIT_CODE_CONFIGURATION : EXIT_CODE_DONE;
}

const struct command command_plan = {
        .name = "plan",
        .arguments = "",
        .summary = "what would be done, in which order and why",
        .text = "Shows what setmtu-generator makes of the configuration, and which requests setmtu apply "
                "would\n"
                "send to the kernel. Changes nothing and needs no root.",
        .options = { [OPTION_JSON] = { "json", NULL, "print a JSON object; its keys are in setmtu(8)" } },
        .words_max = 0,
        .run = run,
};
