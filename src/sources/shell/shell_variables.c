/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/shell/shell_variables.h"

#include <ctype.h>
#include <string.h>

#include "base/text.h"
#include "sources/parser/lines.h"

/* Only so many variables are known to a script. */
#define VARIABLES_MAX 256u

void shell_variables_add(struct pool *pool, struct shell_variables *variables,
                         struct shell_variable variable) {
        pool_put(pool, &variables->items, &variables->n_items, &variable, sizeof(variable));
}

const struct shell_variable *shell_variables_find_part(const struct shell_variables *variables,
                                                       const char *name, size_t size) {
        for (size_t i = variables->n_items; i > 0; i--) {
                const struct shell_variable *variable = &variables->items[i - 1];

                if (strlen(variable->name) == size && memcmp(variable->name, name, size) == 0)
                        return variable;
        }
        return NULL;
}

const struct shell_variable *shell_variables_find(const struct shell_variables *variables,
                                                  const char *name) {
        return shell_variables_find_part(variables, name, strlen(name));
}

const char *shell_variables_value(const struct shell_variables *variables, const char *name) {
        const struct shell_variable *variable = shell_variables_find(variables, name);

        return variable && !variable->is_dynamic ? variable->value : NULL;
}

bool shell_values_are_each(const char *among) {
        return among && (*among == '=' || strcmp(among, "!") == 0 || text_after(among, "! "));
}

const struct shell_variable *shell_variables_find_each(const struct shell_variables *variables) {
        for (size_t i = 0; i < variables->n_items; i++)
                if (variables->items[i].is_dynamic && variables->items[i].among &&
                    *variables->items[i].among == '=')
                        return &variables->items[i];
        return NULL;
}

void shell_variables_set(struct pool *pool, struct shell_variables *variables,
                         struct shell_variable variable) {
        const struct shell_variable *found = shell_variables_find(variables, variable.name);

        if (found)
                variables->items[found - variables->items] = variable;
        else if (variables->n_items < VARIABLES_MAX)
                shell_variables_add(pool, variables, variable);
}

struct shell_variables shell_variables_copy(struct pool *pool, const struct shell_variables *variables,
                                            bool only_exported) {
        struct shell_variables copy = *variables;

        copy.items = NULL;
        copy.n_items = 0;
        for (size_t i = 0; i < variables->n_items; i++)
                if (variables->items[i].is_exported || !only_exported)
                        shell_variables_add(pool, &copy, variables->items[i]);
        return copy;
}

static bool is_same(const struct shell_variable *one, const struct shell_variable *other) {
        if (one->is_dynamic || other->is_dynamic)
                return one->is_dynamic && other->is_dynamic && one->is_prefix == other->is_prefix;
        return one->value && other->value ? strcmp(one->value, other->value) == 0
                                          : one->value == other->value;
}

const char *shell_values_add(struct pool *pool, const char *values, const char *value) {
        if (!values || !*value || strpbrk(value, " \t\n") ||
            strlen(values) + strlen(value) > SHELL_AMONG_SIZE_MAX)
                return NULL;
        if (text_is_among(value, values))
                return values;
        return *values ? pool_print(pool, "%s %s", values, value) : value;
}

/* eth[0-3] */
const char *shell_values_add_pattern(struct pool *pool, const char *values, const char *text) {
        const char *open = strchr(text, '['), *close = open ? strchr(open, ']') : NULL;

        if (!close || strpbrk(text, "*?$`(\\!^") || strchr(open + 1, '[') || open[1] == ']')
                return NULL;
        for (const char *at = open + 1; at < close && values; at++) {
                bool is_range = at[1] == '-' && at + 2 < close;
                char last = is_range ? at[2] : *at;

                for (char c = *at; c <= last && values; c++)
                        values = shell_values_add(pool, values,
                                                  pool_print(pool, "%.*s%c%s", (int)(open - text), text, c,
                                                             close + 1));
                at += is_range ? 2 : 0;
        }
        return values;
}

const char *shell_values_without(struct pool *pool, const char *among, const char *values) {
        bool is_list = *among == '=';
        const char *left = is_list || !among[1] ? "" : among + strlen("! ");
        char *rest = pool_copy(pool, is_list ? among + 1 : values), *value;

        while (left && (value = lines_word(&rest)))
                if (!is_list || !text_is_among(value, values))
                        left = shell_values_add(pool, left, value);
        return left && *left ? pool_print(pool, "%s%s", is_list ? "=" : "! ", left) : NULL;
}

/* The `among` of a value that is one or the other. */
static const char *either(struct pool *pool, const struct shell_variable *one,
                          const struct shell_variable *other) {
        const struct shell_variable *both[] = { one, other };
        const char *values = "";

        if (!shell_values_are_each(one->among) || !shell_values_are_each(other->among))
                return one->among == other->among ? one->among : NULL;
        if (one->is_dynamic && other->is_dynamic && strcmp(one->among, other->among) == 0)
                return one->among;
        for (size_t i = 0; i < 2 && values; i++) {
                const char *known = both[i]->is_dynamic ? both[i]->among + 1 : both[i]->value;
                char *rest = pool_copy(pool, known ? known : ""), *value = lines_word(&rest);

                if (both[i]->is_dynamic && *both[i]->among == '!')
                        return "!";
                do
                        values = shell_values_add(pool, values, value ? value : "");
                while ((value = lines_word(&rest)));
        }
        if (!values)
                return "!";
        return strchr(values, ' ') ? pool_print(pool, "=%s", values) : one->among;
}

/* Makes unknown what `ret` and `other` do not agree on. A variable that is not set is nothing as a prefix.
 */
static void merge_into(struct pool *pool, struct shell_variables *ret, const struct shell_variables *other) {
        for (size_t i = 0; i < other->n_items; i++) {
                const struct shell_variable *item = &other->items[i], *found;
                struct shell_variable merged = *item;

                found = i < ret->n_items && strcmp(ret->items[i].name, item->name) == 0
                                        ? &ret->items[i]
                                        : shell_variables_find(ret, item->name);
                merged.among = found ? either(pool, found, item) : NULL;
                if (found && is_same(found, item)) {
                        ret->items[found - ret->items].is_assumed |= item->is_assumed;
                        ret->items[found - ret->items].among = merged.among;
                        continue;
                }
                merged.is_dynamic = true;
                merged.is_prefix &= found ? found->is_prefix : ret->is_all;
                shell_variables_set(pool, ret, merged);
        }
}

struct shell_variables shell_variables_merge(struct pool *pool, const struct shell_variables *one,
                                             const struct shell_variables *other) {
        struct shell_variables merged;

        if (one->is_unreachable || other->is_unreachable)
                return shell_variables_copy(pool, one->is_unreachable ? other : one, false);
        merged = shell_variables_copy(pool, one, false);
        if (merged.arguments != other->arguments)
                shell_variables_drop_arguments(&merged);
        merged.is_all = one->is_all && other->is_all;
        merge_into(pool, &merged, other);
        /* What only the first one has. */
        for (size_t i = 0; i < merged.n_items; i++) {
                struct shell_variable *item = &merged.items[i];

                if (!item->is_dynamic && !shell_variables_find(other, item->name)) {
                        item->is_dynamic = true;
                        item->among = NULL;
                        item->is_prefix &= other->is_all;
                }
        }
        return merged;
}

void shell_variables_drop_arguments(struct shell_variables *variables) {
        variables->arguments = NULL;
        for (size_t i = 0; i < variables->n_items; i++)
                if (isdigit((unsigned char)*variables->items[i].name)) {
                        variables->items[i].is_dynamic = true;
                        variables->items[i].among = NULL;
                }
}
