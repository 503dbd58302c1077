/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* From the wanted MTUs to what is to be done for each device. Everything is checked here, so that writers
 * need not: a bad plan cannot be built. No I/O. */

#include <stdbool.h>
#include <stddef.h>

#include "base/attributes.h"
#include "base/unit_name.h"
#include "config/config.h"

struct device_plan {
        const struct config_line *line; /* owned by the config */
        enum backend backend;           /* auto as well: who that is shows at the time */
        /* The name as it stands after `setmtu@` and in the device unit. */
        char instance[UNIT_NAME_ESCAPED_SIZE(INTERFACE_NAME_SIZE - 1)];
        /* A udev rule can name it: `==` in a rule matches a pattern, so a name with one of *?[]|"\ would
         * match other devices too, or none; and udev reads a "!" as "/". Its unit serves it all the same.
         * False where it is not for its unit to serve. */
        bool has_rule;
        bool is_kept; /* its unit has setmtu-keep.service put back what others change */
        /* The line of the device below it, as far as names tell: enp2s0 for the VLAN enp2s0.5. Its unit
         * starts after that one's. NULL where there is none, or no unit. */
        const struct config_line *lower;
};

struct plan {
        struct config config;        /* owned; what it is made of */
        struct device_plan *devices; /* in the order of the configuration */
        size_t n_devices;
        bool has_rules;  /* at least one device has one */
        bool has_others; /* at least one device is another program's: any backend but unit and auto */
        bool has_auto;   /* at least one device has backend auto */
        size_t n_units;  /* devices that their units serve */
        bool has_kept;   /* at least one of these is kept */
};

/* Reports on the device of a line; its name goes before the text. */
__attribute__((format(printf, 4, 5))) void plan_report(const struct diagnostic_sink *sink,
                                                       enum diagnostic_severity severity,
                                                       const struct config_line *line, const char *format,
                                                       ...);

/* Whether its unit serves the device: backend unit, and auto, where a manager may be told besides. */
NONNULL bool device_plan_has_unit(const struct device_plan *device);

/* With an empty configuration, for the caller to fill. */
NONNULL void plan_init(struct plan *ret);
/* Makes the devices from the configuration, which must stay as it is from then on. Lines that cannot be
 * carried out go to `sink` and not into the plan. -ENOMEM is the only error. */
MUST_USE NONNULL int plan_build(struct plan *plan, const struct diagnostic_sink *sink);
NONNULL void plan_free(struct plan *plan);

/* Whether there is anything for setmtu-configure to write. */
NONNULL bool plan_has_files(const struct plan *plan);

/* The device of the plan with this name, or NULL. */
NONNULL const struct device_plan *plan_find(const struct plan *plan, const char *name);
/* The one that a unit's instance means: the name that it is the escaped form of, or else the name as it
 * stands. */
NONNULL const struct device_plan *plan_find_instance(const struct plan *plan, const char *instance);
