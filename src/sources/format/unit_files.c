/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/format/unit_files.h"

#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "base/unit_name.h"
#include "config/env_file.h"
#include "sources/format/unit_rules.h"
#include "sources/shell/exec_command.h"
#include "sources/shell/shell_listing.h"

/* The unit that is being read: an instance, or a unit that is not a template. */
struct run {
        const struct source_parser *parser;
        struct pool *pool;
        const struct unit_text *unit;
        /* The environment of its commands. Variables of files come last and so override Environment=
         * (systemd.exec(5)). */
        struct shell_variables environment;
        size_t n_own;                                /* variables of Environment= */
        const char *name;                            /* of the unit, with the instance */
        const char *instance;                        /* NULL: none */
        const char *unescaped;                       /* the instance as %I gives it */
        const char *inactive;                        /* why it does not take effect, or NULL */
        const char *user;                            /* that its commands run as; NULL: root */
        bool is_cut;                                 /* there were more variables, which is reported */
        bool has_own_files;                          /* instances have environment files of their own */
        bool is_about_mtu, is_late, has_own_network; /* see the functions of these names */
        const char *failed; /* why systemd does not come to the commands that follow, or NULL */
        /* While a command is read: */
        bool has_missing; /* it uses a variable that is not set */
        const struct shell_variable *used;
};

/* Each variable may name an instance whose commands are read, and each shell copies all: the cost is the
 * square. */
#define VARIABLES_MAX 1024u

/* A later value replaces one of the same kind: from files, or from Environment=. */
static void set_variable(struct run *run, struct shell_variable variable) {
        struct shell_variables *environment = &run->environment;
        const struct shell_variable *former = shell_variables_find(environment, variable.name);

        if (former && former >= environment->items + run->n_own)
                environment->items[former - environment->items] = variable;
        else if (environment->n_items < VARIABLES_MAX)
                shell_variables_add(run->pool, environment, variable);
        else if (!run->is_cut) {
                diagnostic_report(run->parser->sink, DIAGNOSTIC_ERROR,
                                  variable.file ? variable.file : run->unit->file->path, variable.line, NULL,
                                  "is the one after %u variables" SOURCE_CUT, VARIABLES_MAX);
                run->is_cut = true;
        }
}

static void read_environment_file(struct run *run, const struct unit_environment_file *file) {
        struct env_assignment *assignment = pool_take(run->pool, sizeof(*assignment));
        struct env_file reader;
        enum env_file_item item;

        env_file_open(&reader, file->text, file->size);
        while (assignment && (item = env_file_next(&reader, assignment)) != ENV_FILE_END) {
                /* systemd ignores other names: env_name_is_valid(). */
                if (item == ENV_FILE_ASSIGNMENT && shell_is_name(assignment->key))
                        set_variable(run, (struct shell_variable){
                                                          .name = pool_copy(run->pool, assignment->key),
                                                          .value = pool_copy(run->pool, assignment->value),
                                                          .file = file->path,
                                                          .line = assignment->line });
        }
}

static void read_environment(struct run *run) {
        const struct network_file *file = run->unit->file;

        run->environment = (struct shell_variables){ 0 };
        run->n_own = 0;
        for (size_t i = 0; i < file->n_settings; i++) {
                const struct network_setting *setting = &file->settings[i];
                char *rest, *word, *value;

                if (strcmp(setting->key, "Environment") != 0 || setting->is_reset)
                        continue;
                rest = pool_copy(run->pool, setting->value);
                while ((word = lines_quoted_word(&rest, NULL))) {
                        value = strchr(word, '=');
                        if (!value)
                                continue;
                        *value++ = '\0';
                        set_variable(run, (struct shell_variable){ .name = word, .value = value });
                }
        }
        run->n_own = run->environment.n_items;
        for (size_t i = 0; i < run->unit->n_environment_files; i++) {
                const struct unit_environment_file *item = &run->unit->environment_files[i];

                run->has_own_files |= item->instance != NULL;
                if (item->text &&
                    (!item->instance || (run->instance && strcmp(item->instance, run->instance) == 0)))
                        read_environment_file(run, item);
        }
}

