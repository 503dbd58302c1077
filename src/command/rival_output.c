/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "command/rival_output.h"

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/log.h"
#include "base/text.h"
#include "command/facts_output.h"
#include "explain/rival.h"
#include "store/config_files.h"

/* Calls `take` for each rival of the lines, of one name or of all. */
static void visit(struct rivals *rivals, const char *name,
                  void (*take)(void *userdata, const struct device_status *status,
                               const struct rival *rival),
                  void *userdata) {
        const struct device_statuses *statuses = &rivals->snapshot->statuses;

        for (size_t i = 0; i < statuses->n_items; i++) {
                const struct device_status *status = &statuses->items[i];
                struct manager_facts facts;
                struct rival rival;
                size_t index = 0;

                if (!status->line || (name && strcmp(status->line->name, name) != 0))
                        continue;
                if (status->link)
                        managers_ask(&rivals->managers, status->link, &facts);
                while (rivals_next(rivals, status, status->link ? &facts : NULL, &index, &rival))
                        take(userdata, status, &rival);
        }
        if (rivals->is_broken)
                log_out_of_memory();
}

static void print(void *userdata, const struct device_status *status, const struct rival *rival) {
        const struct diagnostic_sink sink = mistakes_sink(userdata);

        diagnostic_report(&sink, DIAGNOSTIC_WARNING, rival->file ? rival->file : status->line->file,
                          rival->file ? rival->line : status->line->line, device_status_name(status),
                          "%s: %s", TEXT_SHOW(device_status_name(status)), rival->text);
        if (rival->command[0])
                fprintf(stderr, "    %s\n", rival->command);
}

unsigned rivals_report(const struct snapshot *snapshot, const char *name) {
        CLEANUP(rivals_cleanup) struct rivals rivals = { .snapshot = snapshot };
        struct mistakes mistakes = { 0 };

        visit(&rivals, name, print, &mistakes);
        mentions_warn_unread(&rivals.mentions);
        return mistakes.n_warnings;
}

static void add_json(void *userdata, const struct device_status *status, const struct rival *rival) {
        json_t **array = userdata, *object = json_object();

        object = json_set(object, "name", json_text(device_status_name(status)));
        object = json_set(object, "file", json_text(rival->file));
        object = json_set(object, "line", json_count(rival->line));
        object = json_set(object, "mtu", json_count(rival->mtu));
        object = json_set(object, "text", json_text(rival->text));
        *array = json_append(*array, json_set(object, "command",
                                              json_text(rival->command[0] ? rival->command : NULL)));
}

json_t *rivals_add_json(const struct snapshot *snapshot, json_t *object) {
        CLEANUP(rivals_cleanup) struct rivals rivals = { .snapshot = snapshot };
        const struct pool_list *unread = &rivals.mentions.unread;
        json_t *warnings = json_array();

        if (snapshot)
                visit(&rivals, NULL, add_json, &warnings);
        object = json_set(object, "warnings", warnings);
        object = json_set(object, "unread", json_texts(unread->items, unread->n_items));
        if (!rivals.is_broken)
                return object;
        json_decref(object);
        return NULL;
}

void rivals_warn(const char *name, const struct mtu_spec *spec) {
        CLEANUP(snapshot_cleanup) struct snapshot snapshot = { 0 };
        char words[MTU_SPEC_TEXT_SIZE], text[MTU_SPEC_TEXT_SIZE + INTERFACE_NAME_SIZE + 4] = "";
        struct config config = { 0 };

        if (spec)
                snprintf(text, sizeof(text), "%s=\"%s\"", name, mtu_spec_format(words, spec));
        if (config_files_read(&config, &diagnostic_silent) < 0 ||
            config_parse_file(&config, CONFIG_FILE, text, strlen(text), &diagnostic_silent) < 0) {
                log_out_of_memory();
                config_free(&config);
                return;
        }
        if (snapshot_take_with(&config, &diagnostic_silent, &snapshot))
                (void)rivals_report(&snapshot, name);
}
