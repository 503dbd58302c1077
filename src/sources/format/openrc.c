/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "sources/format/readers.h"
#include "sources/format/script.h"

/* A variable's name has a "_" for each character that it cannot have (shell_var in OpenRC). */
static bool is_spelled(const char *variable, const char *device) {
        for (; *variable && *device; variable++, device++)
                if (*variable != *device && *variable != '_')
                        return false;
        return !*variable && !*device;
}

/* The VLAN of this file whose name is spelled so. NULL: none. */
static const char *find_vlan(struct pool *pool, const struct shell_variables *variables,
                             const char *spelled) {
        for (size_t i = 0; i < variables->n_items; i++) {
                const struct shell_variable *vlans = &variables->items[i];
                const char *parent = text_after(vlans->name, "vlans_");
                char *rest, *word;

                if (!parent || vlans->is_dynamic)
                        continue;
                rest = pool_copy(pool, vlans->value);
                while ((word = lines_word(&rest))) {
                        const char *device = pool_print(pool, "%s.%s", parent, word);

                        if (is_spelled(spelled, device))
                                return device;
                }
        }
        return NULL;
}

static void add_mtu(const struct source_parser *parser, const struct shell_variables *variables,
                    const struct shell_variable *variable, const char *spelled) {
        char *pattern = pool_copy(source_pool(parser), spelled);
        const char *vlan = strchr(pattern, '_') ? find_vlan(source_pool(parser), variables, pattern) : NULL;
        struct mtu_source source = {
                .kind = SOURCE_OPENRC,
                .line = variable->line,
                .value = variable->value,
                .unclear = variable->is_dynamic ? "only the running script knows it" : NULL,
        };

        /* A "_" may be any character. */
        for (char *c = pattern; *c; c++)
                *c = *c == '_' ? '?' : *c;
        match_set_word(&source, vlan ? vlan : pattern);
        source_add(parser, VALUE_C, &source);
}

static void ignore(void *userdata, const struct diagnostic *diagnostic) {
        (void)userdata;
        (void)diagnostic;
}

void source_openrc_read(const struct source_parser *parser) {
        const struct shell_variables variables = shell_variables_read(parser);
        const struct diagnostic_sink silent = { .report = ignore };
        struct source_parser commands = *parser;

        for (size_t i = 0; i < variables.n_items; i++) {
                const char *spelled = text_after(variables.items[i].name, "mtu_");

                if (spelled && *spelled && *variables.items[i].value)
                        add_mtu(parser, &variables, &variables.items[i], spelled);
        }
        /* Commands in preup() and similar functions. What is wrong with the text has been reported already.
         */
        commands.sink = &silent;
        script_read(&commands, (struct mtu_source){ .kind = SOURCE_OPENRC, .line = 1 }, parser->text,
                    parser->size, NULL);
}
