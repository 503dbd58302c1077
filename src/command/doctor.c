/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* setmtu doctor: what check, status, history and probe find, judged together. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/exit_code.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "base/text.h"
#include "command/check.h"
#include "command/command.h"
#include "command/diagnosis.h"
#include "command/path_find.h"
#include "output/table.h"
#include "plan/contradictions.h"

enum { OPTION_JSON };

static void doctor_cleanup(struct doctor *doctor) {
        free(doctor->hosts);
        json_decref(doctor->document);
        facts_cleanup(&doctor->facts);
}

/* False if out of memory. */
static bool probe_hosts(struct doctor *doctor, const struct command_line *line) {
        doctor->hosts = calloc((size_t)line->n_words + 1, sizeof(*doctor->hosts));
        if (!doctor->hosts)
                return false;
        if (line->n_words > 0)
                /* An interrupt ends the probing, and what is known is printed. */
                interrupt_catch();
        for (int i = 0; i < line->n_words; i++) {
                struct probed *host = &doctor->hosts[doctor->n_hosts++];
                const struct path_settings settings = { .socket = doctor->facts.snapshot.socket };

                host->exit_code = path_find(doctor->facts.snapshot.socket, line->words[i], AF_UNSPEC, NULL,
                                            &host->path);
                if (host->exit_code == EXIT_CODE_DONE)
                        host->exit_code = path_probe_one(&host->path, &settings, &host->result);
        }
        return true;
}

/* Output ------------------------------------------------------------------------------------------------ */

static const char *fine_text(const struct checkup *checkup) {
        if (!checkup->link)
                return "the device is absent, and gets its MTU when it appears";
        return pool_print(checkup->pool, "the MTU is %u%s", checkup->link->mtu,
                          checkup->status->line ? ", as its line wants" : "");
}

/* The name of the device precedes the worst finding; others are below it. */
static void print_patient(const struct checkup *checkup) {
        const char *name = checkup->status ? device_status_name(checkup->status) : NULL;
        bool is_fine = checkup->worst == DIAGNOSIS_FINE;
        json_t *finding;
        size_t i;

        if (name && is_fine)
                paragraph_print(0, 2, "%s: %s: %s", name, diagnosis_words[DIAGNOSIS_FINE],
                                fine_text(checkup));
        json_array_foreach(checkup->findings, i, finding) {
                const char *command = json_string_value(json_object_get(finding, "command"));
                const char *verdict = json_string_value(json_object_get(finding, "verdict"));
                bool is_first = name && i == 0 && !is_fine;
                int indent = name && !is_first ? 2 : 0;

                paragraph_print(indent, indent + 2, "%s%s%s: %s", is_first ? name : "", is_first ? ": " : "",
                                strcmp(verdict, diagnosis_words[DIAGNOSIS_FINE]) == 0 ? "Note" : verdict,
                                json_string_value(json_object_get(finding, "reason")));
                /* It is never wrapped: it is for pasting. */
                if (command)
                        printf("    %s\n", command);
        }
}

static json_t *checkup_json(const struct checkup *checkup) {
        const struct device_status *status = checkup->status;
        json_t *worst = checkup->worst == DIAGNOSIS_FINE ? NULL : json_array_get(checkup->findings, 0);

        return JSON_OBJECT({
                        { "name", json_text(device_status_name(status)) },
                        { "mtu", json_count(checkup->link ? checkup->link->mtu : 0) },
                        { "wanted", json_count(status->wanted) },
                        { "source", json_source(status->line) },
                        { "verdict", json_text(diagnosis_words[checkup->worst]) },
                        { "reason", worst ? json_incref(json_object_get(worst, "reason"))
                                          : json_text(fine_text(checkup)) },
                        { "command", worst ? json_incref(json_object_get(worst, "command")) : json_null() },
                        { "findings", json_incref(checkup->findings) },
        });
}

/* Examines a device or, for NULL, what concerns no device. Adds the result to the document, or prints it. */
static void examine_device(struct doctor *doctor, const struct device_status *status) {
        json_auto_t *findings = json_array();
        struct checkup checkup = { .doctor = doctor,
                                   .status = status,
                                   .link = status ? status->link : NULL,
                                   .findings = findings,
                                   .pool = &doctor->facts.rivals.pool };

        text_shell_word(checkup.name, status ? device_status_name(status) : "");
        managers_ask(&doctor->facts.rivals.managers, checkup.link, &checkup.facts);
        diagnosis_judge_device(&checkup);
        if (checkup.link)
                diagnosis_judge_below(&checkup);
        diagnosis_judge_hosts(&checkup);
        checkup.pool->failed |= !findings;
        doctor->n_bad += status && checkup.worst != DIAGNOSIS_FINE;
        if (doctor->is_json && status)
                doctor->document = json_append(doctor->document, checkup_json(&checkup));
        else if (doctor->is_json)
                doctor->document = JSON_OBJECT({
                                { "devices", doctor->document },
                                { "findings", json_incref(findings) },
                                { "verdict", json_text(diagnosis_words[doctor->worst]) },
                                { "unread", json_list(&doctor->facts.rivals.mentions.unread) },
                });
        else if ((status && status->line) || json_array_size(findings) > 0)
                print_patient(&checkup);
}

