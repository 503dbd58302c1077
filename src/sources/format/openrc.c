/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <fnmatch.h>
#include <string.h>

#include "sources/format/readers.h"
#include "sources/shell/script.h"
#include "sources/shell/shell.h"

/* A variable's name has a "_" for each character that it cannot have (shell_var in OpenRC). */
static bool is_spelled(const char *variable, const char *device) {
        for (; *variable && *device; variable++, device++)
                if (*variable != *device && *variable != '_')
                        return false;
        return !*variable && !*device;
}

/* A VLAN, and how variables call it beside its name: by its number, alone or on its device (net/vlan.sh in
 * netifrc). */
struct vlan {
        const char *device;
        const char *parent;    /* as in variables */
        const char *by_number; /* vlan2 */
        const char *by_both;   /* eth0_vlan2 */
};

struct vlans {
        struct vlan *items;
        size_t n_items;
};

static const char *name_of(struct pool *pool, const struct shell_variables *variables, const char *vlan) {
        return shell_variables_value(variables, pool_print(pool, "%s_name", vlan));
}

/* Those of lines such as vlans_eth0="2 3". */
static struct vlans read_vlans(struct pool *pool, const struct shell_variables *variables) {
        struct vlans vlans = { 0 };

        for (size_t i = 0; i < variables->n_items; i++) {
                const struct shell_variable *variable = &variables->items[i];
                const char *parent = text_after(variable->name, "vlans_");
                char *rest = pool_copy(pool, parent && !variable->is_dynamic ? variable->value : ""), *word;

                while (vlans.n_items < SOURCES_MAX && (word = lines_word(&rest))) {
                        struct vlan vlan = { .parent = parent };

                        vlan.by_number = pool_print(pool, "vlan%s", word);
                        vlan.by_both = pool_print(pool, "%s_%s", parent, vlan.by_number);
                        vlan.device = name_of(pool, variables, vlan.by_both);
                        if (!vlan.device)
                                vlan.device = name_of(pool, variables, vlan.by_number);
                        if (!vlan.device)
                                vlan.device = pool_print(pool, "%s.%s", parent, word);
                        pool_put(pool, &vlans.items, &vlans.n_items, &vlan, sizeof(vlan));
                }
        }
        return vlans;
}

/* Why OpenRC does not start net.DEVICE. */
static const char *why_idle(struct pool *pool, const char *idle, const char *spelled) {
        char *rest = pool_copy(pool, idle), *service;

        while ((service = lines_word(&rest)))
                if (is_spelled(spelled, service + strlen("net.")))
                        return pool_print(pool, "%s is in no runlevel", service);
        return NULL;
}

static void add_mtu(const struct source_parser *parser, const char *idle, const struct vlans *vlans,
                    const struct shell_variable *variable, const char *spelled) {
        char *pattern = pool_copy(source_pool(parser), spelled);
        struct mtu_source source = {
                .kind = SOURCE_OPENRC,
                .line = variable->line,
                .value = variable->value,
                .unclear = variable->is_dynamic ? "only the running script knows it" : NULL,
        };
        bool is_vlan = false;

        for (size_t i = 0; i < vlans->n_items; i++) {
                const struct vlan *vlan = &vlans->items[i];

                if (!is_spelled(spelled, vlan->device) && strcmp(spelled, vlan->by_number) != 0 &&
                    strcmp(spelled, vlan->by_both) != 0)
                        continue;
                match_set(&source, MATCH_NAME, vlan->device);
                /* The device below starts it. */
                source.inactive = why_idle(source_pool(parser), idle, vlan->parent);
                source_add(parser, VALUE_C, &source);
                is_vlan = true;
        }
        if (is_vlan)
                return;
        /* A "_" may be any character. */
        for (char *c = pattern; *c; c++)
                *c = *c == '_' ? '?' : *c;
        match_set_word(&source, pattern);
        source.inactive = why_idle(source_pool(parser), idle, spelled);
        source_add(parser, VALUE_C, &source);
}

