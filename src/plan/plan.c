/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "plan/plan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void plan_free(struct plan *plan) {
        free(plan->devices);
        *plan = (struct plan){ 0 };
}

/* Whether the backend can do what the line wants; told where it cannot. */
static bool is_served(const struct config_line *line, enum backend backend,
                      const struct diagnostic_sink *sink) {
        const char *name = backend_name(backend);

        switch (backend) {
        case BACKEND_UNIT:
                return true;
        case BACKEND_LINK:
        case BACKEND_NETWORK:
        case BACKEND_NETWORKD:
                if (line->request.mtu == MTU_MAX) {
                        diagnostic_report(sink, DIAGNOSTIC_ERROR, line->file, line->line, line->name,
                                          "%s: backend %s has no max; write a number, or use backend=unit",
                                          line->name, name);
                        return false;
                }
                if (line->request.up)
                        diagnostic_report(sink, DIAGNOSTIC_WARNING, line->file, line->line, line->name,
                                          "%s: up has no effect with backend %s; it sets the MTU only",
                                          line->name, name);
                return true;
        case BACKEND_NETWORKMANAGER:
        case BACKEND_NETCTL:
        case BACKEND_AUTO:
        case BACKEND_COUNT:
                break;
        }
        diagnostic_report(sink, DIAGNOSTIC_ERROR, line->file, line->line, line->name,
                          "%s: backend %s is not built in; use backend=unit", line->name, name);
        return false;
}

int plan_build(const struct config *config, const struct diagnostic_sink *sink, struct plan *ret) {
        struct plan plan = { 0 };

        plan.devices = calloc(config->n_lines ? config->n_lines : 1, sizeof(*plan.devices));
        if (!plan.devices)
                return -ENOMEM;

        for (size_t i = 0; i < config->n_lines; i++) {
                const struct config_line *line = &config->lines[i];
                enum backend backend = line->request.has_backend ? line->request.backend : config->backend;
                struct plan_device *device = &plan.devices[plan.n_devices];

                if (!is_served(line, backend, sink))
                        continue;
                device->line = line;
                device->backend = backend;
                unit_name_escape(line->name, device->instance);
                device->has_rule = backend == BACKEND_UNIT && !strpbrk(line->name, "*?[]|\"\\!");
                plan.has_rules |= device->has_rule;
                plan.n_units += backend == BACKEND_UNIT;
                plan.n_devices++;
        }
        *ret = plan;
        return 0;
}

bool plan_has_files(const struct plan *plan) {
        return plan->has_rules || plan->n_units < plan->n_devices;
}

static int by_line(const void *a, const void *b) {
        const struct plan_device *x = a, *y = b;

        return (x->line > y->line) - (x->line < y->line);
}

const struct plan_device *plan_find(const struct plan *plan, const struct config *config, const char *name) {
        struct plan_device wanted = { .line = config_find(config, name) };

        /* They are in the configuration's order, some left out. */
        if (!wanted.line || plan->n_devices == 0)
                return NULL;
        return bsearch(&wanted, plan->devices, plan->n_devices, sizeof(wanted), by_line);
}

const struct plan_device *plan_find_instance(const struct plan *plan, const struct config *config,
                                             const char *instance) {
        char name[INTERFACE_NAME_SIZE];
        const struct plan_device *device = NULL;

        if (unit_name_unescape(instance, name, sizeof(name)))
                device = plan_find(plan, config, name);
        return device ? device : plan_find(plan, config, instance);
}
