/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* setmtu explain: everything that sets, or may set, a device's MTU, and what wins. */

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/exit_code.h"
#include "base/log.h"
#include "base/text.h"
#include "command/command.h"
#include "explain/explain_facts.h"
#include "output/json.h"
#include "output/table.h"

enum { OPTION_JSON, OPTION_OTHERS };

struct output {
        struct explain_facts *facts;
        json_t *array;  /* NULL: text */
        bool is_others; /* print only what may set another MTU, one line each */
        size_t n_printed;
        bool said_probing;
        struct explain_note notes[EXPLAIN_NOTES_MAX]; /* of the current device */
        size_t n_notes;
        bool is_broken; /* out of memory */
};

static enum table_colour colour_of(const struct explain_step *step) {
        static const enum table_colour colours[] = {
                [EXPLAIN_WINS] = TABLE_GREEN,       [EXPLAIN_SAME] = TABLE_PLAIN,
                [EXPLAIN_OVERRIDDEN] = TABLE_PLAIN, [EXPLAIN_MAYBE] = TABLE_PLAIN,
                [EXPLAIN_REFUSED] = TABLE_RED,      [EXPLAIN_IDLE] = TABLE_FAINT,
        };

        return step->contradicts && step->effect != EXPLAIN_REFUSED ? TABLE_YELLOW : colours[step->effect];
}

/* Why the MTU of a source is unknown, shown beside the step's reason; NULL if it is known. */
static const char *unclear_of(const struct explain_step *step) {
        return step->mtu == 0 && step->written ? step->written->unclear : NULL;
}

static void add_row(struct table *table, const struct explain_step *step) {
        const char *unclear = unclear_of(step);

        if (step->mtu > 0)
                table_add(table, TABLE_PLAIN, "%u", step->mtu);
        else
                table_add(table, TABLE_FAINT, "%s", step->value ? step->value : "-");
        table_add(table, TABLE_PLAIN, "%s", step->source);
        table_add(table, colour_of(step), "%s%s", explain_effect_name(step->effect),
                  step->contradicts ? " !" : "");
        table_add(table, step->file ? TABLE_PLAIN : TABLE_FAINT, "%s",
                  step->file ? TEXT_PLACE(step->file, step->line) : "-");
        table_add(table, TABLE_PLAIN, "%s%s%s", step->reason, unclear ? "; " : "", unclear ? unclear : "");
}

static void print_head(const struct explained *explained) {
        const struct explain_device *device = &explained->device;
        char text[EXPLAIN_TEXT_SIZE * 2];
        size_t used = (size_t)snprintf(text, sizeof(text), "%s: %s", TEXT_SHOW(device->name),
                                       explained->explanation.verdict);

        for (unsigned i = 0; i < OWNER_COUNT; i++)
                if (device->owners.has[i] && used < sizeof(text))
                        used += (size_t)snprintf(text + used, sizeof(text) - used, "; managed by %s",
                                                 owner_title((enum owner)i));
        paragraph_print(0, 2, "%s", text);
}

static bool print_text(struct output *output, const struct explained *explained) {
        static const char *const titles[] = { "MTU", "SOURCE", "EFFECT", "WHERE", "WHY" };
        const struct explanation *explanation = &explained->explanation;
        struct table table = {
                .n_columns = sizeof(titles) / sizeof(titles[0]),
                .is_number = { true },
                .indent = 2,
                .is_text = { [4] = true },
        };

        print_head(explained);
        for (size_t i = 0; i < table.n_columns; i++)
                table_add(&table, TABLE_PLAIN, "%s", titles[i]);
        for (size_t i = 0; i < explanation->n_steps; i++)
                add_row(&table, &explanation->steps[i]);
        if (!table_print(&table))
                return false;
        if (explanation->is_contradicted)
                paragraph_print(2, 4, "! Sources disagree.");
        if (explanation->advice[0])
                paragraph_print(2, 6, "Do: %s", explanation->advice);
        for (size_t i = 0; i < output->n_notes; i++) {
                bool is_probing = strcmp(output->notes[i].name, "tcp-mtu-probing") == 0;

                if (is_probing && output->said_probing)
                        continue;
                output->said_probing |= is_probing;
                paragraph_print(2, 8, "Note: %s", output->notes[i].text);
        }
        return true;
}

static json_t *step_json(const struct explain_step *step) {
        return json_pack("{so so so so so so so so so}", "source", json_text(step->source), "file",
                         json_text(step->file), "line", json_count(step->line), "value",
                         json_text(step->value), "mtu", json_count(step->mtu), "effect",
                         json_text(explain_effect_name(step->effect)), "contradicts",
                         json_boolean(step->contradicts), "reason", json_text(step->reason), "unclear",
                         json_text(unclear_of(step)));
}

