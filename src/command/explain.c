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

/* Whether there is more to say than that the device has what its driver gave it. */
static bool is_interesting(const struct facts *facts, const struct device_status *status) {
        const struct history_event *last;

        if (status->line || trial_text((char[TRIAL_TEXT_SIZE]){ 0 }, status->link))
                return true;
        last = history_find_last(&facts->history, status->link->ifindex);
        return (last && last->kind == HISTORY_CHANGE) ||
               mentions_find(&facts->rivals.mentions, status->link->name, 0, false);
}

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
                snprintf(wants, sizeof(wants), "; %s wants %s", CONFIG_LINE_PLACE(status->line),
                         status->line->spec.is_auto ? "what fits" : "the largest");
        paragraph_print(0, 2, "%s: %s%s", device_status_name(status), has, wants);
        if (link && trial_text(trial, link))
                printf("  State: %s\n", trial);
}

/* This and what follows, where there is an array, adds to that instead of printing. False if that failed. */
static bool show_history(const struct facts *facts, const struct link *link, json_t **array) {
        const struct history *history = &facts->history;
        struct table table = { .n_columns = 3, .indent = 4 };
        const struct history_event *last;
        char time[32];

        if (!link || facts->unrecorded)
                return true;
        for (size_t i = 0; i < history->n_events; i++)
                if (history->events[i].ifindex == link->ifindex)
                        history_add(facts, &history->events[i], true, &table, array);
        if (array)
                return true;
        printf("  Changes since %s:%s\n", history_local_time(time, history->since_ns),
               table.n_cells > 0 ? "" : " none");
        if (!table_print(&table))
                return false;
        last = history_find_last(history, link->ifindex);
        if (last && last->after != link->mtu)
                paragraph_print(4, 6,
                                "The MTU is %u now: it was changed inside the kernel, or by the driver.",
                                link->mtu);
        return true;
}

