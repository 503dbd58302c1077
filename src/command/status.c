/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* setmtu status: the MTU of each device beside the wanted one. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "backends/unit_links.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/exit_code.h"
#include "base/log.h"
#include "change/snapshot.h"
#include "change/trial.h"
#include "command/check.h"
#include "command/command.h"
#include "command/prepare.h"
#include "kernel/ethtool.h"
#include "output/json.h"
#include "output/openmetrics.h"
#include "output/table.h"
#include "plan/fit.h"
#include "plan/stack.h"
#include "state/unit_state.h"
#include "store/device_record.h"

enum { OPTION_JSON, OPTION_CHECK, OPTION_FORMAT };

struct status_view {
        struct snapshot snapshot;
        struct device_status *items; /* the named devices, or all */
        size_t n_items;
};

static void view_cleanup(struct status_view *view) {
        free(view->items);
        snapshot_cleanup(&view->snapshot);
}

/* What there is to show of a device. */
struct row {
        const struct device_status *status;
        struct device_record record; /* all zeros: there is none, or see `record_error` */
        int record_error;            /* of reading it; or 0 */
        const char *keep;            /* what setmtu-keep.service does for it; NULL: it is not kept */
        const char *driver;          /* or NULL */
        char driver_name[ETHTOOL_DRIVER_SIZE];
};

static const char *keep_of(const struct row *row) {
        const struct device_record *record = &row->record;
        int is_masked = unit_is_device_masked(row->status->line->name), runs = unit_is_active(KEEP_UNIT);

        if (is_masked > 0 || (row->record_error == 0 && record->kept.mtu == 0) || record->trial.id > 0)
                return "left-alone";
        if (is_masked < 0 || runs < 0 || row->record_error < 0)
                return "unknown";
        if (record->tally.refused == record->kept.mtu)
                return "refused";
        return runs ? "kept" : "not-running";
}

static json_t *keep_json(const struct row *row) {
        const struct keep_tally *tally = &row->record.tally;
        time_t last = (time_t)tally->last_s;
        char text[32];
        struct tm time;

        if (!row->keep)
                return json_null();
        strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&last, &time));
        return JSON_OBJECT({
                        { "state", json_text(row->keep) },
                        { "put_back", row->record_error < 0 ? json_null() : json_integer(tally->count) },
                        { "last", json_text(last > 0 ? text : NULL) },
        });
}

/* What setmtu try has left to be confirmed. */
static json_t *trial_json(const struct row *row) {
        const struct trial_record *trial = &row->record.trial;
        double left = trial->deadline_s - clock_boottime_s();

        if (row->record_error == 0 && trial->id == 0)
                return json_null();
        return JSON_OBJECT({
                        { "number", json_count(trial->id) },
                        { "mtu", json_count(trial->tried) },
                        { "before", json_count(trial->before) },
                        { "seconds_left", row->record_error < 0
                                                          ? json_null()
                                                          : json_integer(left > 0 ? (json_int_t)left : 0) },
        });
}

static void row_make(const struct status_view *view, const struct device_status *status, struct row *ret) {
        const struct device_plan *device =
                        status->line ? plan_find(&view->snapshot.plan, status->line->name) : NULL;
        const struct link *link = status->link;
        int r;

        *ret = (struct row){ .status = status };
        /* The kind of a virtual device says more than the driver's name. */
        if (link && link->kind[0])
                ret->driver = link->kind;
        else if (link && ethtool_driver(link->name, ret->driver_name) == 0)
                ret->driver = ret->driver_name;
        r = link ? device_record_read(link, &ret->record) : 0;
        if (r < 0 && r != -ENOENT) {
                log_warning("%s: its record in " DEVICE_RECORD_DIRECTORY " cannot be read: %s", link->name,
                            strerror(-r));
                ret->record_error = r;
        }
        if (device && device->is_kept)
                ret->keep = keep_of(ret);
}

/* What a line wants that is not known as a number. */
static const char *wanted_word(const struct config_line *line) {
        return !line ? "-" : line->spec.is_auto ? "auto" : "max";
}

/* Where the number of a line that says auto comes from, or why there is none. NULL: it says something else,
 * or the device is absent. */
static const char *auto_text(char buffer[static FIT_TEXT_SIZE], const struct device_status *status) {
        const struct fit *fit = status->link ? &status->link->fit : NULL;

        if (!fit || !status->line || !status->line->spec.is_auto ||
            (fit->mtu == 0 && fit->fault == FIT_FITS))
                return NULL;
        return fit->fault != FIT_FITS ? device_fit_fault(fit->fault) : fit_text(buffer, fit);
}

