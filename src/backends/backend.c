/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "backends/backend.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "plan/device_status.h"

bool backend_can_write(const struct rendering *rendering, const struct device_plan *device) {
        return device->line->spec.mtu != MTU_MAX &&
               device_status_is_possible(device->line, rendering->links,
                                         backend_has_unit(device->backend) ? NULL : rendering->sink);
}

static enum diagnostic_severity severity_of(const struct device_plan *device) {
        return backend_has_unit(device->backend) ? DIAGNOSTIC_WARNING : DIAGNOSTIC_ERROR;
}

bool backend_report_unread(const struct rendering *rendering, const char *path, int error) {
        diagnostic_report_file(rendering->sink, TEXT_SHOW(path),
                               "cannot be read: %s; setmtu's own files stay", strerror(-error));
        return false;
}

bool backend_is_free(const struct rendering *rendering, const struct device_plan *device, const char *path) {
        int r = generated_file_is_free(path);

        if (r > 0)
                return true;
        if (r < 0)
                return backend_report_unread(rendering, path, r);
        plan_report(rendering->sink, severity_of(device), device->line,
                    "%s was not written by setmtu and is left alone; remove it or rename it", path);
        return false;
}

bool backend_is_hidden(const struct rendering *rendering, const struct device_plan *device,
                       const char *hiding, const char *path) {
        if (!hiding)
                return false;
        plan_report(rendering->sink, severity_of(device), device->line,
                    "%s hides %s; remove it or rename it", hiding, path);
        return true;
}
