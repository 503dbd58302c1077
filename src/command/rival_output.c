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

/* Finds the rivals of the lines, of one name or of all. */
static void find_rivals(struct rivals *rivals, const char *name) {
        const struct device_statuses *statuses = &rivals->snapshot->statuses;
        struct manager_facts facts;

        for (size_t i = 0; i < statuses->n_items; i++) {
                const struct device_status *status = &statuses->items[i];

                if (!status->line || (name && strcmp(status->line->name, name) != 0))
                        continue;
                if (status->link)
                        managers_ask(&rivals->managers, status->link, &facts);
                rivals_find(rivals, status, status->link ? &facts : NULL);
        }
        if (rivals->pool.failed)
                log_out_of_memory();
}

unsigned rivals_report(const struct snapshot *snapshot, const char *name) {
        CLEANUP(rivals_cleanup) struct rivals rivals = { .snapshot = snapshot };
        struct mistakes mistakes = { 0 };
        const struct diagnostic_sink sink = mistakes_sink(&mistakes);

        find_rivals(&rivals, name);
        for (size_t i = 0; i < rivals.n_items; i++) {
                const struct rival *rival = &rivals.items[i];
                const char *device = device_status_name(rival->status);

                diagnostic_report(&sink, DIAGNOSTIC_WARNING,
                                  rival->file ? rival->file : rival->status->line->file,
                                  rival->file ? rival->line : rival->status->line->line, device, "%s: %s",
                                  TEXT_SHOW(device), rival->text);
                if (rival->command)
                        fprintf(stderr, "    %s\n", rival->command);
        }
        mentions_warn_unread(&rivals.mentions);
        return mistakes.n_warnings;
}

json_t *rivals_add_json(const struct snapshot *snapshot, json_t *object) {
        CLEANUP(rivals_cleanup) struct rivals rivals = { .snapshot = snapshot };
        const struct pool_list *unread = &rivals.mentions.unread;
        json_t *warnings = json_array();

        if (snapshot)
                find_rivals(&rivals, NULL);
        for (size_t i = 0; i < rivals.n_items; i++) {
                const struct rival *rival = &rivals.items[i];

                warnings = json_append(
                                warnings,
                                JSON_OBJECT({
                                                { "name", json_text(device_status_name(rival->status)) },
                                                { "file", json_text(rival->file) },
                                                { "line", json_count(rival->line) },
                                                { "mtu", json_count(rival->mtu) },
                                                { "text", json_text(rival->text) },
                                                { "command", json_text(rival->command) },
                                }));
        }
        object = json_set(object, "warnings", warnings);
        object = json_set(object, "unread", json_texts(unread->items, unread->n_items));
        if (!rivals.pool.failed)
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
