/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* setmtu check: everything that is wrong with the configuration, before it takes effect. */

#include <stdio.h>

#include "backends/backends.h"
#include "base/cleanup.h"
#include "base/exit_code.h"
#include "base/log.h"
#include "base/unit_name.h"
#include "base/whole_file.h"
#include "command/check.h"
#include "command/command.h"
#include "command/facts_output.h"
#include "command/prepare.h"
#include "plan/contradictions.h"

static int read_file(const char *file, const struct diagnostic_sink *sink, struct config *config) {
        CLEANUP(cleanup_free) char *text = NULL;
        size_t size;
        int r = whole_file_read_named(file, &text, &size);

        if (r == 0)
                return config_parse_file(config, file, text, size, sink);
        diagnostic_report_file(sink, file, "cannot be read: %s", whole_file_fault(r));
        return r;
}

void check_report_names(const struct snapshot *snapshot, const struct diagnostic_sink *sink) {
        for (size_t i = snapshot->links.n_links; i < snapshot->statuses.n_items; i++) {
                const struct config_line *line = snapshot->statuses.items[i].line;
                const char *alike = link_table_alike(&snapshot->links, line->name);
                const struct link *link = alike ? link_table_by_name(&snapshot->links, alike) : NULL;

                if (link && !device_statuses_line(&snapshot->statuses, &snapshot->plan.config, link, alike))
                        plan_report(sink, DIAGNOSTIC_WARNING, line,
                                    "there is no such device, and %s has a similar name and no line; if it "
                                    "is meant, write %s",
                                    alike, alike);
        }
}

void check_report_boot(const struct snapshot *snapshot, const struct diagnostic_sink *sink) {
        CLEANUP(generated_files_free) struct generated_files files = { 0 };

        /* Lines by which a command finds a device, and nothing does at boot. */
        for (size_t i = 0; i < snapshot->links.n_names; i++) {
                const struct link_name *item = &snapshot->links.names[i];
                const struct device_plan *device =
                                item->altname ? plan_find(&snapshot->plan, item->altname) : NULL;
                const struct link *link = link_table_by_ifindex(&snapshot->links, item->ifindex);

                /* networkd matches alternative names as well. */
                if (device && !device->line->is_pattern && link && device->backend != BACKEND_NETWORK)
                        plan_report(sink, DIAGNOSTIC_WARNING, device->line,
                                    "an alternative name of %s, which is not found at boot; "
                                    "write %s",
                                    link->name, link->name);
        }
        /* What the files for other programs cannot express, regardless of the devices. */
        if (backends_render(&(struct rendering){ .plan = &snapshot->plan, .sink = sink, .files = &files }) <
            0)
                log_out_of_memory();
}

static void log_mistake(void *userdata, const struct diagnostic *mistake) {
        bool *is_wrong = userdata;

        if (mistake->severity == DIAGNOSTIC_ERROR)
                *is_wrong = log_fail(true, "%s", mistake->text);
}

bool check_line(const struct config_line *line, enum backend backend) {
        CLEANUP(generated_files_free) struct generated_files files = { 0 };
        struct config_line own = *line;
        struct device_plan device = { .line = &own, .backend = backend };
        const struct plan plan = {
                .config.backend = backend, .devices = &device, .n_devices = 1, .has_others = true
        };
        bool is_wrong = false;
        const struct diagnostic_sink sink = { log_mistake, &is_wrong };

        own.is_pattern = interface_name_is_pattern(line->name);
        unit_name_escape(line->name, device.instance);
        if (backends_render(&(struct rendering){ .plan = &plan, .sink = &sink, .files = &files }) < 0)
                return log_fail(false, LOG_OUT_OF_MEMORY);
        return !is_wrong;
}

/* A pattern that no device takes its MTU from may be mistyped, or wait for one. */
static void note_patterns(const struct snapshot *snapshot) {
        const struct config *config = &snapshot->plan.config;

        for (size_t i = 0; i < config->n_patterns; i++) {
                const struct config_line *line = &config->lines[config->patterns[i]];
                bool is_used = false;

                for (size_t j = 0; j < snapshot->links.n_links; j++)
                        is_used |= config_match(config, snapshot->links.links[j].name) == line;
                if (!is_used)
                        log_info("%s: no device takes its MTU from this pattern now; %s", line->name,
                                 CONFIG_LINE_PLACE(line));
        }
}

static int run_check(const struct command_line *line) {
        CLEANUP(snapshot_cleanup) struct snapshot snapshot = { 0 };
        bool is_machine = line->n_words == 0;
        struct mistakes counts = { 0 };
        const struct diagnostic_sink sink = mistakes_sink(&counts);
        struct config config = { 0 };
        bool is_done = true;
        int n_rivals;
        size_t n;

        for (int i = 0; i < line->n_words; i++)
                is_done &= read_file(line->words[i], &sink, &config) == 0;
        if (!prepare_check(is_machine ? snapshot_take(&sink, &snapshot)
                                      : snapshot_take_with(&config, &sink, &snapshot)))
                return EXIT_CODE_FAILURE;
        snapshot_add_restored(&snapshot);
        if (contradictions_report(&snapshot.statuses, &snapshot.links, false, &sink) < 0)
                return log_fail(EXIT_CODE_FAILURE, LOG_OUT_OF_MEMORY);
        check_report_names(&snapshot, &sink);
        check_report_boot(&snapshot, &sink);
        note_patterns(&snapshot);
        n_rivals = is_machine ? rivals_report(&snapshot.statuses) : 0;
        if (n_rivals < 0)
                return EXIT_CODE_FAILURE;
        counts.n_warnings += (unsigned)n_rivals;
        n = snapshot.plan.config.n_lines;
        printf("%zu device%s, %u error%s, %u warning%s\n", n, n == 1 ? "" : "s", counts.n_errors,
               counts.n_errors == 1 ? "" : "s", counts.n_warnings, counts.n_warnings == 1 ? "" : "s");
        if (!is_done)
                return EXIT_CODE_FAILURE;
        return counts.n_errors > 0 ? EXIT_CODE_CONFIGURATION : EXIT_CODE_DONE;
}

const struct command command_check = {
        .name = "check",
        .arguments = "[FILE...]",
        .summary = "report what is wrong with the configuration",
        .text = "Reports mistakes in the configuration, or in the given files: bad lines, MTUs that a "
                "device cannot have, and settings of other programs with another MTU. Changes nothing and "
                "needs no root, but root may read more.",
        .examples = { "$ setmtu check", "$ setmtu check ./setmtu.new" },
        .words_max = -1,
        .run = run_check,
};
