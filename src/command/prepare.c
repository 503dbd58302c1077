/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "command/prepare.h"

#include <errno.h>
#include <string.h>

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

bool prepare_format(const char *command, const char *format, const char *json) {
        if (format && strcmp(format, "openmetrics") != 0)
                return log_fail(false, "%s: --format: \"%.64s\" is unknown; use openmetrics", command,
                                format);
        return !format || !json || log_fail(false, "%s: --format and --json exclude each other", command);
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

int prepare_no_device(const char *word, const char *more, const char *meant) {
        if (meant)
                return log_fail(EXIT_CODE_ABSENT, "%s: there is no such network device%s; did you mean %s?",
                                word, more, meant);
        return log_fail(EXIT_CODE_ABSENT, "%s: there is no such network device%s", word, more);
}
