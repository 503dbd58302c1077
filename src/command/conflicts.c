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

void conflicts_open(const struct snapshot *snapshot, struct conflicts *ret) {
        *ret = (struct conflicts){ 0 };
        if (snapshot->plan.n_devices == 0)
                return;
        ret->is_broken = explain_facts_make(snapshot, &diagnostic_silent, true, &ret->facts) < 0;
        if (ret->is_broken)
                log_out_of_memory();
}

void conflicts_cleanup(struct conflicts *conflicts) {
        explain_facts_cleanup(&conflicts->facts);
}

struct walk {
        struct conflicts *conflicts;
        const struct device_status *next, *end;
        struct explained explained; /* the device that the next one is looked for in */
        size_t index;
        struct pool_list hidden; /* unreadable files that may have more; in the pool of the sources */
        const char *hidden_of;   /* the first device with such a file */
};

/* The pool remembers a failed allocation. */
static void note_hidden(struct walk *walk) {
        struct explain_facts *facts = &walk->conflicts->facts;
        const struct explain_device *device = &walk->explained.device;

        for (size_t i = 0; i < facts->unread.n_items; i++)
                if (conflict_may_be_in(device, facts->unread.items[i]) &&
                    pool_list_add(&facts->sources.pool, &walk->hidden, facts->unread.items[i]) &&
                    walk->hidden.n_items == 1)
                        walk->hidden_of = device->name;
}

/* False if there are no more. */
static bool walk_next(struct walk *walk, struct conflict *ret) {
        struct conflicts *conflicts = walk->conflicts;

        while (!conflict_next(&walk->explained, &walk->index, ret)) {
                const struct device_status *status = walk->next++;

                explained_cleanup(&walk->explained);
                walk->explained = (struct explained){ 0 };
                walk->index = 0;
                if (status == walk->end || !conflicts->facts.snapshot)
                        return false;
                if (!status->line)
                        continue;
                if (explain_facts_explain(&conflicts->facts, device_status_name(status), status->link,
                                          status->line, &walk->explained) == 0)
                        note_hidden(walk);
                else {
                        conflicts->is_broken = true;
                        log_out_of_memory();
                }
        }
        return true;
}

static void report_hidden(const struct walk *walk) {
        char more[48] = "";

        if (walk->hidden.n_items == 0)
                return;
        if (walk->hidden.n_items > 1)
                snprintf(more, sizeof(more), " and %zu more", walk->hidden.n_items - 1);
        log_warning("%s: what else sets its MTU is only partly known: %s%s cannot be read%s",
                    TEXT_SHOW(walk->hidden_of), walk->hidden.items[0], more,
                    geteuid() == 0 ? "" : "; run this as root");
}

unsigned conflicts_report(struct conflicts *conflicts, const struct device_status *statuses, size_t n) {
        struct walk walk = { .conflicts = conflicts, .next = statuses, .end = statuses + n };
        struct mistakes mistakes = { 0 };
        const struct diagnostic_sink sink = mistakes_sink(&mistakes);
        struct conflict conflict;

        while (walk_next(&walk, &conflict)) {
                diagnostic_report(&sink, DIAGNOSTIC_WARNING, conflict.file, conflict.line,
                                  walk.explained.device.name, "%s", conflict.text);
                if (conflict.command[0])
                        fprintf(stderr, "    %s\n", conflict.command);
        }
        report_hidden(&walk);
        return mistakes.n_warnings;
}

unsigned conflicts_report_all(const struct snapshot *snapshot) {
        CLEANUP(conflicts_cleanup) struct conflicts conflicts;

        conflicts_open(snapshot, &conflicts);
        return conflicts_report(&conflicts, snapshot->statuses.items, snapshot->statuses.n_items);
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
        struct walk walk = { .conflicts = conflicts, .next = statuses, .end = statuses + n };
        json_t *warnings = json_array();
        struct conflict conflict;

        while (walk_next(&walk, &conflict))
                warnings = json_append(warnings, conflict_json(&walk.explained, &conflict));
        object = json_set(object, "warnings", warnings);
        object = json_set(object, "unread", json_texts(walk.hidden.items, walk.hidden.n_items));
        if (!conflicts->is_broken)
                return object;
        json_decref(object);
        return NULL;
}

void conflicts_warn(const char *name, const struct mtu_spec *spec) {
        CLEANUP(snapshot_cleanup) struct snapshot snapshot = { 0 };
        CLEANUP(conflicts_cleanup) struct conflicts conflicts = { 0 };
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
        if (!snapshot_take_with(&config, &diagnostic_silent, &snapshot))
                return;
        conflicts_open(&snapshot, &conflicts);
        for (size_t i = 0; i < snapshot.statuses.n_items; i++)
                if (snapshot.statuses.items[i].line &&
                    strcmp(snapshot.statuses.items[i].line->name, name) == 0)
                        conflicts_report(&conflicts, &snapshot.statuses.items[i], 1);
}
