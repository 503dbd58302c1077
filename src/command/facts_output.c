/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "command/facts_output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/log.h"
#include "base/text.h"
#include "command/prepare.h"

bool facts_open(const struct diagnostic_sink *sink, struct facts *ret) {
        int r;

        if (!(sink ? prepare_check(snapshot_take(sink, &ret->snapshot)) : prepare_snapshot(&ret->snapshot)))
                return false;
        r = history_read(&ret->history);
        if (r < 0)
                ret->unrecorded = history_fault(r, &ret->unrecorded_exit_code);
        return true;
}

void facts_cleanup(struct facts *facts) {
        rivals_cleanup(&facts->rivals);
        history_free(&facts->history);
        snapshot_cleanup(&facts->snapshot);
}

const char *history_local_time(char buffer[static 32], uint64_t boottime_ns) {
        time_t seconds = (time_t)history_time(boottime_ns);
        struct tm time;

        (void)strftime(buffer, 32, "%b %d %H:%M:%S", localtime_r(&seconds, &time));
        return buffer;
}

json_t *history_time_json(uint64_t boottime_ns) {
        double time_s = history_time(boottime_ns);
        time_t seconds = (time_t)time_s;
        char text[64];
        struct tm time;

        (void)strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", gmtime_r(&seconds, &time));
        return json_sprintf("%s.%03dZ", text, (int)((time_s - (double)seconds) * 1000));
}

/* The device's present name; that of the time for one that is gone. */
static const char *history_device(const struct facts *facts, const struct history_event *event) {
        const struct link *link = link_table_by_ifindex(&facts->snapshot.links, event->ifindex);

        return link ? link->name : event->device;
}

static json_t *processes_json(const struct history_event *event) {
        json_t *array = json_array();

        for (size_t i = 0; i < HISTORY_PROCESSES && event->processes[i].pid > 0; i++)
                JSON_ADD(array, {
                                                { "pid", json_integer(event->processes[i].pid) },
                                                { "name", json_text(event->processes[i].name) },
                                });
        return array;
}

static json_t *event_json(const struct facts *facts, const struct history_event *event) {
        const struct history_origin origin = history_find_origin(&facts->history, event);
        char command[HISTORY_COMMAND_SIZE], who[HISTORY_WHO_SIZE];
        bool is_new = event->kind == HISTORY_NEW;

        return JSON_OBJECT({
                        { "time", history_time_json(event->begin_ns) },
                        { "name", json_text(history_device(facts, event)) },
                        { "ifindex", json_integer(event->ifindex) },
                        { "event", json_text(is_new ? "new" : "change") },
                        { "before", json_count(is_new ? 0 : event->before) },
                        { "asked", json_count(is_new ? 0 : event->asked) },
                        { "after", json_count(event->after) },
                        { "error", json_text(event->error < 0 ? strerror(-event->error) : NULL) },
                        { "reason", json_text(event->reason[0] ? event->reason : NULL) },
                        { "rule", json_text(origin.rule) },
                        { "other", json_text(origin.other ? origin.other->device : NULL) },
                        { "command",
                          json_text(origin.actor ? history_command_text(command, origin.actor) : NULL) },
                        { "unit",
                          json_text(origin.actor && origin.actor->unit[0] ? origin.actor->unit : NULL) },
                        { "processes", processes_json(origin.actor ? origin.actor : event) },
                        { "who", json_text(history_who_text(who, &facts->history, event)) },
        });
}

void history_add(const struct facts *facts, const struct history_event *event, bool is_of_one,
                 struct table *table, json_t **array) {
        char time[32], change[HISTORY_CHANGE_SIZE], who[HISTORY_WHO_SIZE];

        if (array) {
                *array = json_append(*array, event_json(facts, event));
                return;
        }
        table_add(table, TABLE_PLAIN, "%s", history_local_time(time, event->begin_ns));
        if (!is_of_one)
                table_add(table, TABLE_PLAIN, "%s", history_device(facts, event));
        table_add(table, event->error < 0 ? TABLE_RED : TABLE_PLAIN, "%s",
                  history_change_text(change, event));
        table_add(table, TABLE_PLAIN, "%s", history_who_text(who, &facts->history, event));
}

/* What a mention is beside the devices. */
static const char *mention_state(const struct mention *mention, const struct link_table *links) {
        bool is_here = false;

        if (!mention->device || mention->mtu == 0)
                return "unknown";
        for (size_t i = 0; i < links->n_links; i++) {
                if (!mention_is_of(mention, links->links[i].name))
                        continue;
                if (links->links[i].mtu == mention->mtu)
                        return "same";
                is_here = true;
        }
        return is_here ? "other" : "absent";
}

json_t *mention_json(const struct mention *mention, const struct link_table *links) {
        return JSON_OBJECT({
                        { "path", json_text(mention->file) },
                        { "line", json_integer(mention->line) },
                        { "device", json_text(mention->is_pattern ? NULL : mention->device) },
                        { "pattern", json_text(mention->is_pattern ? mention->device : NULL) },
                        { "mtu", json_count(mention->mtu) },
                        { "program", json_text(mention->place ? mention->place->program : NULL) },
                        { "active", mention->place ? json_boolean(mention->is_active) : json_null() },
                        { "text", json_text(mention->text) },
                        { "state", json_text(mention_state(mention, links)) },
        });
}

static void warn(const struct pool_list *files, const char *what) {
        char more[48] = "";

        if (files->n_items == 0)
                return;
        if (files->n_items > 1)
                snprintf(more, sizeof(more), " and %zu more", files->n_items - 1);
        log_warning("%s%s: %s", files->items[0], more, what);
}

void mentions_warn_unread(const struct mentions *mentions) {
        warn(&mentions->unread, geteuid() == 0 ? "cannot be read, and is ignored"
                                               : "cannot be read, and is ignored; run this as root");
        warn(&mentions->left, "other users than root can write it, so it is not read");
}

int rivals_report(const struct device_statuses *statuses) {
        CLEANUP(rivals_cleanup) struct rivals rivals = { .is_scanned = false };
        struct manager_facts facts;

        for (size_t i = 0; i < statuses->n_items; i++) {
                const struct device_status *status = &statuses->items[i];

                if (!status->line)
                        continue;
                managers_ask(&rivals.managers, status->link, &facts);
                rivals_find(&rivals, status, &facts, true);
        }
        if (rivals.pool.failed)
                return log_fail(-ENOMEM, LOG_OUT_OF_MEMORY);
        for (size_t i = 0; i < rivals.n_items; i++) {
                const struct rival *rival = &rivals.items[i];
                const struct config_line *line = rival->status->line;
                const char *file = line->file ? line->file : CONFIG_FILE;
                char place[TEXT_PLACE_SIZE];

                text_place(place, rival->file ? rival->file : file, rival->file ? rival->line : line->line);
                log_line(pool_print(&rivals.pool, "%s: warning: %s: %s", place,
                                    device_status_name(rival->status), rival->text));
                if (rival->command)
                        fprintf(stderr, "    %s\n", rival->command);
        }
        mentions_warn_unread(&rivals.mentions);
        return (int)rivals.n_items;
}

void rivals_report_line(const struct link *link, const struct config_line *line) {
        struct device_status status = device_status_of(link, line);

        (void)rivals_report(&(struct device_statuses){ .items = &status, .n_items = 1 });
}