/* Expands specifiers. `ret_dynamic` is set if only systemd knows the value of one. */
static const char *expand_specifiers(const struct run *run, const char *word, bool *ret_dynamic) {
        struct pool_text text = { .pool = run->pool };

        for (; *word; word++)
                if (*word != '%' || !word[1])
                        pool_text_put_part(&text, word, 1);
                else if (*++word == '%')
                        pool_text_put(&text, "%");
                else if (*word == 'i' && run->instance)
                        pool_text_put(&text, run->instance);
                else if (*word == 'I' && run->instance)
                        pool_text_put(&text, run->unescaped);
                else {
                        *ret_dynamic = true;
                        pool_text_put_part(&text, word - 1, 2);
                }
        return text.text ? text.text : "";
}

/* Adds the words of $NAME, which is a whole word: replace_env_argv(). False if it is none, or not known. */
static bool add_words(struct run *run, struct shell_command *command, const char *word) {
        const struct shell_variable *variable =
                        *word == '$' ? shell_variables_find(&run->environment, word + 1) : NULL;
        char *rest = variable ? pool_copy(run->pool, variable->value) : NULL, *part;

        run->used = variable ? variable : run->used;
        while (rest && (part = lines_quoted_word(&rest, NULL)))
                shell_command_add(run->pool, command, (struct shell_word){ part, false });
        return variable != NULL;
}

/* Expands ${NAME} anywhere, and says whether $NAME as a whole word is missing. */
static const char *expand_variables(struct run *run, const char *word, bool is_for_shell,
                                    bool *ret_dynamic) {
        struct pool_text text = { .pool = run->pool };
        const char *whole = word;

        while (*word) {
                const char *name = NULL, *end = NULL;
                const struct shell_variable *variable;

                if (word[0] == '$' && word[1] == '{') {
                        name = word + 2;
                        end = strchr(name, '}');
                } else if (word == whole && *word == '$' && shell_is_name(word + 1)) {
                        name = word + 1;
                        end = name + strlen(name);
                }
                if (!end) {
                        if (word[0] == '$' && word[1] == '$')
                                word++;
                        pool_text_put_part(&text, word++, 1);
                        continue;
                }
                variable = shell_variables_find_part(&run->environment, name, (size_t)(end - name));
                end += *end ? 1 : 0;
                if (variable) {
                        pool_text_put(&text, variable->value);
                        run->used = variable;
                } else {
                        /* A shell does not find the variable either. */
                        run->has_missing = true;
                        *ret_dynamic = !is_for_shell;
                        pool_text_put_part(&text, word, (size_t)(end - word));
                }
                word = end;
        }
        return text.text ? text.text : "";
}

/* If the value is that of a variable from a file, the place of the source is in that file. */
static void place_values(const struct run *run, size_t first, const char *unit_file, unsigned unit_line) {
        const struct mtu_sources *sources = run->parser->sources;

        for (size_t i = first; i < sources->n_items; i++) {
                struct mtu_source *source = &sources->items[i];

                if (run->has_missing && source->mtu == 0 && source->unclear)
                        source->unclear = "no file that the unit reads sets this variable";
                if (!run->used || !source->value || strcmp(source->value, run->used->value) != 0 ||
                    !run->used->file)
                        continue;
                source->through = pool_copy(run->pool, unit_file);
                source->through_line = unit_line;
                source->file = pool_copy(run->pool, run->used->file);
                source->line = run->used->line;
        }
}

/* The words of a command, up to a ";" or the end of the line. Behind -c, a shell does not find a variable
 * that systemd does not find. */
static struct shell_command split_command(struct run *run, char **rest, const char **ret_prefixes) {
        struct shell_command command = { 0 };
        bool is_script = false;
        char *word;

