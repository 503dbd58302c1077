/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "store/load_plan.h"

#include "base/log.h"
#include "store/config_files.h"

int load_plan(const struct diagnostic_sink *sink, struct plan *ret) {
        int r;

        *ret = (struct plan){ .n_devices = 0 };
        r = config_files_read(&ret->config, sink);
        if (r == 0)
                r = plan_build(ret, sink);
        if (r < 0)
                plan_free(ret);
        return r;
}

static void log_each(void *userdata, const struct diagnostic *diagnostic) {
        bool is_error = diagnostic->severity == DIAGNOSTIC_ERROR;

        (void)userdata;
        log_message(is_error ? LOG_PRIORITY_ERROR : LOG_PRIORITY_WARNING, "%s",
                    DIAGNOSTIC_FORMAT(diagnostic));
}

const struct diagnostic_sink load_plan_log = { .report = log_each };

static void log_unread(void *userdata, const struct diagnostic *diagnostic) {
        if (diagnostic->whole_file)
                log_each(userdata, diagnostic);
}

const struct diagnostic_sink load_plan_unread = { .report = log_unread };