void source_openrc_read(const struct source_parser *parser) {
        source_openrc_read_started(parser, "");
}

void source_openrc_read_started(const struct source_parser *parser, const char *idle) {
        const struct shell_variables variables = shell_file_read(parser);
        const struct vlans vlans = read_vlans(source_pool(parser), &variables);
        struct source_parser commands = *parser;

        for (size_t i = 0; i < variables.n_items; i++) {
                const char *spelled = text_after(variables.items[i].name, "mtu_");

                if (spelled && *spelled && *variables.items[i].value)
                        add_mtu(parser, idle, &vlans, &variables.items[i], spelled);
                if (text_after(variables.items[i].name, "pppd_"))
                        source_ppp_options(parser, variables.items[i].value, variables.items[i].line);
        }
        /* Commands in preup() and similar functions. What is wrong with the text has been reported already.
         */
        commands.sink = &diagnostic_silent;
        script_read(&commands, (struct mtu_source){ .kind = SOURCE_OPENRC, .line = 1 }, parser->text,
                    parser->size, NULL);
}

/* need net.eth0, rc_net_bond0_need="net.eth0 net.eth1": the name has `need` or `want` in it. */
void source_openrc_needs(const struct source_parser *parser, struct pool_list *services) {
        struct shell shell = shell_open(source_pool(parser), parser->text, parser->size, NULL);
        struct shell_command command;

        while (shell_next(&shell, &command)) {
                const char *first = command.words[0].text;
                size_t size = strcspn(first, "=");

                if (!memmem(first, size, "need", 4) && !memmem(first, size, "want", 4))
                        continue;
                for (size_t i = 0; i < command.n_words; i++) {
                        char *rest = pool_copy(source_pool(parser),
                                               command.words[i].text + (i == 0 ? size : 0)),
                             *word;

                        rest += *rest == '=';
                        while ((word = lines_word(&rest)))
                                (void)pool_list_add(source_pool(parser), services, word);
                }
        }
}

/* Reads the script as openrc-run runs it, in openrc-run.sh: files of conf.d come first, and functions are
 * called by name. The commands in front of it are in its first line, "#!/sbin/openrc-run". */
void source_openrc_service_read(const struct source_parser *parser) {
        static const char before[] = "default_start() { $command $command_args; }; "
                                     "start() { default_start; }; ",
                          /* What else it may call is named, and not run. */
                        behind[] = "\nstart_pre; start; start_post; exit; stop_pre; stop; stop_post; "
                                   "restart; reload\n";
        const char *name = text_base_name(parser->file), *unused;
        struct pool *pool = source_pool(parser);
        struct shell_variable names[] = { { .name = "RC_SVCNAME", .value = name },
                                          { .name = "SVCNAME", .value = name } };
        const char *const read_first[] = {
                "/etc/rc.conf", pool_print(pool, "/etc/conf.d/%.*s", (int)strcspn(name, "."), name),
                pool_print(pool, "/etc/conf.d/%s", name)
        };
        struct pool_text text = { .pool = pool };
        struct lines lines = source_lines(parser, false);
        size_t size;

        if (!lines_next(&lines) || fnmatch("#!*/@(openrc-run|runscript)*", lines.line, FNM_EXTMATCH) != 0)
                return;
        for (size_t i = 0; i < (strchr(name, '.') ? 3 : 2); i++)
                if (!strchr(name, '\'') && source_read_file(parser, read_first[i], &unused, &size))
                        pool_text_put(&text, pool_print(pool, ". '%s'; ", read_first[i]));
        pool_text_put(&text, before);
        pool_text_put_part(&text, parser->text, parser->size);
        pool_text_put(&text, behind);
        script_read(parser, (struct mtu_source){ .kind = SOURCE_SCRIPT, .line = 1 },
                    text.text ? text.text : "", text.size,
                    &(struct shell_variables){ .items = names, .n_items = 2 });
}