        while ((word = lines_quoted_word(rest, NULL)) && strcmp(word, ";") != 0) {
                struct shell_word expanded = { 0 };

                if (command.n_words == 0) {
                        size_t size = strspn(word, UNIT_COMMAND_PREFIXES);

                        *ret_prefixes = pool_copy_part(run->pool, word, size);
                        word += size;
                }
                expanded.text = expand_specifiers(run, word, &expanded.is_dynamic);
                if (add_words(run, &command, expanded.text))
                        continue;
                expanded.text = expand_variables(run, expanded.text, is_script, &expanded.is_dynamic);
                is_script = *word == '-' && word[strlen(word) - 1] == 'c';
                shell_command_add(run->pool, &command, expanded);
        }
        return command;
}

/* What systemd runs to start a unit. */
static const char starts[] = "ExecStart ExecStartPre ExecStartPost";

static bool is_start(const struct network_setting *setting) {
        return strcmp(setting->header, "Service") == 0 && text_is_among(setting->key, starts);
}

/* badvpn-udpgw's --udp-mtu is that of its packets. */
static bool mentions_mtu(const char *value) {
        const char *found = strcasestr(value, "mtu");

        return found && !(found - value >= 4 && memcmp(found - 4, "udp-", 4) == 0);
}

/* Whether what the unit runs is likely to set an MTU: what is no command says so. A command beside it that
 * sets one is read. */
static bool is_about_mtu(const struct network_file *file) {
        bool is_about = strcasestr(file->name, "mtu");

        for (size_t i = 0; !is_about && i < file->n_settings; i++)
                is_about = !is_start(&file->settings[i]) && mentions_mtu(file->settings[i].value);
        return is_about;
}

/* Whether the unit waits until network managers have set up the devices (systemd.special(7)), or until
 * rc.local has run. */
static bool is_late(const struct network_file *file) {
        const struct network_setting *after = NULL;

        while ((after = network_file_next(file, after, "Unit", "After")))
                if (strstr(after->value, "network-online.target") ||
                    strstr(after->value, "wait-online.service") || strstr(after->value, "rc-local.service"))
                        return true;
        return false;
}

/* User= is for all commands but those behind "+" or "!" (systemd.service(5)) or, with the older
 * PermissionsStartOnly=, those beside ExecStart=; and only what may administrate the network sets an MTU.
 * What a script runs by sudo may. */
static const char *why_not_permitted(const struct run *run, const struct network_setting *setting,
                                     const char *prefixes, const struct shell_command *command) {
        const struct network_file *file = run->unit->file;
        const char *user = run->user;
        const char *capabilities = user ? network_file_get(file, "Service", "AmbientCapabilities") : NULL;

        if (!user || text_is_among(user, "root 0") || strchr(user, '%') || strpbrk(prefixes, "+!") ||
            (strcmp(setting->key, "ExecStart") != 0 &&
             network_file_is_true(file, "Service", "PermissionsStartOnly")) ||
            (capabilities && strcasestr(capabilities, "CAP_NET_ADMIN")) || command->n_words == 0 ||
            !text_is_among(text_base_name(command->words[0].text), "ip ifconfig"))
                return NULL;
        return pool_print(run->pool, "it runs as %s, who may not set an MTU", TEXT_SHOW(user));
}

/* Its commands see other devices than the host's: systemd.exec(5). */
static bool has_own_network(const struct network_file *file) {
        const char *path = network_file_get(file, "Service", "NetworkNamespacePath");

        return network_file_is_true(file, "Service", "PrivateNetwork") ||
               (path && *path && strcmp(path, "/proc/1/ns/net") != 0);
}

