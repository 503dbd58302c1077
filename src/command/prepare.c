/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "command/prepare.h"

#include "base/exit_code.h"
#include "base/log.h"

const struct device_status *prepare_find(const struct snapshot *snapshot, const char *word) {
        const struct device_status *status = snapshot_find(snapshot, word);

        if (!status)
                (void)prepare_no_device(word, ", and no line for it",
                                        link_table_alike(&snapshot->links, word));
        return status;
}

int prepare_no_device(const char *word, const char *more, const char *meant) {
        if (meant && *meant)
                return log_fail(EXIT_CODE_ABSENT, "%s: there is no such network device%s; did you mean %s?",
                                word, more, meant);
        return log_fail(EXIT_CODE_ABSENT, "%s: there is no such network device%s", word, more);
}
