/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/shell/shell_state.h"

#include <string.h>

/* A command counts for so many bytes, or variables that are copied. */
#define BYTES_MAX 64u
#define COPIES_MAX 16u

void shell_flow_charge(const struct shell_flow *flow, size_t size) {
        *flow->n_left -= *flow->n_left > size / BYTES_MAX ? (unsigned)(size / BYTES_MAX) : *flow->n_left;
}

struct shell_variables shell_known_copy(struct shell_flow *flow, const struct shell_variables *variables) {
        shell_flow_charge(flow, variables->n_items / COPIES_MAX * BYTES_MAX);
        return shell_variables_copy(flow->pool, variables, false);
}

struct shell_variables shell_known_merge(struct shell_flow *flow, const struct shell_variables *one,
                                         const struct shell_variables *other) {
        shell_flow_charge(flow, (one->n_items + other->n_items) / COPIES_MAX * BYTES_MAX);
        return shell_variables_merge(flow->pool, one, other);
}

struct shell_variables shell_known_unreachable(const struct shell_flow *flow) {
        return (struct shell_variables){ .is_all = flow->variables.is_all, .is_unreachable = true };
}

void shell_known_assign(struct shell_flow *flow, struct shell_variable variable) {
        const struct shell_variable *old = shell_variables_find(&flow->variables, variable.name);

        if (flow->is_trial)
                variable.is_dynamic = true;
        variable.is_exported |= flow->exports_all || (old && old->is_exported);
        shell_variables_set(flow->pool, &flow->variables, variable);
}

void shell_known_find(struct shell_flow *flow, const char *name, const char *value) {
        const struct shell_variable *old = shell_variables_find(&flow->variables, name);

        shell_known_assign(flow, (struct shell_variable){ .name = name,
                                                          .value = value,
                                                          .among = old ? old->among : NULL });
}

static void hold(struct shell_flow *flow, const struct shell_fact *fact) {
        const struct shell_variable *old = shell_variables_find(&flow->variables, fact->name);
        const char *values = fact->value ? fact->value : fact->values, *among = NULL;
        bool is_each = old && shell_values_are_each(old->among);

        if (!fact->is_not && (fact->value || !strchr(values, ' '))) {
                shell_known_find(flow, fact->name, values);
                return;
        }
        if (is_each && !fact->is_not)
                among = pool_print(flow->pool, "=%s", values);
        else if (is_each && old->is_dynamic)
                among = shell_values_without(flow->pool, old->among, values);
        if (among)
                shell_known_assign(flow, (struct shell_variable){ .name = fact->name,
                                                                  .is_dynamic = true,
                                                                  .among = among });
}

void shell_known_hold(struct shell_flow *flow, struct shell_variables *variables,
                      const struct shell_facts *facts) {
        const struct shell_variables before = flow->variables;

        flow->variables = *variables;
        for (size_t i = 0; i < facts->n_items; i++)
                hold(flow, &facts->items[i]);
        *variables = flow->variables;
        flow->variables = before;
}

const struct shell_variable *shell_known_each(const struct shell_flow *flow) {
        return flow->is_trial || flow->is_for_each ? NULL : shell_variables_find_each(&flow->variables);
}

void shell_known_export(struct shell_flow *flow, const char *name, bool is_exported) {
        const struct shell_variable *old = shell_variables_find(&flow->variables, name);
        struct shell_variable variable = old ? *old : (struct shell_variable){ .name = name };

        variable.is_exported = is_exported;
        shell_variables_set(flow->pool, &flow->variables, variable);
}

void shell_known_forget(struct shell_flow *flow, const char *name) {
        shell_known_assign(flow, (struct shell_variable){ .name = name, .is_dynamic = true });
}

struct shell_outcome shell_outcome_either(const struct shell_flow *flow) {
        return (struct shell_outcome){ .yes = flow->variables, .is_same = true };
}

struct shell_outcome shell_outcome_certain(const struct shell_flow *flow, bool is_success) {
        const struct shell_variables none = shell_known_unreachable(flow);

        return (struct shell_outcome){ .yes = is_success ? flow->variables : none,
                                       .no = is_success ? none : flow->variables };
}

struct shell_outcome shell_outcome_split(struct shell_flow *flow, struct shell_outcome outcome) {
        if (outcome.is_same)
                outcome.no = shell_known_copy(flow, &outcome.yes);
        outcome.is_same = false;
        return outcome;
}

struct shell_outcome shell_outcome_swap(struct shell_flow *flow, struct shell_outcome outcome) {
        outcome = shell_outcome_split(flow, outcome);
        return (struct shell_outcome){ .yes = outcome.no,
                                       .no = outcome.yes,
                                       .is_for_hook = outcome.is_for_hook };
}

void shell_outcome_add_branch(struct shell_flow *flow, struct shell_outcome *all,
                              struct shell_outcome branch) {
        branch = shell_outcome_split(flow, branch);
        all->yes = shell_known_merge(flow, &all->yes, &branch.yes);
        all->no = shell_known_merge(flow, &all->no, &branch.no);
}

struct shell_outcome shell_outcome_leave(struct shell_flow *flow, struct shell_variables *ends) {
        if (ends)
                *ends = shell_known_merge(flow, ends, &flow->variables);
        flow->variables = shell_known_unreachable(flow);
        return shell_outcome_either(flow);
}

void shell_outcome_join(struct shell_flow *flow, struct shell_outcome outcome) {
        flow->variables = outcome.is_same ? outcome.yes : shell_known_merge(flow, &outcome.yes, &outcome.no);
}
