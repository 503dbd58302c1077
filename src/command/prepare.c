/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "command/prepare.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/exit_code.h"
#include "base/log.h"

static void print_mistake(void *userdata, const struct diagnostic *diagnostic) {
        mistakes_count(userdata, diagnostic);
        log_line(DIAGNOSTIC_FORMAT(diagnostic));
}

struct diagnostic_sink mistakes_sink(struct mistakes *mistakes) {
        return (struct diagnostic_sink){ .report = print_mistake, .userdata = mistakes };
}

void mistakes_report(const struct mistakes *mistakes) {
        unsigned n = mistakes->n_errors + mistakes->n_warnings;

        if (n == 1)
                log_line(mistakes->first);
        else if (n > 1)
                log_message(mistakes->n_errors > 0 ? LOG_PRIORITY_ERROR : LOG_PRIORITY_WARNING,
                            "the configuration has %u mistakes; setmtu check lists them", n);
}

bool prepare_check(int r) {
        if (r == -ENOMEM)
                return log_fail(false, LOG_OUT_OF_MEMORY);
        return r == 0 ||
               log_fail(false, "cannot look at the network devices over rtnetlink: %s", strerror(-r));
}

bool prepare_snapshot(struct snapshot *ret) {
        const struct diagnostic_sink counter = mistakes_counter(&ret->mistakes);

        if (!prepare_check(snapshot_take(&counter, ret)))
                return false;
        mistakes_report(&ret->mistakes);
        return true;
}

const struct device_status *prepare_find(const struct snapshot *snapshot, const char *word) {
        const struct device_status *status = snapshot_find(snapshot, word);
        const struct config_line *line = status ? NULL : config_match(&snapshot->plan.config, word);

        if (line)
                log_error("%s: there is no such network device now; %s in %s is for it", word, line->name,
                          CONFIG_LINE_PLACE(line));
        else if (!status)
                (void)prepare_no_device(word, ", and no line for it",
                                        link_table_alike(&snapshot->links, word));
        return status;
}

void prepare_note_patterns(const struct snapshot *snapshot) {
        const struct config *config = &snapshot->plan.config;
        CLEANUP(cleanup_free) bool *is_used = calloc(config->n_lines + 1, sizeof(*is_used));

        for (size_t i = 0; is_used && config->n_patterns > 0 && i < snapshot->links.n_links; i++) {
                const struct config_line *line = config_match(config, snapshot->links.links[i].name);

                if (line)
                        is_used[line - config->lines] = true;
        }
        for (size_t i = 0; is_used && i < config->n_patterns; i++) {
                const struct config_line *line = &config->lines[config->patterns[i]];

                if (!is_used[config->patterns[i]])
                        log_info("%s: no device takes its MTU from this pattern now; %s", line->name,
                                 CONFIG_LINE_PLACE(line));
        }
}

const char *prepare_suggest(const struct link_table *links, const char *word,
                            char list[static PREPARE_LIST_SIZE]) {
        const char *alike = link_table_alike(links, word);
        size_t used = 0;

        *list = '\0';
        for (size_t i = 0; i < links->n_links && used < PREPARE_LIST_SIZE; i++)
                if (strcmp(links->links[i].name, "lo") != 0)
                        used += (size_t)snprintf(list + used, PREPARE_LIST_SIZE - used, "%s%s",
                                                 used > 0 ? ", " : "", links->links[i].name);
        if (used >= PREPARE_LIST_SIZE)
                strcpy(list + PREPARE_LIST_SIZE - sizeof("..."), "...");
        return alike ? alike : list;
}

int prepare_no_device(const char *word, const char *more, const char *meant) {
        if (meant && *meant)
                return log_fail(EXIT_CODE_ABSENT, "%s: there is no such network device%s; did you mean %s?",
                                word, more, meant);
        return log_fail(EXIT_CODE_ABSENT, "%s: there is no such network device%s", word, more);
}
