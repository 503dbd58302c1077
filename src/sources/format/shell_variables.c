/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/format/shell_variables.h"

#include <string.h>

void shell_variables_add(struct pool *pool, struct shell_variables *variables,
                         struct shell_variable variable) {
        struct shell_variable *item = pool_add(pool, &variables->items, &variables->n_items, sizeof(*item));

        if (item)
                *item = variable;
}

const struct shell_variable *shell_variables_find(const struct shell_variables *variables, const char *name,
                                                  size_t size) {
        for (size_t i = variables->n_items; i > 0; i--) {
                const struct shell_variable *variable = &variables->items[i - 1];

                if (strlen(variable->name) == size && memcmp(variable->name, name, size) == 0)
                        return variable;
        }
        return NULL;
}

const char *shell_variables_value(const struct shell_variables *variables, const char *name) {
        const struct shell_variable *variable = shell_variables_find(variables, name, strlen(name));

        return variable && !variable->is_dynamic ? variable->value : NULL;
}
