/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* setmtu explain: what is known of a device's MTU: what it has, which manager has the device, who changed
 * the MTU, and which files name one. */

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/exit_code.h"
#include "base/log.h"
#include "change/trial.h"
#include "command/command.h"
#include "command/facts_output.h"
#include "command/prepare.h"

enum { OPTION_JSON };

struct explain {
        struct facts *facts;
        const struct mentions *mentions;
};

/* Whether there is more to say than that the device has what its driver gave it. */
static bool is_interesting(const struct explain *explain, const struct device_status *status) {
        const struct history *history = &explain->facts->history;

        if (status->line || trial_text((char[TRIAL_TEXT_SIZE]){ 0 }, status->link))
                return true;
        if (strcmp(status->link->name, "lo") == 0)
                return false;
        if (mentions_find(explain->mentions, status->link->name, 0, false))
                return true;
        for (size_t i = 0; i < history->n_events; i++)
                if (history->events[i].ifindex == status->link->ifindex &&
                    history->events[i].kind == HISTORY_CHANGE)
                        return true;
        return false;
}

/* Text ------------------------------------------------------------------------------------------------- */

static void print_head(const struct device_status *status) {
        const struct link *link = status->link;
        char has[96] = "absent", wants[CONFIG_LINE_PLACE_SIZE + 64] = "", trial[TRIAL_TEXT_SIZE];

        if (link && link->mtu_max > 0)
                snprintf(has, sizeof(has), "MTU %u; the device takes %u to %u", link->mtu, link->mtu_min,
                         link->mtu_max);
        else if (link)
                snprintf(has, sizeof(has), "MTU %u; the device takes %u and more", link->mtu, link->mtu_min);
        if (status->line && status->line->file && status->wanted > 0)
                snprintf(wants, sizeof(wants), "; %s wants %u", CONFIG_LINE_PLACE(status->line),
                         status->wanted);
        else if (status->line && status->line->file)
                snprintf(wants, sizeof(wants), "; %s wants the largest", CONFIG_LINE_PLACE(status->line));
        paragraph_print(0, 2, "%s: %s%s", device_status_name(status), has, wants);
        if (link && trial_text(trial, link))
                printf("  State: %s\n", trial);
}

static bool print_history(const struct explain *explain, const struct link *link) {
        const struct history *history = &explain->facts->history;
        struct table table = { .n_columns = 3, .indent = 4 };
        char time[32];

        if (!link || explain->facts->history_error < 0)
                return true;
        for (size_t i = 0; i < history->n_events; i++)
                if (history->events[i].ifindex == link->ifindex)
                        history_add_row(&table, history, NULL, &history->events[i]);
        printf("  Changes since %s:%s\n", history_local_time(time, history->since_ns),
               table.n_cells > 0 ? "" : " none");
        if (!table_print(&table))
                return false;
        if (history_find_difference(history, link))
                paragraph_print(4, 6,
                                "The MTU is %u now: it was changed inside the kernel, or by the driver.",
                                link->mtu);
        return true;
}

/* `name` is NULL for the mentions of which the device is not known. */
static bool print_mentions(const struct explain *explain, const char *name, uint32_t mtu) {
        struct table table = { .n_columns = 4, .is_number = { [1] = true }, .indent = 2 };

        for (size_t i = 0; i < explain->mentions->n_items; i++) {
                const struct mention *mention = &explain->mentions->items[i];
                bool is_todays = mention->mtu > 0 && mention->mtu == mtu;

                if (name ? !mention_is_of(mention, name) : mention->device != NULL)
                        continue;
                if (table.n_cells == 0)
                        puts(name ? "  Mentions (= is the MTU of today):" : "Mentions without a device:");
                table_add(&table, TABLE_PLAIN, "%s%s:%u", is_todays ? "= " : "  ", mention->file,
                          mention->line);
                table_add_number(&table, mention->mtu, "?");
                table_add(&table, TABLE_PLAIN, "%s%s", mention->place->program,
                          mention->is_active ? "" : " (not enabled)");
                table_add(&table, TABLE_PLAIN, "%s", mention->text);
        }
        return table_print(&table);
}

