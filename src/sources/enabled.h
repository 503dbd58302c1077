/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Which units are enabled on this machine: the links in *.wants and *.requires folders (systemd.unit(5)). */

#include <stdbool.h>

#include "base/folder.h"

struct enabled_units {
        struct folder units; /* their names, any number of times */
        bool has_systemd;    /* there is a folder of units at all */
};

/* -ENOMEM is the only error, and leaves `ret` untouched. */
int enabled_units_read(struct enabled_units *ret);
void enabled_units_free(struct enabled_units *enabled);

bool enabled_units_has(const struct enabled_units *enabled, const char *unit);

/* Whether the unit is installed and nothing asks for it: what it manages is not managed. False where it is
 * not known. */
bool enabled_units_is_off(const struct enabled_units *enabled, const char *unit);

/* Where unit files are, the first one that has a name first; NULL ends it. */
extern const char *const enabled_units_folders[];
