/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "sources/format/readers.h"
#include "sources/shell/shell.h"

/* All of rc.conf. */
struct rc_conf {
        const struct source_parser *parser;
        struct shell_variables variables;
};

/* The last of several assignments counts. */
static bool is_last(const struct rc_conf *conf, const struct shell_variable *variable) {
        return shell_variables_find(&conf->variables, variable->name) == variable;
}

/* The values in ifconfig_NAME, the last of each. */
struct said {
        const char *mtu;
        const char *parent; /* vlandev */
        unsigned line;      /* of the MTU */
};

/* Adds those of the variable. */
static void read_words(const struct rc_conf *conf, const struct shell_variable *variable,
                       struct said *said) {
        char *rest = pool_copy(source_pool(conf->parser), variable->value), *word;

        while ((word = lines_word(&rest))) {
                bool is_mtu = strcmp(word, "mtu") == 0;
                const char *next = is_mtu || strcmp(word, "vlandev") == 0 ? lines_word(&rest) : NULL;

                if (next && is_mtu) {
                        said->mtu = next;
                        said->line = variable->line;
                } else if (next)
                        said->parent = next;
        }
}

/* ifconfig_alc0, ifconfig_alc0_ipv6 and ifconfig_alc0_alias1 are all for alc0. The variable of a VLAN has a
 * "_" for the "." in its name, too. */
static bool is_suffix(const char *rest) {
        return *rest == '\0' || strcmp(rest, "_ipv6") == 0 || text_after(rest, "_alias");
}

/* Reads all settings of a device, spelled as in a variable's name. */
static struct said read_device(const struct rc_conf *conf, const char *spelled) {
        struct said said = { 0 };

        for (size_t i = 0; i < conf->variables.n_items; i++) {
                const struct shell_variable *variable = &conf->variables.items[i];
                const char *name = text_after(variable->name, "ifconfig_");
                const char *suffix = name ? text_after(name, spelled) : NULL;

                if (suffix && is_suffix(suffix) && is_last(conf, variable))
                        read_words(conf, variable, &said);
        }
        return said;
}

/* Adds a device with its own MTU or its parent's. */
static void add_device(const struct rc_conf *conf, const char *device, const char *parent, unsigned line) {
        struct mtu_source source = { .kind = SOURCE_FREEBSD, .match = MATCH_NAME, .device = device };
        char *spelled = pool_copy(source_pool(conf->parser), device);
        struct said said;

        for (char *c = spelled; *c; c++)
                if (strchr(".-/+", *c))
                        *c = '_';
        said = read_device(conf, spelled);
        source.line = said.mtu ? said.line : line;
        if (source_find(conf->parser, device))
                return;
        if (said.mtu) {
                source.value = said.mtu;
                source.unclear = strchr(said.mtu, '$') ? "only the running script knows it" : NULL;
        } else if (!source_inherit(conf->parser, parent ? parent : said.parent, &source))
                return;
        source_add(conf->parser, VALUE_DECIMAL, &source);
}

/* vlans_alc0="5 storage0": a number is short for alc0.5. */
static void add_vlans(const struct rc_conf *conf) {
        struct pool *pool = source_pool(conf->parser);

        for (size_t i = 0; i < conf->variables.n_items; i++) {
                const struct shell_variable *variable = &conf->variables.items[i];
                const char *parent = text_after(variable->name, "vlans_");
                char *rest, *word;

                if (!parent || variable->is_dynamic || !is_last(conf, variable))
                        continue;
                rest = pool_copy(pool, variable->value);
                while ((word = lines_word(&rest))) {
                        bool is_number = word[strspn(word, "0123456789")] == '\0';

                        add_device(conf, is_number ? pool_print(pool, "%s.%s", parent, word) : word, parent,
                                   variable->line);
                }
        }
}

/* Whether `spelled` is for a VLAN, whose real name does not follow from it. */
static bool is_vlan(const struct rc_conf *conf, const char *spelled) {
        for (size_t i = 0; i < conf->variables.n_items; i++) {
                const char *parent = text_after(conf->variables.items[i].name, "vlans_");
                const char *rest = parent ? text_after(spelled, parent) : NULL;

                if (rest && *rest == '_')
                        return true;
        }
        return false;
}

/* Adds the devices with an ifconfig_ line, either those with a parent or those without. */
static void add_devices(const struct rc_conf *conf, bool with_parent) {
        struct pool_list devices = { 0 }; /* that were looked at */

        for (size_t i = 0; i < conf->variables.n_items; i++) {
                const struct shell_variable *variable = &conf->variables.items[i];
                const char *name = text_after(variable->name, "ifconfig_");
                struct said said = { 0 };
                char *device, *suffix;

                if (!name)
                        continue;
                read_words(conf, variable, &said);
                if (with_parent != (said.parent != NULL))
                        continue;
                device = pool_copy(source_pool(conf->parser), name);
                suffix = strrchr(device, '_');
                if (suffix && is_suffix(suffix))
                        *suffix = '\0';
                if (!*device || is_vlan(conf, device))
                        continue;
                if (strcmp(device, "DEFAULT") != 0) {
                        if (pool_list_add(source_pool(conf->parser), &devices, device))
                                add_device(conf, device, NULL, variable->line);
                } else if (said.mtu)
                        source_add(conf->parser, VALUE_DECIMAL,
                                   &(struct mtu_source){ .kind = SOURCE_FREEBSD,
                                                         .line = variable->line,
                                                         .value = said.mtu });
        }
}

void source_freebsd_read(const struct source_parser *parser) {
        const struct rc_conf conf = { parser, shell_file_read(parser) };

        add_devices(&conf, false);
        /* Devices with a parent may take its MTU. */
        add_devices(&conf, true);
        add_vlans(&conf);
}
