/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "command/conflicts.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/log.h"
#include "base/text.h"
#include "explain/conflict.h"
#include "store/config_files.h"
#include "store/load_plan.h"

void conflicts_open(const struct snapshot *snapshot, struct conflicts *ret) {
        *ret = (struct conflicts){ .n_hidden = 0 };
        if (snapshot->plan.n_devices == 0)
                return;
        ret->is_broken = explain_facts_make(snapshot, &load_plan_silent, true, &ret->facts) < 0;
        if (ret->is_broken)
                log_out_of_memory();
}

void conflicts_cleanup(struct conflicts *conflicts) {
        explain_facts_cleanup(&conflicts->facts);
        *conflicts = (struct conflicts){ .n_hidden = 0 };
}

/* The pool remembers a failed allocation. */
static void note_hidden(struct conflicts *conflicts, const struct explain_device *device) {
        struct explain_facts *facts = &conflicts->facts;

        for (size_t i = 0; i < facts->n_unread; i++)
                if (conflict_may_be_in(device, facts->unread[i]) &&
                    pool_add_once(&facts->sources.pool, &conflicts->hidden, &conflicts->n_hidden,
                                  facts->unread[i]) &&
                    conflicts->n_hidden == 1)
                        snprintf(conflicts->hidden_of, sizeof(conflicts->hidden_of), "%s", device->name);
}

/* False if there is nothing to explain, or if out of memory, which is logged. */
static bool look(struct conflicts *conflicts, const struct device_status *status, struct explained *ret) {
        const struct config_line *line = status->line;

        if (!conflicts->facts.is_made || !line)
                return false;
        if (explain_facts_explain(&conflicts->facts, status->link ? status->link->name : line->name,
                                  status->link, line, ret) < 0) {
                conflicts->is_broken = true;
                return log_fail(false, LOG_OUT_OF_MEMORY);
        }
        note_hidden(conflicts, &ret->device);
        return true;
}

void conflicts_report(struct conflicts *conflicts, const struct device_status *status,
                      const struct diagnostic_sink *sink) {
        CLEANUP(explained_cleanup) struct explained explained = { 0 };
        struct conflict conflict;
        size_t index = 0;

        if (!look(conflicts, status, &explained))
                return;
        while (conflict_next(&explained, &index, &conflict)) {
                diagnostic_report(sink, DIAGNOSTIC_WARNING, conflict.file, conflict.line,
                                  explained.device.name, "%s", conflict.text);
                if (conflict.command[0])
                        fprintf(stderr, "    %s\n", conflict.command);
        }
}

void conflicts_report_hidden(const struct conflicts *conflicts) {
        char more[48] = "";

        if (conflicts->n_hidden == 0)
                return;
        if (conflicts->n_hidden > 1)
                snprintf(more, sizeof(more), " and %zu more", conflicts->n_hidden - 1);
        log_warning("%s: what else sets its MTU is only partly known: %s%s cannot be read%s",
                    TEXT_SHOW(conflicts->hidden_of), conflicts->hidden[0], more,
                    geteuid() == 0 ? "" : "; run this as root");
}

void conflicts_report_all(const struct snapshot *snapshot, const struct diagnostic_sink *sink) {
        CLEANUP(conflicts_cleanup) struct conflicts conflicts;

        conflicts_open(snapshot, &conflicts);
        for (size_t i = 0; i < snapshot->statuses.n_items; i++)
                conflicts_report(&conflicts, &snapshot->statuses.items[i], sink);
        conflicts_report_hidden(&conflicts);
}

static json_t *conflict_json(const struct explained *explained, const struct conflict *conflict) {
        const struct explain_step *step = conflict->step;

        return json_pack("{so so so so so sb so so so}", "name", json_text(explained->device.name), "source",
                         json_text(step->source), "file", json_text(conflict->file), "line",
                         json_count(conflict->line), "mtu", json_count(step->mtu), "certain",
                         conflict->is_certain, "when", json_text(step->when), "text",
                         json_text(conflict->text), "command",
                         json_text(conflict->command[0] ? conflict->command : NULL));
}

json_t *conflicts_add_json(struct conflicts *conflicts, const struct device_status *statuses, size_t n,
                           json_t *object) {
        json_t *warnings = json_array();

        for (size_t i = 0; i < n; i++) {
                CLEANUP(explained_cleanup) struct explained explained = { 0 };
                struct conflict conflict;
                size_t index = 0;

                if (!look(conflicts, &statuses[i], &explained))
                        continue;
                while (conflict_next(&explained, &index, &conflict))
                        warnings = json_append(warnings, conflict_json(&explained, &conflict));
        }
        object = json_set(object, "warnings", warnings);
        object = json_set(object, "unread", json_texts(conflicts->hidden, conflicts->n_hidden));
        conflicts->n_hidden = 0;
        if (!conflicts->is_broken)
                return object;
        json_decref(object);
        return NULL;
}

/* Takes a snapshot of the configuration plus the line, unless `spec` is NULL. */
static bool take_with_line(const char *name, const struct mtu_spec *spec, struct snapshot *ret) {
        char words[MTU_SPEC_TEXT_SIZE], text[MTU_SPEC_TEXT_SIZE + INTERFACE_NAME_SIZE + 4] = "";
        struct config config;
        int r;

        config_init(&config);
        if (spec)
                snprintf(text, sizeof(text), "%s=\"%s\"", name, mtu_spec_format(words, spec));
        r = config_files_read(&config, &load_plan_silent);
        if (r == 0)
                r = config_parse_file(&config, CONFIG_FILE, text, strlen(text), &load_plan_silent);
        if (r == 0)
                return snapshot_take_with(&config, &load_plan_silent, ret);
        log_out_of_memory();
        config_free(&config);
        return false;
}

void conflicts_warn(const char *name, const struct mtu_spec *spec) {
        CLEANUP(snapshot_cleanup) struct snapshot snapshot = { 0 };
        CLEANUP(conflicts_cleanup) struct conflicts conflicts = { 0 };
        struct mistakes mistakes = { 0 };
        const struct diagnostic_sink sink = mistakes_sink(&mistakes);

        if (!take_with_line(name, spec, &snapshot))
                return;
        conflicts_open(&snapshot, &conflicts);
        for (size_t i = 0; i < snapshot.statuses.n_items; i++)
                if (snapshot.statuses.items[i].line &&
                    strcmp(snapshot.statuses.items[i].line->name, name) == 0)
                        conflicts_report(&conflicts, &snapshot.statuses.items[i], &sink);
        conflicts_report_hidden(&conflicts);
}