static json_t *row_json(const struct row *row) {
        const struct device_status *status = row->status;
        const struct link *link = status->link;

        return JSON_OBJECT({
                        { "name", json_text(device_status_name(status)) },
                        { "mtu", link ? json_integer(link->mtu) : json_null() },
                        { "wanted", status->line && status->wanted == 0
                                                    ? json_text(wanted_word(status->line))
                                                    : json_count(status->wanted) },
                        { "auto", json_text(auto_text((char[FIT_TEXT_SIZE]){ 0 }, status)) },
                        { "source", json_source(status->line) },
                        { "min", link ? json_integer(link->mtu_min) : json_null() },
                        { "max", json_count(link ? link->mtu_max : 0) },
                        { "state", json_text(device_state_name(status->state)) },
                        { "driver", json_text(row->driver) },
                        { "keep", keep_json(row) },
                        { "trial", trial_json(row) },
        });
}

/* A port without a line has its bond's MTU, or differs from the line of that. */
static void judge_port(const struct snapshot *snapshot, struct device_status *status) {
        const struct link *setter = status->link ? stack_setter(&snapshot->links, status->link) : NULL;
        const struct config_line *line =
                        setter ? device_statuses_line(&snapshot->statuses, &snapshot->plan.config, setter,
                                                      setter->name)
                               : NULL;

        if (status->line || !line || setter->mtu == status->link->mtu)
                return;
        status->line = line;
        status->wanted = setter->mtu;
        status->state = DEVICE_STATE_DRIFT;
}

/* Fills in the devices. Returns an exit code. */
static int list_devices(struct status_view *view, const struct command_line *line) {
        const struct device_statuses *statuses = &view->snapshot.statuses;
        size_t n = line->n_words > 0 ? (size_t)line->n_words : statuses->n_items;

        view->items = calloc(n + 1, sizeof(*view->items));
        if (!view->items)
                return log_fail(EXIT_CODE_FAILURE, LOG_OUT_OF_MEMORY);
        for (size_t i = 0; i < n; i++) {
                const struct device_status *status =
                                line->n_words > 0 ? prepare_find(&view->snapshot, line->words[i])
                                                  : &statuses->items[i];

                if (!status)
                        return EXIT_CODE_ABSENT;
                view->items[view->n_items] = *status;
                judge_port(&view->snapshot, &view->items[view->n_items++]);
        }
        return EXIT_CODE_DONE;
}

static void print_metrics(const struct status_view *view) {
        static const char mtu[] = "setmtu_device_mtu_bytes", wanted[] = "setmtu_device_wanted_mtu_bytes",
                          in_state[] = "setmtu_device_state", errors[] = "setmtu_configuration_errors";

        openmetrics_begin(mtu, "MTU of a network device.");
        for (size_t i = 0; i < view->n_items; i++)
                if (view->items[i].link)
                        openmetrics_add(mtu, view->items[i].link->mtu, "device",
                                        device_status_name(&view->items[i]), NULL);
        openmetrics_begin(wanted, "MTU that the configuration gives a network device.");
        for (size_t i = 0; i < view->n_items; i++)
                if (view->items[i].wanted > 0)
                        openmetrics_add(wanted, view->items[i].wanted, "device",
                                        device_status_name(&view->items[i]), NULL);
        openmetrics_begin(in_state, "1 for the state that a network device is in, as setmtu status has it.");
        for (size_t i = 0; i < view->n_items; i++)
                for (enum device_state state = 0; state < DEVICE_STATE_COUNT; state++)
                        openmetrics_add(in_state, view->items[i].state == state, "device",
                                        device_status_name(&view->items[i]), "state",
                                        device_state_name(state), NULL);
        openmetrics_begin(errors, "Errors in the configuration.");
        openmetrics_add(errors, view->snapshot.mistakes.n_errors, NULL);
        openmetrics_end();
}

static const enum table_colour colours[] = {
        [DEVICE_STATE_OK] = TABLE_GREEN,       [DEVICE_STATE_DRIFT] = TABLE_YELLOW,
        [DEVICE_STATE_IMPOSSIBLE] = TABLE_RED, [DEVICE_STATE_ABSENT] = TABLE_FAINT,
        [DEVICE_STATE_UNSET] = TABLE_FAINT,    [DEVICE_STATE_UNKNOWN] = TABLE_YELLOW,
        [DEVICE_STATE_WAITING] = TABLE_YELLOW,
};

static void add_range(struct table *table, const struct link *link) {
        if (!link)
                table_add(table, TABLE_FAINT, "-");
        else if (link->mtu_max > 0)
                table_add(table, TABLE_PLAIN, "%u-%u", link->mtu_min, link->mtu_max);
        else
                table_add(table, TABLE_PLAIN, "%u-", link->mtu_min);
}

