/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "plan/device_plan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

void plan_free(struct plan *plan) {
        free(plan->devices);
        config_free(&plan->config);
        *plan = (struct plan){ .n_devices = 0 };
}

void plan_report(const struct diagnostic_sink *sink, enum diagnostic_severity severity,
                 const struct config_line *line, const char *format, ...) {
        char text[DIAGNOSTIC_TEXT_SIZE];

        TEXT_FORMAT(text, sizeof(text), format);
        diagnostic_report(sink, severity, line->file, line->line, line->name, "%s: %s", line->name, text);
}

/* Whether a backend without a unit can carry out the line. Reports what it cannot do. */
static bool is_served(const struct config_line *line, enum backend backend,
                      const struct diagnostic_sink *sink) {
        const char *name = backend_name(backend);

        if (line->spec.mtu == MTU_MAX) {
                plan_report(sink, DIAGNOSTIC_ERROR, line,
                            "backend %s does not support %s; write a number, or use backend=unit", name,
                            line->spec.is_auto ? "auto" : "max");
                return false;
        }
        if (line->spec.up)
                plan_report(sink, DIAGNOSTIC_WARNING, line,
                            "up has no effect with backend %s; it sets the MTU only", name);
        if (line->spec.keep)
                plan_report(sink, DIAGNOSTIC_WARNING, line,
                            "keep has no effect with backend %s; use backend=auto or unit", name);
        return true;
}

int plan_build(struct plan *plan, const struct diagnostic_sink *sink) {
        const struct config *config = &plan->config;

        plan->devices = calloc(config->n_lines + 1, sizeof(*plan->devices));
        if (!plan->devices)
                return -ENOMEM;

        for (size_t i = 0; i < config->n_lines; i++) {
                const struct config_line *line = &config->lines[i];
                enum backend backend = line->spec.has_backend ? line->spec.backend : config->backend;
                struct device_plan *device = &plan->devices[plan->n_devices];
                bool has_unit = backend_has_unit(backend);

                if (!has_unit && !is_served(line, backend, sink))
                        continue;
                device->line = line;
                device->backend = backend;
                unit_name_escape(line->name, device->instance);
                device->is_kept = has_unit && (line->spec.keep || config->keep || line->spec.is_auto);
                plan->has_fits |= line->spec.is_auto;
                plan->has_kept |= device->is_kept;
                plan->has_others |= !has_unit;
                plan->has_auto |= backend == BACKEND_AUTO;
                plan->n_devices++;
        }
        return 0;
}

static int by_line(const void *a, const void *b) {
        const struct device_plan *x = a, *y = b;

        return (x->line > y->line) - (x->line < y->line);
}

const struct device_plan *plan_find(const struct plan *plan, const char *name) {
        struct device_plan wanted = { .line = config_match(&plan->config, name) };

        /* The devices are in the order of the configuration's lines, with gaps. */
        if (!wanted.line || plan->n_devices == 0)
                return NULL;
        return bsearch(&wanted, plan->devices, plan->n_devices, sizeof(wanted), by_line);
}

const struct device_plan *plan_find_instance(const struct plan *plan, const char *instance) {
        char name[INTERFACE_NAME_SIZE];
        const struct device_plan *device = NULL;

        /* What a pattern matches may be no name: br-lan is br/lan unescaped. */
        if (unit_name_unescape(instance, name, sizeof(name)) && !interface_name_fault(name))
                device = plan_find(plan, name);
        return device ? device : plan_find(plan, instance);
}
