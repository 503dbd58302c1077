/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Shell files that are read for their variables: ifcfg-*, netctl's profiles, rc.conf. */

#include "sources/reading.h"
#include "sources/shell.h"

struct variable {
        char *name;
        char *value;
        unsigned line;
        bool is_dynamic; /* only the shell can tell the value */
};

struct variables {
        struct variable *items; /* in the order of the file */
        size_t n_items;
};

/* Reads the assignments of a text, of which a later one may use an earlier one. A text that is no shell is
 * told to the sink. -ENOMEM. */
int variables_read(const struct reading *reading, struct variables *ret);
void variables_free(struct variables *variables);

/* The last assignment, or NULL. */
const struct variable *variables_find(const struct variables *variables, const char *name);
/* Its value, or NULL where there is none or it cannot be told. */
const char *variables_value(const struct variables *variables, const char *name);