static json_t *steps_json(const struct explanation *explanation) {
        json_t *array = json_array();

        for (size_t i = 0; i < explanation->n_steps; i++)
                array = json_append(array, step_json(&explanation->steps[i]));
        return array;
}

static json_t *managers_json(const struct explain_device *device) {
        json_t *array = json_array();

        for (unsigned i = 0; i < OWNER_COUNT; i++)
                if (device->owners.has[i])
                        array = json_append(array, json_pack("{ss so}", "name", owner_name((enum owner)i),
                                                             "file", json_text(device->owners.profile[i])));
        return array;
}

static json_t *notes_json(const struct output *output) {
        json_t *array = json_array();

        for (size_t i = 0; i < output->n_notes; i++)
                array = json_append(array, json_pack("{ss so}", "name", output->notes[i].name, "text",
                                                     json_text(output->notes[i].text)));
        return array;
}

static json_t *explained_json(const struct output *output, const struct explained *explained) {
        const struct explanation *explanation = &explained->explanation;
        const struct link *link = explained->device.link;

        return json_pack("{so so so sb sb so so so so so}", "name", json_text(explained->device.name), "mtu",
                         link ? json_integer(link->mtu) : json_null(), "expected",
                         json_count(explanation->expected), "explained", explanation->is_explained,
                         "contradicted", explanation->is_contradicted, "managers",
                         managers_json(&explained->device), "steps", steps_json(explanation), "verdict",
                         json_text(explanation->verdict), "advice",
                         explanation->advice[0] ? json_text(explanation->advice) : json_null(), "notes",
                         notes_json(output));
}

/* Whether something other than the driver may set the device's MTU. */
static bool is_interesting(const struct explained *explained) {
        if (explained->device.link && strcmp(explained->device.link->name, "lo") == 0)
                return explained->device.line;
        for (size_t i = 0; i < explained->explanation.n_steps; i++) {
                const struct explain_step *step = &explained->explanation.steps[i];

                if (!step->file)
                        continue;
                /* A setting for all devices, without a certain effect on this one, would list every
                 * device. */
                if ((step->effect != EXPLAIN_IDLE && step->effect != EXPLAIN_MAYBE) || !step->written ||
                    step->written->match != MATCH_ANY)
                        return true;
        }
        return !explained->explanation.is_explained;
}

/* Whether the step may have set an MTU that differs from the line's. */
static bool is_other(const struct explained *explained, const struct explain_step *step) {
        const struct config_line *line = explained->device.line;

        return !explain_step_is_own(step) && strcmp(step->source, "driver") != 0 &&
               step->effect != EXPLAIN_IDLE && step->effect != EXPLAIN_REFUSED &&
               (step->mtu == 0 || !line || step->mtu != line->spec.mtu);
}

static void print_others(const struct explained *explained) {
        const struct explanation *explanation = &explained->explanation;
        const char *name = TEXT_SHOW(explained->device.name);
        char text[EXPLAIN_TEXT_SIZE * 2], mtu[32];
        size_t n_others = 0;

        for (size_t i = 0; i < explanation->n_steps; i++) {
                const struct explain_step *step = &explanation->steps[i];

                if (!is_other(explained, step))
                        continue;
                mtu[0] = '\0';
                if (step->mtu > 0)
                        snprintf(mtu, sizeof(mtu), " with %u", step->mtu);
                snprintf(text, sizeof(text), "%s: perhaps %s%s, %s: %s", name, step->source, mtu,
                         TEXT_PLACE(step->file ? step->file : "as built in", step->line), step->reason);
                puts(text_clean(text));
                n_others++;
        }
        if (n_others == 0)
                printf("%s: no file here sets another MTU; perhaps a person or a program does\n", name);
}

static void print(struct output *output, const struct explained *explained) {
        if (output->is_others) {
                print_others(explained);
        } else if (output->array) {
                output->is_broken |=
                                json_array_append_new(output->array, explained_json(output, explained)) < 0;
        } else {
                if (output->n_printed > 0)
                        putchar('\n');
                output->is_broken |= !print_text(output, explained);
        }
        output->n_printed++;
}

/* `is_named`: the command line names the device. */
static void take(struct output *output, const char *name, const struct link *link,
                 const struct config_line *line, bool is_named) {
        CLEANUP(explained_cleanup) struct explained explained = { 0 };

        if (explain_facts_explain(output->facts, name, link, line, &explained) < 0) {
                output->is_broken = true;
                return;
        }
        output->n_notes = note_make(&explained, &output->facts->snapshot->statuses, &output->facts->sysctls,
                                    output->notes);
        if (is_named || is_interesting(&explained))
                print(output, &explained);
}

