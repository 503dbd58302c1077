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
#include "change/device_change.h"
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

static json_t *request_json(const struct mtu_request *spec) {
        const struct device_status *status = spec->status;
        const struct link *link = status->link;

        return json_pack("{so so ss so so sb so}", "name", json_text(link ? link->name : status->line->name),
                         "source", json_source(status->line), "action",
                         mtu_request_action_name(spec->action), "from", json_mtu(link ? link->mtu : 0), "to",
                         json_mtu(status->wanted), "up", spec->set_up, "reason", json_text(spec->reason));
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
                       const struct mtu_requests *requests) {
        json_t *units = json_array(), *order = json_array(), *rules = json_array(), *paths = json_array(),
               *list = json_array();
        size_t n_links = snapshot->plan.n_units + (plan_has_files(&snapshot->plan) ? 1 : 0), n_rules = 0,
               n_orders = 0, n_paths = files->n_items;
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
        for (size_t i = 0; i < requests->n_items; i++)
                json_array_append_new(list, request_json(&requests->items[i]));

        /* A piece that memory did not allow is missing in its array. */
        is_whole = json_array_size(units) == n_links && json_array_size(order) == n_orders &&
                   json_array_size(rules) == n_rules && json_array_size(paths) == n_paths &&
                   json_array_size(list) == requests->n_items;
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
                       const struct mtu_requests *requests) {
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

        if (requests->n_items > 0)
                puts("\nWhat setmtu apply does, in this order:");
        return requests_print(requests) && is_whole;
}

static int run(const struct command_line *line) {
        CLEANUP(snapshot_cleanup) struct snapshot snapshot = { 0 };
        CLEANUP(network_outputs_free) struct network_outputs files = { 0 };
        struct mistakes mistakes = { 0 };
        const struct diagnostic_sink sink = mistakes_sink(&mistakes);
        struct mtu_requests requests;
        bool is_printed;

        if (!snapshot_take(&sink, &snapshot))
                return EXIT_CODE_FAILURE;
        if (network_outputs_make(&snapshot.plan, &snapshot.links, &sink, &files) < 0 ||
            mtu_requests_make(&snapshot.statuses, &snapshot.links, &requests) < 0) {
                log_out_of_memory();
                return EXIT_CODE_FAILURE;
        }
        is_printed = line->options[OPTION_JSON] ? print_json(&snapshot, &files, &requests)
                                                : print_text(&snapshot, &files, &requests);
        mtu_requests_free(&requests);
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
