/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/openrc.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "sources/lines.h"
#include "sources/mtu_command.h"
#include "sources/variables.h"

#define MTU_PREFIX "mtu_"
#define VLANS_PREFIX "vlans_"

/* In a variable's name each character that cannot be in one is a "_" (shell_var in OpenRC). */
static bool is_spelled(const char *variable, const char *device) {
        for (; *variable && *device; variable++, device++)
                if (*variable != *device && *variable != '_')
                        return false;
        return !*variable && !*device;
}

/* Adds a VLAN that the file itself makes and that is meant. 1 where one is. */
static int add_vlan(const struct reading *reading, const struct variables *variables, struct draft *draft,
                    const char *spelled) {
        for (size_t i = 0; i < variables->n_items; i++) {
                const struct variable *vlans = &variables->items[i];
                CLEANUP(cleanup_free) char *words = NULL;
                char *rest, *word;

                if (strncmp(vlans->name, VLANS_PREFIX, strlen(VLANS_PREFIX)) != 0 || vlans->is_dynamic)
                        continue;
                rest = words = strdup(vlans->value);
                if (!words)
                        return -ENOMEM;
                while ((word = lines_word(&rest))) {
                        CLEANUP(cleanup_free) char *device = NULL;
                        int r;

                        if (asprintf(&device, "%s.%s", vlans->name + strlen(VLANS_PREFIX), word) < 0) {
                                device = NULL;
                                return -ENOMEM;
                        }
                        if (!is_spelled(spelled, device))
                                continue;
                        draft->match = FINDING_NAME;
                        draft->device = device;
                        r = reading_add(reading, VALUE_C, draft);
                        return r < 0 ? r : 1;
                }
        }
        return 0;
}

static int add_mtu(const struct reading *reading, const struct variables *variables,
                   const struct variable *variable) {
        CLEANUP(cleanup_free) char *pattern = strdup(variable->name + strlen(MTU_PREFIX));
        struct draft draft = {
                .source = SOURCE_OPENRC,
                .match = FINDING_NAME,
                .device = pattern,
                .line = variable->line,
                .value = variable->value,
                .unclear = variable->is_dynamic ? "it is told only when the script runs" : NULL,
        };
        int r;

        if (!pattern)
                return -ENOMEM;
        if (strchr(pattern, '_')) {
                r = add_vlan(reading, variables, &draft, pattern);
                if (r != 0)
                        return r < 0 ? r : 0;
                /* It stands for any character. */
                for (char *c = pattern; *c; c++)
                        *c = *c == '_' ? '?' : *c;
                draft.match = FINDING_GLOB;
                draft.device = pattern;
        }
        return reading_add(reading, VALUE_C, &draft);
}

int source_openrc_read(const struct reading *reading) {
        const struct mtu_command_context context = { .source = SOURCE_OPENRC };
        CLEANUP(variables_free) struct variables variables = { 0 };
        int r = variables_read(reading, &variables);

        for (size_t i = 0; i < variables.n_items && r == 0; i++) {
                const char *name = variables.items[i].name;

                if (strncmp(name, MTU_PREFIX, strlen(MTU_PREFIX)) == 0 && name[strlen(MTU_PREFIX)] &&
                    *variables.items[i].value)
                        r = add_mtu(reading, &variables, &variables.items[i]);
        }
        /* preup() and its kin. The quotes have been complained of already. */
        if (r == 0) {
                struct shell_command command;
                struct shell shell;

                shell_open(&shell, reading->text, reading->size, NULL, 0);
                while (r == 0 && (r = shell_next(&shell, &command)) > 0) {
                        r = mtu_command_read(reading, &context, &command, command.line);
                        shell_command_free(&command);
                }
        }
        return r;
}
