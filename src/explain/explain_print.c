/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "explain/explain_print.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "output/json.h"
#include "output/table.h"

void explained_free(struct explained *explained) {
        explanation_free(&explained->explanation);
        owners_free(&explained->device.owners);
}

static enum table_colour colour_of(const struct explain_step *step) {
        switch (step->effect) {
        case EXPLAIN_WINS:
                return TABLE_GREEN;
        case EXPLAIN_REFUSED:
                return TABLE_RED;
        case EXPLAIN_SAME:
                return TABLE_PLAIN;
        case EXPLAIN_OVERRIDDEN:
        case EXPLAIN_MAYBE:
                return step->contradicts ? TABLE_YELLOW : TABLE_PLAIN;
        case EXPLAIN_IDLE:
                break;
        }
        return TABLE_FAINT;
}

/* What a finding says besides its reason. */
static const char *unclear_of(const struct explain_step *step) {
        return step->mtu == 0 && step->finding ? step->finding->unclear : NULL;
}

static void add_text(struct table *table, enum table_colour colour, const char *text) {
        char clean[EXPLAIN_TEXT_SIZE * 2];

        snprintf(clean, sizeof(clean), "%s", text);
        table_add(table, colour, "%s", text_clean(clean));
}

static void add_place(struct table *table, const struct explain_step *step) {
        char place[EXPLAIN_TEXT_SIZE];

        if (!step->file) {
                table_add(table, TABLE_FAINT, "-");
                return;
        }
        if (step->line > 0)
                snprintf(place, sizeof(place), "%s:%u", step->file, step->line);
        else
                snprintf(place, sizeof(place), "%s", step->file);
        add_text(table, TABLE_PLAIN, place);
}

static void add_row(struct table *table, const struct explain_step *step) {
        const char *unclear = unclear_of(step);
        char why[EXPLAIN_TEXT_SIZE * 2];

        if (step->mtu > 0)
                table_add(table, TABLE_PLAIN, "%u", step->mtu);
        else
                add_text(table, TABLE_FAINT, step->value ? step->value : "-");
        table_add(table, TABLE_PLAIN, "%s", step->source);
        table_add(table, colour_of(step), "%s%s", explain_effect_name(step->effect),
                  step->contradicts ? " !" : "");
        add_place(table, step);
        snprintf(why, sizeof(why), "%s%s%s", step->reason, unclear ? "; " : "", unclear ? unclear : "");
        add_text(table, TABLE_PLAIN, why);
}

static void print_head(const struct explained *explained) {
        const struct explain_device *device = &explained->device;
        char name[TEXT_QUOTE_SIZE], text[EXPLAIN_TEXT_SIZE * 2];
        size_t used = (size_t)snprintf(text, sizeof(text), "%s: %s", text_show(name, device->name),
                                       explained->explanation.verdict);

        for (unsigned i = 0; i < OWNER_COUNT; i++)
                if (device->owners.has[i] && used < sizeof(text))
                        used += (size_t)snprintf(text + used, sizeof(text) - used, "; %s has it",
                                                 owner_title((enum owner)i));
        text_clean(text);
        paragraph_print(text, 0, 2);
}

bool explain_print_text(const struct explained *explained, bool *said_probing) {
        static const char *const titles[] = { "MTU", "SOURCE", "EFFECT", "WHERE", "WHY" };
        const struct explanation *explanation = &explained->explanation;
        struct table table = {
                .n_columns = sizeof(titles) / sizeof(titles[0]),
                .is_number = { true },
                .indent = 2,
                .wraps_last = true,
        };
        char text[EXPLAIN_TEXT_SIZE + 16];

        print_head(explained);
        for (size_t i = 0; i < table.n_columns; i++)
                table_add(&table, TABLE_PLAIN, "%s", titles[i]);
        for (size_t i = 0; i < explanation->n_steps; i++)
                add_row(&table, &explanation->steps[i]);
        if (!table_print(&table))
                return false;
        if (explanation->is_contradicted)
                paragraph_print("! Sources disagree.", 2, 4);
        if (explanation->advice[0]) {
                snprintf(text, sizeof(text), "Do: %s", explanation->advice);
                paragraph_print(text_clean(text), 2, 6);
        }
        for (size_t i = 0; i < explained->n_notes; i++) {
                bool is_probing = strcmp(explained->notes[i].name, "tcp-mtu-probing") == 0;

                if (is_probing && *said_probing)
                        continue;
                *said_probing |= is_probing;
                snprintf(text, sizeof(text), "Note: %s", explained->notes[i].text);
                paragraph_print(text_clean(text), 2, 8);
        }
        return true;
}

static json_t *json_number(unsigned number) {
        return number > 0 ? json_integer(number) : json_null();
}

static json_t *step_json(const struct explain_step *step) {
        return json_pack("{so so so so so so so so so}", "source", json_text(step->source), "file",
                         json_text(step->file), "line", json_number(step->line), "value",
                         json_text(step->value), "mtu", json_mtu(step->mtu), "effect",
                         json_text(explain_effect_name(step->effect)), "contradicts",
                         json_boolean(step->contradicts), "reason", json_text(step->reason), "unclear",
                         json_text(unclear_of(step)));
}

static json_t *steps_json(const struct explanation *explanation) {
        json_t *array = json_array();

        for (size_t i = 0; i < explanation->n_steps; i++)
                json_array_append_new(array, step_json(&explanation->steps[i]));
        return array;
}

static json_t *managers_json(const struct explain_device *device) {
        json_t *array = json_array();

        for (unsigned i = 0; i < OWNER_COUNT; i++)
                if (device->owners.has[i])
                        json_array_append_new(array,
                                              json_pack("{ss so}", "name", owner_name((enum owner)i), "file",
                                                        json_text(device->owners.profile[i])));
        return array;
}

static json_t *notes_json(const struct explained *explained) {
        json_t *array = json_array();

        for (size_t i = 0; i < explained->n_notes; i++)
                json_array_append_new(array, json_pack("{ss so}", "name", explained->notes[i].name, "text",
                                                       json_text(explained->notes[i].text)));
        return array;
}

json_t *explain_print_json(const struct explained *explained) {
        const struct explanation *explanation = &explained->explanation;
        const struct link *link = explained->device.link;

        return json_pack("{so so so sb sb so so so so so}", "name", json_text(explained->device.name), "mtu",
                         link ? json_integer(link->mtu) : json_null(), "expected",
                         json_mtu(explanation->expected), "explained", explanation->is_explained,
                         "contradicted", explanation->is_contradicted, "managers",
                         managers_json(&explained->device), "steps", steps_json(explanation), "verdict",
                         json_text(explanation->verdict), "advice",
                         explanation->advice[0] ? json_text(explanation->advice) : json_null(), "notes",
                         notes_json(explained));
}
