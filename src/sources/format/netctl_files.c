/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "base/text.h"
#include "sources/format/readers.h"
#include "sources/shell/script.h"
#include "sources/shell/shell.h"

/* Reads the commands in the variable `key`, which may use the name of the interface. Returns them; NULL:
 * there are none. */
static const char *read_commands(const struct source_parser *parser, const struct shell_variables *variables,
                                 enum source_kind kind, const char *key, struct shell_variable interface,
                                 const char *profile) {
        const struct shell_variable *command = shell_variables_find(variables, key);
        struct shell_variable items[] = { interface, { .name = "Profile", .value = profile } };
        const struct shell_variables known = { items, sizeof(items) / sizeof(items[0]) };

        if (!command)
                return NULL;
        script_read(parser, (struct mtu_source){ .kind = kind, .owner = profile, .line = command->line },
                    command->value, strlen(command->value), &known);
        return command->value;
}

void source_netctl_read_all(const struct source_parser *profile, const struct source_parser *files,
                            size_t n_files) {
        const struct shell_variable interface = { .name = "Interface",
                                                  .value = source_netctl_interface(profile) };
        const char *replaced = profile->inactive, *commands;

        for (size_t i = n_files; i > 0; i--) {
                struct source_parser parser = files[i - 1];
                const struct shell_variables variables = shell_file_read(&parser);

                if (!parser.inactive)
                        parser.inactive = replaced;
                commands = read_commands(&parser, &variables, SOURCE_NETCTL, "ExecUpPost", interface,
                                         text_base_name(profile->file));
                if (commands && !parser.inactive && !strstr(commands, "ExecUpPost"))
                        replaced = pool_print(source_pool(profile), "ExecUpPost= in %s replaces it",
                                              parser.file);
        }
}

void source_netctl_read(const struct source_parser *parser) {
        source_netctl_read_all(parser, parser, 1);
}

void source_netcfg_read(const struct source_parser *parser) {
        const struct shell_variables variables = shell_file_read(parser);
        const struct shell_variable interface = { .name = "INTERFACE",
                                                  .value = shell_variables_value(&variables, "INTERFACE") };
        const char *profile = text_base_name(parser->file);

        (void)read_commands(parser, &variables, SOURCE_NETCFG, "PRE_UP", interface, profile);
        (void)read_commands(parser, &variables, SOURCE_NETCFG, "POST_UP", interface, profile);
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
