/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* setmtu explain: what is known of a device's MTU: what it has, which manager has the device, who changed
 * the MTU, and which files name one. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/exit_code.h"
#include "base/log.h"
#include "base/text.h"
#include "change/snapshot.h"
#include "command/command.h"
#include "command/facts_output.h"
#include "explain/managers.h"
#include "explain/note.h"
#include "kernel/ethtool.h"

enum { OPTION_JSON };

struct explain {
        struct snapshot snapshot;
        struct history history;
        int history_error; /* of history_read() */
        struct mentions mentions;
        struct managers managers;
        int ethtool;
        struct device_status *items; /* the devices to show */
        size_t n_items;
        struct config_line *absent; /* the names of those that have neither a line nor a link */
        bool has_probing_note;      /* that note has been printed */
};

static void explain_cleanup(struct explain *explain) {
        snapshot_cleanup(&explain->snapshot);
        history_free(&explain->history);
        mentions_free(&explain->mentions);
        managers_cleanup(&explain->managers);
        cleanup_close(&explain->ethtool);
        free(explain->items);
        free(explain->absent);
}

static bool has_event(const struct history_event *event, const struct link *link) {
        return link && event->ifindex == link->ifindex;
}

/* Whether there is more to say than that the device has what its driver gave it. */
static bool is_interesting(const struct explain *explain, const struct device_status *status) {
        const char *name;

        if (status->line)
                return true;
        name = status->link->name; /* one or both are there */
        if (strcmp(name, "lo") == 0)
                return false;
        for (size_t i = 0; i < explain->mentions.n_items; i++)
                if (mention_is_of(&explain->mentions.items[i], name))
                        return true;
        for (size_t i = 0; i < explain->history.n_events; i++)
                if (has_event(&explain->history.events[i], status->link) &&
                    explain->history.events[i].kind == HISTORY_CHANGE)
                        return true;
        return false;
}

/* Text ------------------------------------------------------------------------------------------------- */

static void print_head(const struct device_status *status) {
        const struct link *link = status->link;
        char has[96] = "absent", wants[CONFIG_LINE_PLACE_SIZE + 64] = "";

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
        paragraph_print(0, 2, "%s: %s%s", TEXT_SHOW(device_status_name(status)), has, wants);
}

static bool print_history(const struct explain *explain, const struct device_status *status) {
        struct table table = { .n_columns = 3, .is_text = { [2] = true }, .indent = 4 };
        const struct history_event *last;
        char time[32], change[HISTORY_CHANGE_SIZE], who[HISTORY_WHO_SIZE];
        bool is_any = false;

        if (!status->link || explain->history_error < 0)
                return true;
        for (size_t i = 0; i < explain->history.n_events; i++) {
                const struct history_event *event = &explain->history.events[i];

                if (!has_event(event, status->link))
                        continue;
                is_any = true;
                table_add(&table, TABLE_PLAIN, "%s", history_local_time(time, event->begin_ns));
                table_add(&table, event->error < 0 ? TABLE_RED : TABLE_PLAIN, "%s",
                          history_change_text(change, event));
                table_add(&table, TABLE_PLAIN, "%s", history_who_text(who, &explain->history, event));
        }
        printf("  Changes since %s:%s\n", history_local_time(time, explain->history.since_ns),
               is_any ? "" : " none");
        if (!table_print(&table))
                return false;
        last = history_find_last(&explain->history, status->link->ifindex);
        if (last && last->after != status->link->mtu)
                paragraph_print(4, 6,
                                "The MTU is %u now: it was changed inside the kernel, or by the driver.",
                                status->link->mtu);
        return true;
}

/* `name` is NULL for the mentions of which the device is not known. */
static bool print_mentions(const struct explain *explain, const char *name, uint32_t mtu) {
        struct table table = {
                .n_columns = 4, .is_number = { [1] = true }, .is_text = { [3] = true }, .indent = 2
        };
        bool is_any = false;

        for (size_t i = 0; i < explain->mentions.n_items; i++) {
                const struct mention *mention = &explain->mentions.items[i];
                bool is_todays = mention->mtu > 0 && mention->mtu == mtu;

                if (name ? !mention_is_of(mention, name) : mention->device != NULL)
                        continue;
                if (!is_any)
                        puts(name ? "  Mentions (= is the MTU of today):" : "Mentions without a device:");
                is_any = true;
                table_add(&table, TABLE_PLAIN, "%s%s:%u", is_todays ? "= " : "  ", mention->file,
                          mention->line);
                if (mention->mtu > 0)
                        table_add(&table, TABLE_PLAIN, "%u", mention->mtu);
                else
                        table_add(&table, TABLE_FAINT, "?");
                table_add(&table, TABLE_PLAIN, "%s%s", mention->place->program,
                          mention->is_active ? "" : " (not enabled)");
                table_add(&table, TABLE_PLAIN, "%s", mention->text);
        }
        return table_print(&table);
}