static void add_mistake(void *userdata, const struct diagnostic *diagnostic) {
        struct doctor *doctor = userdata;
        struct pool *pool = &doctor->facts.rivals.pool;
        struct mistake *mistake = pool_add(pool, &doctor->mistakes, &doctor->n_mistakes, sizeof(*mistake));
        char file[TEXT_SHELL_WORD_SIZE], place[TEXT_PLACE_SIZE], at[32] = "";

        if (!mistake)
                return;
        if (diagnostic->line > 0)
                snprintf(at, sizeof(at), "+%u ", diagnostic->line);
        *mistake = (struct mistake){
                .name = diagnostic->name ? pool_copy(pool, diagnostic->name) : NULL,
                .reason = pool_print(pool, "%s: %s", text_place(place, diagnostic->file, diagnostic->line),
                                     diagnostic->text),
                .command = pool_print(pool, "${EDITOR:-vi} %s%s", at,
                                      text_shell_word(file, diagnostic->file)),
                .exit_code = diagnostic->severity == DIAGNOSTIC_ERROR ? EXIT_CODE_CONFIGURATION
                                                                      : doctor->warning_exit_code,
                .is_contradiction = doctor->warning_exit_code == EXIT_CODE_LOCAL_LIMIT,
        };
}

static int run_doctor(const struct command_line *line) {
        CLEANUP(doctor_cleanup)
        struct doctor doctor = { .is_json = line->options[OPTION_JSON] };
        struct snapshot *snapshot = &doctor.facts.snapshot;
        const struct device_statuses *statuses = &snapshot->statuses;
        const struct diagnostic_sink sink = { add_mistake, &doctor };

        if (!facts_open(&sink, &doctor.facts))
                return EXIT_CODE_FAILURE;
        check_report_names(snapshot, &sink);
        doctor.warning_exit_code = EXIT_CODE_NOT_LASTING;
        check_report_boot(snapshot, &sink);
        doctor.warning_exit_code = EXIT_CODE_LOCAL_LIMIT;
        snapshot_add_restored(snapshot);
        if (contradictions_report(statuses, &snapshot->links, false, &sink) < 0 ||
            doctor.facts.rivals.pool.failed || !probe_hosts(&doctor, line))
                return log_fail(EXIT_CODE_FAILURE, LOG_OUT_OF_MEMORY);
        if (doctor.is_json)
                doctor.document = json_array();
        for (size_t i = 0; i < statuses->n_items; i++)
                examine_device(&doctor, &statuses->items[i]);
        examine_device(&doctor, NULL);
        if (doctor.facts.rivals.pool.failed)
                return log_fail(EXIT_CODE_FAILURE, LOG_OUT_OF_MEMORY);
        if (doctor.is_json)
                return json_print(json_incref(doctor.document)) ? doctor.exit_code : EXIT_CODE_FAILURE;
        printf("%zu %s, ", statuses->n_items, statuses->n_items == 1 ? "device" : "devices");
        if (doctor.n_bad > 0)
                printf("%zu not fine\n", doctor.n_bad);
        else
                puts(doctor.worst == DIAGNOSIS_FINE ? "all fine" : "all fine; other findings are above");
        mentions_warn_unread(&doctor.facts.rivals.mentions);
        return doctor.exit_code;
}

const struct command command_doctor = {
        .name = "doctor",
        .arguments = "[HOST...]",
        .summary = "judge each device, and name the next command",
        .text = "Judges each device by what check, status and history find and, with HOST, a name or an "
                "address, by what probe finds: fine, will not last, path does not carry it, not in effect, "
                "or not known. Below the reason is the next command, for root's shell. Changes nothing and "
                "needs no root, but root may read more. Exit status: 0 no problem; 3 the configuration has "
                "an error; 4 not in effect; 7 will not last; 11 to 16 the verdict of probe, 14 also if a "
                "device here is too small.",
        .examples = { "$ setmtu doctor", "$ setmtu doctor storage1" },
        .options = { [OPTION_JSON] = COMMAND_JSON("object") },
        .words_max = -1,
        .run = run_doctor,
};