/* `name` is NULL for the mentions of which the device is not known; `mtu`: that of the device. */
static bool show_mentions(const struct facts *facts, const char *name, uint32_t mtu, json_t **array) {
        const struct mentions *mentions = &facts->rivals.mentions;
        struct table table = { .n_columns = 4, .is_number = { [1] = true }, .indent = 2 };

        for (size_t i = 0; i < mentions->n_items; i++) {
                const struct mention *mention = &mentions->items[i];
                bool is_todays = mention->mtu > 0 && mention->mtu == mtu;

                if (name ? !mention_is_of(mention, name) : mention->device != NULL)
                        continue;
                if (array) {
                        *array = json_append(*array, mention_json(mention, &facts->snapshot.links));
                        continue;
                }
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

/* `title` is the name for people; `file` or `profile`, or both, may be NULL, and the MTU 0. */
static void show_manager(const char *name, const char *title, const char *file, const char *profile,
                         uint32_t mtu, json_t **array) {
        char with[40] = "";

        if (array) {
                JSON_ADD(*array, {
                                                 { "name", json_text(name) },
                                                 { "file", json_text(file) },
                                                 { "profile", json_text(profile) },
                                                 { "mtu", json_count(mtu) },
                                 });
                return;
        }
        if (mtu > 0)
                snprintf(with, sizeof(with), " with the MTU %u", mtu);
        if (profile)
                paragraph_print(2, 4, "Manager: %s, by its profile \"%s\"%s", title, profile, with);
        else
                paragraph_print(2, 4, "Manager: %s%s%s%s", title, file ? ", by " : "", file ? file : "",
                                with);
}

static void show_managers(struct facts *facts, const struct link *link, json_t **array) {
        struct manager_facts known;
        const struct networkmanager_device *device = &known.networkmanager;

        managers_ask(&facts->rivals.managers, link, &known);
        if (device->is_managed)
                show_manager("networkmanager", "NetworkManager", NULL,
                             device->profile[0] ? device->profile : NULL, device->mtu, array);
        if (known.network_file[0])
                show_manager("networkd", "systemd-networkd", known.network_file, NULL, 0, array);
        if (known.link_file[0])
                show_manager("udev", "systemd-udevd", known.link_file, NULL, 0, array);
}

static bool print_device(struct facts *facts, const struct device_status *status) {
        const struct link *link = status->link;

        print_head(status);
        show_managers(facts, link, NULL);
        return show_history(facts, link, NULL) &&
               show_mentions(facts, device_status_name(status), link ? link->mtu : 0, NULL);
}

static json_t *device_json(struct facts *facts, const struct device_status *status) {
        const struct link *link = status->link;
        json_t *managers = json_array(), *events = json_array(), *mentions = json_array();

        show_managers(facts, link, &managers);
        (void)show_history(facts, link, &events);
        (void)show_mentions(facts, device_status_name(status), 0, &mentions);
        return JSON_OBJECT({
                        { "name", json_text(device_status_name(status)) },
                        { "mtu", link ? json_integer(link->mtu) : json_null() },
                        { "min", link ? json_integer(link->mtu_min) : json_null() },
                        { "max", json_count(link ? link->mtu_max : 0) },
                        { "wanted", json_count(status->wanted) },
                        { "source", json_source(status->line && status->line->file ? status->line : NULL) },
                        { "managers", managers },
                        { "history", events },
                        { "mentions", mentions },
        });
}

/* Finds a device of the command line, which may be absent: if it has neither a line nor a link, `absent`
 * takes its name. False if nothing names it. */
static bool find_device(const struct facts *facts, const char *word, struct config_line *absent,
                        struct device_status *ret) {
        const struct snapshot *snapshot = &facts->snapshot;
        const struct link *link = link_table_by_name(&snapshot->links, word);
        const struct config_line *line =
                        device_statuses_line(&snapshot->statuses, &snapshot->plan.config, link, word);

        /* Instead of a pattern's. */
        if (line)
                *absent = *line;
        snprintf(absent->name, sizeof(absent->name), "%s", word);
        *ret = device_status_of(link, link ? line : absent);
        return link || line || mentions_find(&facts->rivals.mentions, word, 0, false);
}

/* The devices of the command line, or all of which there is something to say. */
static bool show_devices(struct facts *facts, const struct command_line *line, json_t **devices) {
        const struct device_statuses *statuses = &facts->snapshot.statuses;
        size_t n_words = (size_t)line->n_words, n_shown = 0;

        for (size_t i = 0; i < (n_words > 0 ? n_words : statuses->n_items); i++) {
                struct config_line absent = { .file = NULL };
                struct device_status status;

                if (n_words > 0)
                        (void)find_device(facts, line->words[i], &absent, &status);
                else if (is_interesting(facts, &statuses->items[i]))
                        status = statuses->items[i];
                else
                        continue;
                if (n_shown++ > 0 && !devices)
                        putchar('\n');
                if (devices)
                        *devices = json_append(*devices, device_json(facts, &status));
                else if (!print_device(facts, &status))
                        return false;
        }
        if (n_shown == 0 && !devices)
                puts("No device here has a line, a mention or a recorded change.");
        return true;
}

static int run_explain(const struct command_line *line) {
        CLEANUP(facts_cleanup) struct facts facts = { 0 };
        const struct mentions *mentions = &facts.rivals.mentions;
        json_t *devices, *others;
        struct device_status status;
        bool is_printed;

        if (!facts_open(NULL, &facts))
                return EXIT_CODE_FAILURE;
        (void)rivals_mentions(&facts.rivals);
        if (facts.rivals.pool.failed)
                return log_fail(EXIT_CODE_FAILURE, LOG_OUT_OF_MEMORY);
        for (int i = 0; i < line->n_words; i++)
                if (!find_device(&facts, line->words[i], &(struct config_line){ .file = NULL }, &status))
                        return prepare_no_device(line->words[i], ", and nothing names it",
                                                 link_table_alike(&facts.snapshot.links, line->words[i]));
        if (line->options[OPTION_JSON]) {
                devices = json_array();
                others = json_array();
                (void)show_devices(&facts, line, &devices);
                (void)show_mentions(&facts, NULL, 0, &others);
                is_printed = json_print(JSON_OBJECT({
                                { "since", facts.unrecorded ? json_null()
                                                            : history_time_json(facts.history.since_ns) },
                                { "unrecorded", json_text(facts.unrecorded) },
                                { "devices", devices },
                                { "mentions", others },
                                { "unread", json_list(&mentions->unread) },
                                { "left", json_list(&mentions->left) },
                }));
        } else {
                is_printed = show_devices(&facts, line, NULL) && show_mentions(&facts, NULL, 0, NULL);
                (void)fflush(stdout);
                if (facts.unrecorded)
                        log_info("%s", facts.unrecorded);
                mentions_warn_unread(mentions);
        }
        return is_printed && !facts.snapshot.plan.config.is_partial ? EXIT_CODE_DONE : EXIT_CODE_FAILURE;
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
