/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "backends/backend.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/whole_file.h"
#include "plan/device_status.h"
#include "state/unit_state.h"

bool backend_can_write(const struct rendering *rendering, const struct device_plan *device) {
        const struct config_line *line = device->line;
        const struct link *link = rendering->links ? link_table_by_name(rendering->links, line->name) : NULL;
        struct device_status status;

        if (backend_has_unit(device->backend) && unit_is_device_masked(line->name) > 0)
                return false;
        /* The name may be an alternative one. */
        if (line->spec.mtu == MTU_MAX || !link || strcmp(link->name, line->name) != 0)
                return line->spec.mtu != MTU_MAX;
        status = device_status_of(link, line);
        if (status.state == DEVICE_STATE_IMPOSSIBLE && !backend_has_unit(device->backend))
                plan_report(rendering->sink, DIAGNOSTIC_ERROR, line, "%s",
                            DEVICE_FAULT(link, status.wanted));
        return status.state != DEVICE_STATE_IMPOSSIBLE;
}

static enum diagnostic_severity severity_of(const struct device_plan *device) {
        return backend_has_unit(device->backend) ? DIAGNOSTIC_WARNING : DIAGNOSTIC_ERROR;
}

int backend_is_free(const struct rendering *rendering, const struct device_plan *device, const char *path) {
        char hiding[PATH_MAX];
        int is_hidden, r;

        snprintf(hiding, sizeof(hiding), "/etc%s", text_after(path, "/run"));
        is_hidden = whole_file_exists(hiding);
        r = is_hidden == 0 ? generated_file_is_ours(path) : is_hidden;
        if (r == -ENOENT)
                r = 1;
        if (r < 0)
                diagnostic_report_file(rendering->sink, is_hidden < 0 ? hiding : path,
                                       "cannot be read: %s; setmtu's own files stay", strerror(-r));
        else if (is_hidden)
                plan_report(rendering->sink, severity_of(device), device->line,
                            "%s hides %s; remove it or rename it", hiding, path);
        else if (r == 0)
                plan_report(rendering->sink, severity_of(device), device->line,
                            "%s was not written by setmtu and is left alone; remove it or rename it", path);
        return is_hidden > 0 ? 0 : r;
}