static bool print_text(struct explain *explain, const struct device_status *status) {
        struct manager_facts facts = { .has_networkmanager = false };
        char managers[MANAGERS_TEXT_SIZE];
        struct note notes[NOTES_MAX];
        size_t n_notes = note_make(status, &explain->snapshot.statuses, explain->ethtool, notes);

        print_head(status);
        if (status->link)
                managers_ask(&explain->managers, status->link, &facts);
        if (*managers_text(managers, &facts))
                paragraph_print(2, 4, "Manager: %s", managers);
        if (facts.link_file[0])
                paragraph_print(2, 4, "Link file of udev: %s", facts.link_file);
        if (!print_history(explain, status) ||
            !print_mentions(explain, device_status_name(status), status->link ? status->link->mtu : 0))
                return false;
        for (size_t i = 0; i < n_notes; i++) {
                bool is_probing = strcmp(notes[i].name, "tcp-mtu-probing") == 0;

                if (!is_probing || !explain->has_probing_note)
                        paragraph_print(2, 8, "Note: %s", notes[i].text);
                explain->has_probing_note |= is_probing;
        }
        return true;
}

/* JSON ------------------------------------------------------------------------------------------------- */

static json_t *manager_json(const char *name, const char *file, const char *profile, uint32_t mtu) {
        json_t *object = json_object();

        object = json_set(object, "name", json_text(name));
        object = json_set(object, "file", json_text(file));
        object = json_set(object, "profile", json_text(profile));
        return json_set(object, "mtu", json_count(mtu));
}

static json_t *managers_json(struct explain *explain, const struct link *link) {
        json_t *array = json_array();
        struct manager_facts facts;

        if (!link)
                return array;
        managers_ask(&explain->managers, link, &facts);
        if (facts.has_networkmanager)
                array = json_append(array, manager_json("networkmanager", NULL,
                                                        facts.networkmanager.is_active
                                                                        ? facts.networkmanager.profile
                                                                        : NULL,
                                                        facts.networkmanager.mtu));
        if (facts.network_file[0])
                array = json_append(array, manager_json("networkd", facts.network_file, NULL, 0));
        if (facts.has_ifupdown)
                array = json_append(array, manager_json("ifupdown", NULL, NULL, 0));
        if (facts.has_ifupdown2)
                array = json_append(array, manager_json("ifupdown2", NULL, NULL, 0));
        if (facts.has_netctl)
                array = json_append(array, manager_json("netctl", NULL, NULL, 0));
        if (facts.link_file[0])
                array = json_append(array, manager_json("udev", facts.link_file, NULL, 0));
        return array;
}

static json_t *mentions_json(const struct explain *explain, const char *name) {
        json_t *array = json_array();

        for (size_t i = 0; i < explain->mentions.n_items; i++) {
                const struct mention *mention = &explain->mentions.items[i];

                if (name ? mention_is_of(mention, name) : mention->device == NULL)
                        array = json_append(array, mention_json(mention, &explain->snapshot.links));
        }
        return array;
}

static json_t *device_json(struct explain *explain, const struct device_status *status) {
        const struct link *link = status->link;
        json_t *object = json_object(), *events = json_array(), *array = json_array();
        struct note notes[NOTES_MAX];
        size_t n_notes = note_make(status, &explain->snapshot.statuses, explain->ethtool, notes);

        for (size_t i = 0; i < explain->history.n_events; i++)
                if (has_event(&explain->history.events[i], link))
                        events = json_append(events,
                                             history_event_json(&explain->history, &explain->snapshot.links,
                                                                &explain->history.events[i]));
        for (size_t i = 0; i < n_notes; i++) {
                json_t *note = json_set(json_object(), "name", json_text(notes[i].name));

                array = json_append(array, json_set(note, "text", json_text(notes[i].text)));
        }
        object = json_set(object, "name", json_text(device_status_name(status)));
        object = json_set(object, "mtu", link ? json_integer(link->mtu) : json_null());
        object = json_set(object, "min", link ? json_integer(link->mtu_min) : json_null());
        object = json_set(object, "max", json_count(link ? link->mtu_max : 0));
        object = json_set(object, "wanted", json_count(status->wanted));
        object = json_set(object, "source",
                          json_source(status->line && status->line->file ? status->line : NULL));
        object = json_set(object, "managers", managers_json(explain, link));
        object = json_set(object, "history", events);
        object = json_set(object, "mentions", mentions_json(explain, device_status_name(status)));
        return json_set(object, "notes", array);
}

static bool print_json(struct explain *explain) {
        json_t *devices = json_array();
        const struct mentions *mentions = &explain->mentions;
        bool has_history = explain->history_error == 0;
        json_t *document = json_object();

        for (size_t i = 0; i < explain->n_items; i++)
                devices = json_append(devices, device_json(explain, &explain->items[i]));
        document = json_set(document, "since",
                            has_history ? history_time_json(explain->history.since_ns) : json_null());
        document = json_set(
                        document, "unrecorded",
                        json_text(has_history ? NULL : history_fault(explain->history_error, &(int){ 0 })));
        document = json_set(document, "devices", devices);
        document = json_set(document, "mentions", mentions_json(explain, NULL));
        document = json_set(document, "unread",
                            json_texts(mentions->unread.items, mentions->unread.n_items));
        return json_print(json_set(document, "left",
                                   json_texts(mentions->left.items, mentions->left.n_items)));
}

