/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What to do for each device, derived from the wanted MTUs. All checks are here, so that writers need none.
 * No I/O. */

#include <stdbool.h>
#include <stddef.h>

#include "base/attributes.h"
#include "base/unit_name.h"
#include "config/config.h"

struct device_plan {
        const struct config_line *line; /* owned by the config */
        enum backend backend;           /* may be auto, which is resolved when it is used */
        /* The name as it stands after `setmtu@` and in the device unit. Each device of a pattern has its own
         * instead. */
        char instance[UNIT_NAME_ESCAPED_SIZE(INTERFACE_NAME_SIZE - 1)];
        bool is_kept; /* setmtu-keep.service restores its MTU when others change it, or what fits changes */
};

/* One that is all zeros is empty. */
struct plan {
        struct config config;        /* owned; the source of the plan */
        struct device_plan *devices; /* in the order of the configuration */
        size_t n_devices;
        bool has_others; /* at least one device has another backend than unit and auto */
        bool has_auto;   /* at least one device has backend auto */
        bool has_kept;   /* at least one device is kept */
        bool has_fits;   /* at least one line says auto as its value */
};

/* Reports on the device of a line; its name goes before the text. */
__attribute__((format(printf, 4, 5))) void plan_report(const struct diagnostic_sink *sink,
                                                       enum diagnostic_severity severity,
                                                       const struct config_line *line, const char *format,
                                                       ...);

/* Makes the devices from the configuration, which must not change afterwards. Lines that cannot take effect
 * are reported to `sink` and left out. -ENOMEM is the only error. */
MUST_USE NONNULL int plan_build(struct plan *plan, const struct diagnostic_sink *sink);
NONNULL void plan_free(struct plan *plan);

/* The device of the plan to which the line of this name belongs, as by config_match(), or NULL. */
NONNULL const struct device_plan *plan_find(const struct plan *plan, const char *name);
/* The device of a unit's instance: the one whose escaped name it is or, failing that, the one with that
 * name. */
NONNULL const struct device_plan *plan_find_instance(const struct plan *plan, const char *instance);