static void print_manager(const struct manager *manager) {
        char mtu[40] = "";

        if (manager->mtu > 0)
                snprintf(mtu, sizeof(mtu), " with the MTU %u", manager->mtu);
        if (manager->profile)
                paragraph_print(2, 4, "Manager: %s, by its profile \"%s\"%s", manager->title,
                                manager->profile, mtu);
        else
                paragraph_print(2, 4, "Manager: %s%s%s%s", manager->title, manager->file ? ", by " : "",
                                manager->file ? manager->file : "", mtu);
}

static bool print_device(struct explain *explain, const struct device_status *status) {
        struct manager_facts facts;
        struct manager managers[MANAGERS_MAX];
        size_t n_managers;

        print_head(status);
        managers_ask(&explain->facts->rivals.managers, status->link, &facts);
        n_managers = managers_list(&facts, managers);
        for (size_t i = 0; i < n_managers; i++)
                print_manager(&managers[i]);
        return print_history(explain, status->link) &&
               print_mentions(explain, device_status_name(status), status->link ? status->link->mtu : 0);
}

/* JSON ------------------------------------------------------------------------------------------------- */

static json_t *managers_json(struct explain *explain, const struct link *link) {
        struct manager_facts facts;
        struct manager managers[MANAGERS_MAX];
        json_t *array = json_array();
        size_t n;

        managers_ask(&explain->facts->rivals.managers, link, &facts);
        n = managers_list(&facts, managers);
        for (size_t i = 0; i < n; i++)
                JSON_ADD(array, {
                                                { "name", json_text(managers[i].name) },
                                                { "file", json_text(managers[i].file) },
                                                { "profile", json_text(managers[i].profile) },
                                                { "mtu", json_count(managers[i].mtu) },
                                });
        return array;
}

static json_t *mentions_json(const struct explain *explain, const char *name) {
        json_t *array = json_array();

        for (size_t i = 0; i < explain->mentions->n_items; i++) {
                const struct mention *mention = &explain->mentions->items[i];

                if (name ? mention_is_of(mention, name) : mention->device == NULL)
                        array = json_append(array, mention_json(mention, &explain->facts->snapshot.links));
        }
        return array;
}

static json_t *device_json(struct explain *explain, const struct device_status *status) {
        const struct link *link = status->link;
        const struct history *history = &explain->facts->history;
        json_t *events = json_array();

        for (size_t i = 0; link && i < history->n_events; i++)
                if (history->events[i].ifindex == link->ifindex)
                        events = json_append(events,
                                             history_event_json(history, &explain->facts->snapshot.links,
                                                                &history->events[i]));
        return JSON_OBJECT({
                        { "name", json_text(device_status_name(status)) },
                        { "mtu", link ? json_integer(link->mtu) : json_null() },
                        { "min", link ? json_integer(link->mtu_min) : json_null() },
                        { "max", json_count(link ? link->mtu_max : 0) },
                        { "wanted", json_count(status->wanted) },
                        { "source", json_source(status->line && status->line->file ? status->line : NULL) },
                        { "managers", managers_json(explain, link) },
                        { "history", events },
                        { "mentions", mentions_json(explain, device_status_name(status)) },
        });
}

/* ------------------------------------------------------------------------------------------------------ */

/* Finds a device of the command line, which may be absent: if it has neither a line nor a link, `absent`
 * takes its name. False if nothing names it. */
static bool find_device(const struct explain *explain, const char *word, struct config_line *absent,
                        struct device_status *ret) {
        const struct snapshot *snapshot = &explain->facts->snapshot;
        const struct link *link = link_table_by_name(&snapshot->links, word);
        const struct config_line *line = snapshot_line(snapshot, link, word);

        /* Instead of a pattern's. */
        if (line)
                *absent = *line;
        snprintf(absent->name, sizeof(absent->name), "%s", word);
        *ret = link   ? device_status_of(link, line)
               : line ? device_status_of(NULL, absent)
                      : (struct device_status){ .line = absent, .state = DEVICE_STATE_ABSENT };
        return link || line || mentions_find(explain->mentions, word, 0, false);
}

