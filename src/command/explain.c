/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* setmtu explain: everything that sets a device's MTU, or may, and who wins. */

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/exit_code.h"
#include "base/log.h"
#include "base/text.h"
#include "command/command.h"
#include "explain/explain_facts.h"
#include "explain/explain_print.h"
#include "output/json.h"

enum { OPTION_JSON };

/* What is printed, one device after the other. */
struct output {
        const struct explain_facts *facts;
        json_t *array; /* NULL: text */
        size_t n_printed;
        bool said_probing;
        bool is_broken; /* out of memory */
};

/* Whether there is more to say of a device than that it is as its driver made it. */
static bool is_interesting(const struct explained *explained) {
        if (explained->device.link && strcmp(explained->device.link->name, "lo") == 0)
                return explained->device.line;
        for (size_t i = 0; i < explained->explanation.n_steps; i++) {
                const struct explain_step *step = &explained->explanation.steps[i];

                if (!step->file)
                        continue;
                /* What is for every device and does not act on this one would have all of them listed. */
                if ((step->effect != EXPLAIN_IDLE && step->effect != EXPLAIN_MAYBE) || !step->finding ||
                    step->finding->match != FINDING_ANY)
                        return true;
        }
        return !explained->explanation.is_explained;
}

static void print(struct output *output, const struct explained *explained) {
        if (output->array) {
                output->is_broken |= json_array_append_new(output->array, explain_print_json(explained)) < 0;
        } else {
                if (output->n_printed > 0)
                        putchar('\n');
                output->is_broken |= !explain_print_text(explained, &output->said_probing);
        }
        output->n_printed++;
}

/* `is_named`: somebody has asked for it. */
static void take(struct output *output, const char *name, const struct link *link,
                 const struct config_line *line, bool is_named) {
        const struct explain_machine machine = explain_facts_machine(output->facts);
        CLEANUP(explained_free) struct explained explained = { .n_notes = 0 };

        if (explain_facts_of(output->facts, name, link, line, &explained.device) < 0 ||
            explanation_make(&explained.device, &machine, &explained.explanation) < 0) {
                output->is_broken = true;
                return;
        }
        explained.n_notes = note_make(&explained.device, machine.links, &output->facts->sysctls,
                                      &explained.explanation, explained.notes);
        if (is_named || is_interesting(&explained))
                print(output, &explained);
}

static void take_all(struct output *output) {
        const struct device_statuses *statuses = &output->facts->snapshot.statuses;

        for (size_t i = 0; i < statuses->n_items; i++) {
                const struct device_status *status = &statuses->items[i];

                take(output, status->link ? status->link->name : status->line->name, status->link,
                     status->line, false);
        }
}

/* Whether a file of another program names a device that is not there. */
static bool is_named_elsewhere(const struct findings *findings, const char *name) {
        for (size_t i = 0; i < findings->n_items; i++)
                if (findings->items[i].match == FINDING_NAME && strcmp(findings->items[i].device, name) == 0)
                        return true;
        return false;
}

static int take_words(struct output *output, const struct command_line *line) {
        const struct snapshot *snapshot = &output->facts->snapshot;
        char quoted[TEXT_QUOTE_SIZE];

        for (int i = 0; i < line->n_words; i++) {
                const char *word = line->words[i];
                const struct link *link = link_table_by_name(&snapshot->links, word);

                if (!link && !config_find(&snapshot->plan.config, word) &&
                    !is_named_elsewhere(&output->facts->findings, word)) {
                        log_error("%s: there is no such network device, and nothing names it",
                                  text_show(quoted, word));
                        return EXIT_CODE_ABSENT;
                }
        }
        for (int i = 0; i < line->n_words; i++) {
                const struct link *link = link_table_by_name(&snapshot->links, line->words[i]);

                take(output, link ? link->name : line->words[i], link,
                     snapshot_line(snapshot, link, line->words[i]), true);
        }
        return EXIT_CODE_DONE;
}

/* Once, and not for each device: who could read them may know more. */
static void tell_unread(const struct explain_facts *facts) {
        char clean[512];

        if (facts->n_unread == 0)
                return;
        snprintf(clean, sizeof(clean), "%s", facts->unread[0]);
        text_clean(clean);
        if (facts->n_unread == 1)
                log_warning("%s could not be read and is left out%s", clean,
                            geteuid() == 0 ? "" : "; root may");
        else
                log_warning("%s and %zu more files could not be read and are left out%s", clean,
                            facts->n_unread - 1, geteuid() == 0 ? "" : "; root may");
}

static json_t *document_of(const struct output *output) {
        json_t *unread = json_array();

        for (size_t i = 0; i < output->facts->n_unread; i++)
                json_array_append_new(unread, json_text(output->facts->unread[i]));
        return json_pack("{so so}", "devices", output->array, "unread", unread);
}

static int run(const struct command_line *line) {
        CLEANUP(explain_facts_cleanup) struct explain_facts facts = { .ethtool = -1 };
        struct output output = { .facts = &facts };
        int exit_code = EXIT_CODE_DONE;

        if (!explain_facts_make(&facts))
                return EXIT_CODE_FAILURE;
        if (line->options[OPTION_JSON])
                output.array = json_array();
        if (line->n_words > 0)
                exit_code = take_words(&output, line);
        else
                take_all(&output);
        if (exit_code != EXIT_CODE_DONE) {
                json_decref(output.array);
                return exit_code;
        }
        if (output.is_broken) {
                json_decref(output.array);
                log_out_of_memory();
                return EXIT_CODE_FAILURE;
        }
        if (line->options[OPTION_JSON]) {
                if (!json_print(document_of(&output)))
                        return EXIT_CODE_FAILURE;
        } else if (output.n_printed == 0)
                puts("Nothing sets an MTU here: each device has what its driver gave it.");
        tell_unread(&facts);
        return EXIT_CODE_DONE;
}

const struct command command_explain = {
        .name = "explain",
        .arguments = "[IFACE...]",
        .summary = "everything that sets an MTU here, and who wins",
        .text = "Shows, for each device that something sets the MTU of, or for those named: all that does "
                "so or\n"
                "may, in the order in which it acts, with file and line; who wins and why; what "
                "contradicts\n"
                "it, and what to do. Needs no root, but root may read more.",
        .options = { [OPTION_JSON] = { "json", NULL, "print a JSON object; its keys are in setmtu(8)" } },
        .words_max = -1,
        .run = run,
};