static void read_command(struct run *run, char **rest, const struct network_setting *setting,
                         const char *inactive) {
        const char *file = setting->path;
        const struct mtu_source source = { .kind = SOURCE_UNIT,
                                           .file = file,
                                           .line = setting->line,
                                           .owner = run->name,
                                           .is_late = run->is_late,
                                           .inactive = run->inactive };
        size_t first = run->parser->sources->n_items;
        struct source_parser parser = *run->parser;
        const char *prefixes = "";
        struct shell_command command;

        run->used = NULL;
        run->has_missing = false;
        command = split_command(run, rest, &prefixes);
        if (run->has_own_network &&
            (command.n_words == 0 || strcmp(text_base_name(command.words[0].text), "nsenter") != 0))
                return;
        parser.is_about_mtu = run->is_about_mtu || mentions_mtu(setting->value);
        if (!parser.inactive)
                parser.inactive = inactive ? inactive : why_not_permitted(run, setting, prefixes, &command);
        if (!exec_command_read(&parser, source, &command, &run->environment) && !strchr(prefixes, '-') &&
            !inactive)
                run->failed = pool_print(run->pool,
                                         "the command in line %u fails, and systemd runs no other",
                                         setting->line);
        place_values(run, first, file, setting->line);
}

static void read_setting(struct run *run, const struct network_setting *setting) {
        const struct unit_line line = unit_line_check(run->pool, setting->value);
        const char *left_out = line.refused ? pool_print(run->pool, "systemd leaves the command out: %s",
                                                         line.refused)
                                            : NULL;
        char *rest = pool_copy(run->pool, setting->value);

        for (size_t n = 0; rest[strspn(rest, " \t")]; n++)
                read_command(run, &rest, setting, n < line.n_commands ? run->failed : left_out);
}

static void read_run(struct run *run) {
        static const char *const keys[] = { "ExecStartPre", "ExecStart", "ExecStartPost" };

        run->failed = NULL;
        for (size_t phase = 0; phase < sizeof(keys) / sizeof(keys[0]); phase++) {
                const struct network_setting *setting = NULL;

                while ((setting = network_file_next(run->unit->file, setting, "Service", keys[phase])))
                        if (!setting->is_reset)
                                read_setting(run, setting);
        }
}

/* `suffix` is what stands behind the instance in the unit's name. */
static void read_instance(struct run *run, const char *suffix, const char *instance, const char *inactive) {
        const char *unit = run->unit->name;
        size_t room = strlen(instance) + 1;
        char *unescaped = pool_take(run->pool, room);

        if (!unescaped || !unit_name_unescape(instance, unescaped, room))
                unescaped = pool_copy(run->pool, instance);
        run->name = pool_print(run->pool, "%.*s@%s%s", (int)strcspn(unit, "@"), unit, instance, suffix);
        run->instance = instance;
        run->unescaped = unescaped;
        run->inactive = inactive;
        if (run->has_own_files)
                read_environment(run);
        read_run(run);
}

/* Whether the commands use a variable that is named like the instance. */
static bool asks_for_instance(const struct network_file *file) {
        const struct network_setting *setting = NULL;

        while ((setting = network_file_next(file, setting, "Service", starts)))
                if (strstr(setting->value, "${%i}") || strstr(setting->value, "${%I}") ||
                    strstr(setting->value, "$%i"))
                        return true;
        return false;
}

/* `at` is the "@" in the unit's name. */
static void read_template(struct run *run, const char *at) {
        const struct unit_text *unit = run->unit;
        const struct shell_variables common = run->environment;
        size_t n_own = run->n_own;
        bool is_empty = unit->instances.n_items == 0 && !unit->has_others;

        for (size_t i = 0; i < unit->instances.n_items; i++)
                read_instance(run, at + 1, unit->instances.items[i], NULL);
        /* A variable for a device without an instance has no effect, but shows what was intended. */
        for (size_t i = n_own; i < common.n_items && asks_for_instance(unit->file); i++) {
                const struct shell_variable *variable = &common.items[i];
                const char *name = variable->name;

                if (pool_list_has(&unit->instances, name) || shell_variables_find(&common, name) != variable)
                        continue;
                read_instance(run, at + 1, name, unit->all_act ? NULL : "this instance is not enabled");
                is_empty = false;
        }
        if (is_empty && run->parser->is_about_mtu)
                source_warn(run->parser, 0, "%s is a template, of which no instance is enabled", unit->name);
}