/* Whether a file of another program names an absent device. */
static bool is_named_elsewhere(const struct mtu_sources *sources, const char *name) {
        for (size_t i = 0; i < sources->n_items; i++)
                if (sources->items[i].match == MATCH_NAME && strcmp(sources->items[i].device, name) == 0)
                        return true;
        return false;
}

static bool is_repeated(const struct link_table *links, const struct command_line *line, int index) {
        const struct link *link = link_table_by_name(links, line->words[index]);

        for (int i = 0; i < index; i++)
                if (link ? link_table_by_name(links, line->words[i]) == link
                         : strcmp(line->words[i], line->words[index]) == 0)
                        return true;
        return false;
}

static int take_words(struct output *output, const struct command_line *line) {
        const struct snapshot *snapshot = output->facts->snapshot;

        for (int i = 0; i < line->n_words; i++) {
                const char *word = line->words[i];
                const struct link *link = link_table_by_name(&snapshot->links, word);

                if (!link && !config_find(&snapshot->plan.config, word) &&
                    !is_named_elsewhere(&output->facts->sources, word))
                        return log_fail(EXIT_CODE_ABSENT,
                                        "%s: there is no such network device, and nothing names it",
                                        TEXT_SHOW(word));
        }
        for (int i = 0; i < line->n_words; i++) {
                const struct link *link = link_table_by_name(&snapshot->links, line->words[i]);

                if (!is_repeated(&snapshot->links, line, i))
                        take(output, link ? link->name : line->words[i], link,
                             snapshot_line(snapshot, link, line->words[i]), true);
        }
        return EXIT_CODE_DONE;
}

static int run(const struct command_line *line) {
        CLEANUP(snapshot_cleanup) struct snapshot snapshot = { 0 };
        CLEANUP(explain_facts_cleanup) struct explain_facts facts = { 0 };
        struct output output = { .facts = &facts, .is_others = line->options[OPTION_OTHERS] };
        struct diagnostic_sink sink;
        int exit_code = EXIT_CODE_DONE;

        if (line->options[OPTION_JSON] && line->options[OPTION_OTHERS])
                return log_fail(EXIT_CODE_USAGE, "explain: --json and --others exclude each other");
        if (!snapshot_take(&snapshot))
                return EXIT_CODE_FAILURE;
        sink = mistakes_sink(&snapshot.mistakes);
        if (explain_facts_make(&snapshot, &sink, false, &facts) < 0)
                return log_fail(EXIT_CODE_FAILURE, LOG_OUT_OF_MEMORY);
        if (line->options[OPTION_JSON] && !(output.array = json_array()))
                return log_fail(EXIT_CODE_FAILURE, LOG_OUT_OF_MEMORY);
        if (line->n_words > 0)
                exit_code = take_words(&output, line);
        for (size_t i = 0; line->n_words == 0 && i < snapshot.statuses.n_items; i++) {
                const struct device_status *status = &snapshot.statuses.items[i];

                take(&output, device_status_name(status), status->link, status->line, false);
        }
        if (output.is_broken) {
                log_out_of_memory();
                exit_code = EXIT_CODE_FAILURE;
        }
        if (exit_code != EXIT_CODE_DONE) {
                json_decref(output.array);
                return exit_code;
        }
        if (line->options[OPTION_JSON]) {
                if (!json_print(json_pack("{so so}", "devices", output.array, "unread",
                                          json_texts(facts.unread.items, facts.unread.n_items))))
                        return EXIT_CODE_FAILURE;
        } else if (output.n_printed == 0 && !output.is_others)
                puts(facts.is_partial
                                     ? "Nothing that could be read sets an MTU here."
                                     : "Nothing sets an MTU here: each device has what its driver gave it.");
        explain_facts_warn_unread(&facts);
        return snapshot.plan.config.is_partial ? EXIT_CODE_FAILURE : EXIT_CODE_DONE;
}

const struct command command_explain = {
        .name = "explain",
        .arguments = "[IFACE...]",
        .summary = "show what sets an MTU here, and what wins",
        .text = "Shows what sets, or may set, the MTU of each device, or of those given, in the order in "
                "which it takes effect, with file and line; what wins and why; what contradicts it, and "
                "what to do. Needs no root, but root may read more.",
        .examples = { "$ setmtu explain", "# setmtu explain eth0" },
        .options = { [OPTION_JSON] = { "json", NULL, "print a JSON object; its keys are in setmtu-json(5)" },
                     [OPTION_OTHERS] = { "others", NULL,
                                         "print only what may set another MTU, a line each" } },
        .words_max = -1,
        .run = run,
};
