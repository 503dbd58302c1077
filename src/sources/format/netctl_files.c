/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "base/text.h"
#include "sources/format/readers.h"
#include "sources/shell/script.h"
#include "sources/shell/shell_file.h"

/* Reads the commands in the variable `key`, which may use the variable `interface_key`. */
static void read_commands(const struct source_parser *parser, const struct shell_variables *variables,
                          enum source_kind kind, const char *key, const char *interface_key) {
        const struct shell_variable *command = shell_variables_find(variables, key, strlen(key));
        const char *profile = text_base_name(parser->file);
        struct shell_variable items[] = {
                { .name = interface_key, .value = shell_variables_value(variables, interface_key) },
                { .name = "Profile", .value = profile },
        };
        const struct shell_variables known = { items, sizeof(items) / sizeof(items[0]) };

        if (command)
                script_read(parser,
                            (struct mtu_source){ .kind = kind, .owner = profile, .line = command->line },
                            command->value, strlen(command->value), &known);
}

void source_netctl_read(const struct source_parser *parser) {
        const struct shell_variables variables = shell_file_read(parser);

        read_commands(parser, &variables, SOURCE_NETCTL, "ExecUpPost", "Interface");
}

void source_netcfg_read(const struct source_parser *parser) {
        const struct shell_variables variables = shell_file_read(parser);

        read_commands(parser, &variables, SOURCE_NETCFG, "PRE_UP", "INTERFACE");
        read_commands(parser, &variables, SOURCE_NETCFG, "POST_UP", "INTERFACE");
}

void source_netctl_hook_read(const struct source_parser *parser) {
        struct shell_variable interface = { .name = "Interface", .value = text_base_name(parser->file) };
        const struct shell_variables known = { &interface, 1 };

        script_read(parser, (struct mtu_source){ .kind = SOURCE_NETCTL, .line = 1 }, parser->text,
                    parser->size, strstr(parser->file, "/interfaces/") ? &known : NULL);
}

const char *source_netctl_interface(const struct source_parser *parser) {
        const struct shell_variables variables = shell_file_read(parser);

        return shell_variables_value(&variables, "Interface");
}