/* Whether a condition on a file does not hold (systemd.unit(5)). What changes while the machine runs may. */
static bool is_unmet(const struct script_files *files, const struct network_setting *setting) {
        bool is_not = *setting->value == '!';
        const char *path = setting->value + is_not;
        mode_t mode;

        if (*path != '/' || strchr(path, '%') || shell_listing_is_volatile(path) ||
            !files->mode(files->userdata, path, &mode))
                return false;
        if (mode == 0)
                return !is_not;
        if (text_ends_in(setting->key, "PathExists"))
                return is_not;
        if (text_ends_in(setting->key, "PathIsDirectory"))
                return S_ISDIR(mode) == is_not;
        return text_ends_in(setting->key, "FileIsExecutable") &&
               (S_ISREG(mode) && (mode & (S_IXUSR | S_IXGRP | S_IXOTH))) == is_not;
}

/* Why systemd does not start the unit on this machine. NULL: it does, or that is not known. One without a
 * value takes back all of its kind before it. */
static const char *why_not_here(const struct source_parser *parser, const struct network_file *file) {
        const char *conditions = NULL, *assertions = NULL;
        const struct network_setting *setting = NULL;

        while (parser->files && (setting = network_file_next(file, setting, "Unit", NULL))) {
                const char **reason = text_after(setting->key, "Condition") ? &conditions
                                      : text_after(setting->key, "Assert")  ? &assertions
                                                                            : NULL;

                if (!reason)
                        continue;
                if (!*setting->value)
                        *reason = NULL;
                else if (is_unmet(parser->files, setting))
                        *reason = pool_print(source_pool(parser), "%s=%s does not hold", setting->key,
                                             TEXT_SHOW(setting->value));
        }
        return conditions ? conditions : assertions;
}

/* Where its commands begin; NULL: that is not known. */
static const char *folder_of(const struct network_file *file) {
        const char *folder = network_file_get(file, "Service", "WorkingDirectory");

        folder = folder && *folder ? folder + (*folder == '-') : "/";
        return *folder == '/' && !strchr(folder, '%') ? folder : NULL;
}

void source_unit_read(const struct source_parser *parser, const struct unit_text *unit) {
        struct source_parser own = *parser;
        struct run run = { .parser = &own, .pool = source_pool(parser), .unit = unit, .name = unit->name };
        const char *at = strchr(unit->name, '@');

        if (!own.inactive)
                own.inactive = unit_why_refused(run.pool, unit->file);
        if (!own.inactive)
                own.inactive = why_not_here(parser, unit->file);
        own.folder = folder_of(unit->file);
        run.user = network_file_get(unit->file, "Service", "User");
        run.is_about_mtu = is_about_mtu(unit->file);
        run.is_late = is_late(unit->file);
        run.has_own_network = has_own_network(unit->file);
        read_environment(&run);
        if (at && at[1] == '.')
                read_template(&run, at);
        else if (at) {
                /* An instance with its own file. */
                const char *dot = strrchr(at, '.'), *suffix = dot ? dot : at + strlen(at);

                read_instance(&run, suffix, pool_copy_part(run.pool, at + 1, (size_t)(suffix - at - 1)),
                              NULL);
        } else
                read_run(&run);
}

bool source_unit_is_candidate(const struct network_file *file, bool *ret_is_about_mtu) {
        bool is_candidate = false;

        *ret_is_about_mtu = strcasestr(file->name, "mtu") != NULL;
        for (size_t i = 0; i < file->n_settings; i++) {
                const char *value = file->settings[i].value;

                *ret_is_about_mtu |= mentions_mtu(value);
                /* The helpers of setmtu, wherever installed, set what setmtu's lines say. */
                is_candidate |= is_start(&file->settings[i]) && !strstr(value, "/setmtu/setmtu-");
        }
        return is_candidate;
}