static void add_keep(struct table *table, const struct row *row) {
        enum table_colour colour = row->keep && strcmp(row->keep, "kept") == 0 ? TABLE_PLAIN : TABLE_YELLOW;
        uint32_t count = row->record.tally.count;
        time_t last = (time_t)row->record.tally.last_s;
        char text[32];
        struct tm time;

        strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", localtime_r(&last, &time));
        if (!row->keep)
                table_add_text(table, NULL, "-");
        else if (count == 0)
                table_add(table, colour, "%s", row->keep);
        else
                table_add(table, colour, "%s: put back %u time%s, last %s", row->keep, count,
                          count == 1 ? "" : "s", text);
}

static void add_row(struct table *table, const struct status_view *view, const struct row *row) {
        const struct device_status *status = row->status;
        const struct link *link = status->link;
        char trial[TRIAL_TEXT_SIZE];

        table_add(table, TABLE_PLAIN, "%s", device_status_name(status));
        table_add_number(table, link ? link->mtu : 0, "-");
        if (status->line && status->line->spec.is_auto && status->wanted > 0)
                table_add(table, TABLE_PLAIN, "auto %u", status->wanted);
        else
                table_add_number(table, status->wanted, wanted_word(status->line));
        add_range(table, link);
        if (link && row->record.trial.id > 0 && trial_text(trial, link))
                table_add(table, TABLE_YELLOW, "%s", trial);
        else
                table_add(table, colours[status->state], "%s", device_state_name(status->state));
        table_add_text(table, row->driver, "-");
        table_add_text(table, status->line ? CONFIG_LINE_PLACE(status->line) : NULL, "-");
        if (view->snapshot.plan.has_kept)
                add_keep(table, row);
}

static bool print_rows(const struct status_view *view, bool is_json) {
        static const char *const titles[] = { "NAME",  "MTU",    "WANTED", "RANGE",
                                              "STATE", "DRIVER", "SOURCE", "KEEP" };
        struct table table = { .n_columns = view->snapshot.plan.has_kept ? 8 : 7,
                               .is_number = { [1] = true, [2] = true } };
        json_t *array = is_json ? json_array() : NULL;
        struct row row;

        for (size_t i = 0; i < table.n_columns && !is_json; i++)
                table_add(&table, TABLE_PLAIN, "%s", titles[i]);
        for (size_t i = 0; i < view->n_items; i++) {
                row_make(view, &view->items[i], &row);
                if (is_json)
                        array = json_append(array, row_json(&row));
                else
                        add_row(&table, view, &row);
        }
        return is_json ? json_print(array) : table_print(&table);
}

static int exit_code_of_check(const struct status_view *view) {
        if (view->snapshot.mistakes.n_errors > 0)
                return EXIT_CODE_CONFIGURATION;
        for (size_t i = 0; i < view->n_items; i++)
                if (view->items[i].state == DEVICE_STATE_DRIFT ||
                    view->items[i].state == DEVICE_STATE_IMPOSSIBLE)
                        return EXIT_CODE_DRIFT;
        return EXIT_CODE_DONE;
}

static int run_status(const struct command_line *line) {
        CLEANUP(view_cleanup) struct status_view view = { 0 };
        const struct diagnostic_sink counter = mistakes_counter(&view.snapshot.mistakes);
        const char *format = line->options[OPTION_FORMAT];
        int exit_code;

        if (!prepare_format("status", format, line->options[OPTION_JSON]))
                return EXIT_CODE_USAGE;
        if (!prepare_check(snapshot_take(&counter, &view.snapshot)))
                return EXIT_CODE_FAILURE;
        if (line->options[OPTION_CHECK])
                check_report_names(&view.snapshot, &counter);
        if (line->options[OPTION_CHECK] || format)
                check_report_boot(&view.snapshot, &counter);
        mistakes_report(&view.snapshot.mistakes);
        exit_code = list_devices(&view, line);
        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        if (format)
                print_metrics(&view);
        else if (!print_rows(&view, line->options[OPTION_JSON]))
                return EXIT_CODE_FAILURE;
        if (line->options[OPTION_CHECK])
                return exit_code_of_check(&view);
        return view.snapshot.plan.config.is_partial ? EXIT_CODE_FAILURE : EXIT_CODE_DONE;
}

const struct command command_status = {
        .name = "status",
        .arguments = "[IFACE...]",
        .alias = { "list", "show" },
        .summary = "show the MTU of each device, and the wanted one",
        .text = "Lists every network device, or those given, with its MTU, the configured MTU with file and "
                "line, the range that the device reports, and its state: ok, drift, absent, impossible, "
                "waiting, unset or unknown. Needs no root.",
        .examples = { "$ setmtu", "$ setmtu status eth0" },
        .options = { [OPTION_JSON] = COMMAND_JSON("array"),
                     [OPTION_CHECK] = { "check", NULL, "exit with 4 if an MTU is not the wanted one" },
                     [OPTION_FORMAT] = { "format", "NAME", "openmetrics: print metrics for Prometheus" } },
        .words_max = -1,
        .run = run_status,
};
