/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/netctl.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "sources/mtu_command.h"
#include "sources/variables.h"

static const char *last_part(const char *path) {
        const char *slash = strrchr(path, '/');

        return slash ? slash + 1 : path;
}

/* Reads the commands in the variables `keys`, which may ask for `interface_key` again. */
static int read_commands(const struct reading *reading, enum source source, const char *interface_key,
                         const char *const *keys) {
        CLEANUP(variables_free) struct variables variables = { 0 };
        const struct mtu_command_context context = { .source = source, .owner = last_part(reading->file) };
        int r = variables_read(reading, &variables);

        for (; *keys && r == 0; keys++) {
                const struct variable *command = variables_find(&variables, *keys);
                const struct shell_variable known[] = {
                        { interface_key, variables_value(&variables, interface_key) },
                        { "Profile", last_part(reading->file) },
                };

                if (command)
                        r = mtu_command_read_script(reading, &context, command->value,
                                                    strlen(command->value), known,
                                                    sizeof(known) / sizeof(known[0]), command->line);
        }
        return r;
}

int source_netctl_read(const struct reading *reading) {
        static const char *const keys[] = { "ExecUpPost", NULL };

        return read_commands(reading, SOURCE_NETCTL, "Interface", keys);
}

int source_netcfg_read(const struct reading *reading) {
        static const char *const keys[] = { "PRE_UP", "POST_UP", NULL };

        return read_commands(reading, SOURCE_NETCFG, "INTERFACE", keys);
}

int source_netctl_hook_read(const struct reading *reading) {
        const struct mtu_command_context context = { .source = SOURCE_NETCTL };
        bool is_for_one = strstr(reading->file, "/interfaces/") != NULL;
        const struct shell_variable known = { "Interface", last_part(reading->file) };

        return mtu_command_read_script(reading, &context, reading->text, reading->size, &known,
                                       is_for_one ? 1 : 0, 1);
}

int source_netctl_interface(const struct reading *reading, char **ret) {
        CLEANUP(variables_free) struct variables variables = { 0 };
        const char *value;
        int r = variables_read(reading, &variables);

        if (r < 0)
                return r;
        value = variables_value(&variables, "Interface");
        *ret = value ? strdup(value) : NULL;
        return value && !*ret ? -ENOMEM : 0;
}