/* Prints the devices of the command line, or all of which there is something to say; with `devices`, adds
 * them to this array instead. */
static bool show_devices(struct explain *explain, const struct command_line *line, json_t **devices) {
        const struct device_statuses *statuses = &explain->facts->snapshot.statuses;
        size_t n_words = (size_t)line->n_words, n_shown = 0;

        for (size_t i = 0; i < (n_words > 0 ? n_words : statuses->n_items); i++) {
                struct config_line absent = { .file = NULL };
                struct device_status status;

                if (n_words > 0)
                        (void)find_device(explain, line->words[i], &absent, &status);
                else if (is_interesting(explain, &statuses->items[i]))
                        status = statuses->items[i];
                else
                        continue;
                if (n_shown++ > 0 && !devices)
                        putchar('\n');
                if (devices)
                        *devices = json_append(*devices, device_json(explain, &status));
                else if (!print_device(explain, &status))
                        return false;
        }
        if (n_shown == 0 && !devices)
                puts("No device here has a line, a mention or a recorded change.");
        return true;
}

static bool print_devices_json(struct explain *explain, const struct command_line *line) {
        const struct mentions *mentions = explain->mentions;
        int error = explain->facts->history_error;
        json_t *devices = json_array();

        (void)show_devices(explain, line, &devices);
        return json_print(JSON_OBJECT({
                        { "since",
                          error < 0 ? json_null() : history_time_json(explain->facts->history.since_ns) },
                        { "unrecorded", json_text(error < 0 ? history_fault(error, &(int){ 0 }) : NULL) },
                        { "devices", devices },
                        { "mentions", mentions_json(explain, NULL) },
                        { "unread", json_list(&mentions->unread) },
                        { "left", json_list(&mentions->left) },
        }));
}

static bool print_devices(struct explain *explain, const struct command_line *line) {
        if (!show_devices(explain, line, NULL) || !print_mentions(explain, NULL, 0))
                return false;
        (void)fflush(stdout);
        if (explain->facts->history_error < 0)
                log_info("%s", history_fault(explain->facts->history_error, &(int){ 0 }));
        mentions_warn_unread(explain->mentions);
        return true;
}

static int run_explain(const struct command_line *line) {
        CLEANUP(facts_cleanup) struct facts facts = { 0 };
        struct explain explain = { .facts = &facts };
        struct device_status status;

        if (!facts_open(NULL, &facts))
                return EXIT_CODE_FAILURE;
        explain.mentions = rivals_mentions(&facts.rivals);
        if (facts.rivals.pool.failed)
                return log_fail(EXIT_CODE_FAILURE, LOG_OUT_OF_MEMORY);
        for (int i = 0; i < line->n_words; i++)
                if (!find_device(&explain, line->words[i], &(struct config_line){ .file = NULL }, &status))
                        return prepare_no_device(line->words[i], ", and nothing names it",
                                                 link_table_alike(&facts.snapshot.links, line->words[i]));
        if (!(line->options[OPTION_JSON] ? print_devices_json : print_devices)(&explain, line))
                return EXIT_CODE_FAILURE;
        return facts.snapshot.plan.config.is_partial ? EXIT_CODE_FAILURE : EXIT_CODE_DONE;
}

const struct command command_explain = {
        .name = "explain",
        .arguments = "[IFACE...]",
        .summary = "show who manages an MTU, and which files name it",
        .text = "Shows for each device its MTU and range, the configured MTU, the network manager, the "
                "recorded changes, and the lines in the files of other programs that name an MTU for it. "
                "setmtu does not compute which of them takes effect: the history shows who set what. "
                "Changes nothing and needs no root, but root may read more.",
        .examples = { "$ setmtu explain", "# setmtu explain eth0" },
        .options = { [OPTION_JSON] = COMMAND_JSON("object") },
        .words_max = -1,
        .run = run_explain,
};