/* ------------------------------------------------------------------------------------------------------ */

static bool is_mentioned(const struct mentions *mentions, const char *name) {
        for (size_t i = 0; i < mentions->n_items; i++)
                if (!mentions->items[i].is_pattern && mention_is_of(&mentions->items[i], name))
                        return true;
        return false;
}

static bool is_listed(const struct explain *explain, const struct device_status *status) {
        for (size_t i = 0; i < explain->n_items; i++)
                if (strcmp(device_status_name(&explain->items[i]), device_status_name(status)) == 0)
                        return true;
        return false;
}

/* Lists a device of the command line, which may be absent. `absent` has room for its name. Returns an exit
 * code. */
static int list_word(struct explain *explain, const char *word, struct config_line *absent) {
        struct snapshot *snapshot = &explain->snapshot;
        const struct link *link = link_table_by_name(&snapshot->links, word);
        const struct config_line *line = snapshot_line(snapshot, link, word);
        struct device_status status = { .line = absent, .state = DEVICE_STATE_ABSENT };

        if (!link && !line && !is_mentioned(&explain->mentions, word))
                return log_fail(EXIT_CODE_ABSENT,
                                "%s: there is no such network device, and nothing names it%s",
                                TEXT_SHOW(word), TEXT_HINT(link_table_alike(&snapshot->links, word)));
        snprintf(absent->name, sizeof(absent->name), "%s", word);
        if (link || line)
                status = device_status_of(link, line);
        if (!is_listed(explain, &status))
                explain->items[explain->n_items++] = status;
        return EXIT_CODE_DONE;
}

/* Lists those of the command line, or all of which there is something to say. Returns an exit code. */
static int list_devices(struct explain *explain, const struct command_line *line) {
        const struct device_statuses *statuses = &explain->snapshot.statuses;
        size_t n_words = (size_t)line->n_words;
        int exit_code = EXIT_CODE_DONE;

        explain->items = calloc(n_words + statuses->n_items + 1, sizeof(*explain->items));
        explain->absent = calloc(n_words + 1, sizeof(*explain->absent));
        if (!explain->items || !explain->absent)
                return log_fail(EXIT_CODE_FAILURE, LOG_OUT_OF_MEMORY);
        for (size_t i = 0; i < n_words && exit_code == EXIT_CODE_DONE; i++)
                exit_code = list_word(explain, line->words[i], &explain->absent[i]);
        for (size_t i = 0; n_words == 0 && i < statuses->n_items; i++)
                if (is_interesting(explain, &statuses->items[i]))
                        explain->items[explain->n_items++] = statuses->items[i];
        return exit_code;
}

static bool print_all(struct explain *explain) {
        for (size_t i = 0; i < explain->n_items; i++) {
                if (i > 0)
                        putchar('\n');
                if (!print_text(explain, &explain->items[i]))
                        return false;
        }
        if (explain->n_items == 0)
                puts("No line and no file names an MTU here.");
        if (!print_mentions(explain, NULL, 0))
                return false;
        (void)fflush(stdout);
        if (explain->history_error < 0)
                log_info("%s", history_fault(explain->history_error, &(int){ 0 }));
        mentions_warn_unread(&explain->mentions);
        return true;
}

static int run(const struct command_line *line) {
        CLEANUP(explain_cleanup) struct explain explain = { .ethtool = -1 };
        int exit_code;

        if (!snapshot_take(&explain.snapshot))
                return EXIT_CODE_FAILURE;
        explain.history_error = history_read(&explain.history);
        explain.ethtool = ethtool_open();
        if (mentions_scan(&explain.mentions) < 0)
                return log_fail(EXIT_CODE_FAILURE, LOG_OUT_OF_MEMORY);
        exit_code = list_devices(&explain, line);
        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        if (!(line->options[OPTION_JSON] ? print_json(&explain) : print_all(&explain)))
                return EXIT_CODE_FAILURE;
        return explain.snapshot.plan.config.is_partial ? EXIT_CODE_FAILURE : EXIT_CODE_DONE;
}

const struct command command_explain = {
        .name = "explain",
        .arguments = "[IFACE...]",
        .summary = "show who manages an MTU, and which files name it",
        .text = "Shows for each device its MTU and range, the configured MTU, the network "
                "manager, the recorded changes, and the lines in the files of other programs that "
                "name an MTU for it. setmtu does not compute which of them takes effect: the "
                "history shows who set what. Changes nothing and needs no root, but root may read "
                "more.",
        .examples = { "$ setmtu explain", "# setmtu explain eth0" },
        .options = { [OPTION_JSON] = { "json", NULL,
                                       "print a JSON object; its keys are in setmtu-json(5)" } },
        .words_max = -1,
        .run = run,
};
