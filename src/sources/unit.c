/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/unit.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/unit_name.h"
#include "config/env_file.h"
#include "config/interface_name.h"
#include "sources/lines.h"
#include "sources/mtu_command.h"

/* What the unit's commands find in their environment, and where it stands. */
struct variable {
        char *name;
        char *value;
        const char *file; /* not owned */
        unsigned line;
        bool is_of_file; /* of EnvironmentFile= */
};

struct environment {
        struct variable *items;
        size_t n_items;
};

static void environment_free(struct environment *environment) {
        for (size_t i = 0; i < environment->n_items; i++) {
                free(environment->items[i].name);
                free(environment->items[i].value);
        }
        free(environment->items);
}

/* Takes the strings in any case. */
static int environment_add(struct environment *environment, struct variable variable) {
        struct variable *items = reallocarray(environment->items, environment->n_items + 1, sizeof(*items));

        if (items)
                environment->items = items;
        if (!items || !variable.name || !variable.value) {
                free(variable.name);
                free(variable.value);
                return -ENOMEM;
        }
        items[environment->n_items++] = variable;
        return 0;
}

/* The last one wins. Those of files win over the unit's own (systemd.exec(5)). */
static const struct variable *environment_find(const struct environment *environment, const char *name,
                                               size_t size) {
        const struct variable *found = NULL;

        for (size_t i = 0; i < environment->n_items; i++) {
                const struct variable *variable = &environment->items[i];

                if (strlen(variable->name) == size && memcmp(variable->name, name, size) == 0 &&
                    (!found || variable->is_of_file || !found->is_of_file))
                        found = variable;
        }
        return found;
}

/* systemd leaves out other names: env_name_is_valid(). */
static bool is_variable_name(const char *name, size_t size) {
        if (size == 0 || isdigit((unsigned char)*name))
                return false;
        for (size_t i = 0; i < size; i++)
                if (!isalnum((unsigned char)name[i]) && name[i] != '_')
                        return false;
        return true;
}

static int read_environment_file(struct environment *environment, const struct unit_environment_file *file) {
        CLEANUP(cleanup_free) struct env_assignment *assignment = malloc(sizeof(*assignment));
        struct env_file reader;
        enum env_file_item item;

        if (!assignment)
                return -ENOMEM;
        env_file_open(&reader, file->text, file->size);
        while ((item = env_file_next(&reader, assignment)) != ENV_FILE_END) {
                int r;

                if (item != ENV_FILE_ASSIGNMENT || !is_variable_name(assignment->key, assignment->key_size))
                        continue;
                r = environment_add(environment,
                                    (struct variable){ strndup(assignment->key, assignment->key_size),
                                                       strndup(assignment->value, assignment->value_size),
                                                       file->path, assignment->line, true });
                if (r < 0)
                        return r;
        }
        return 0;
}

static int read_environment(struct environment *environment, const struct unit_text *unit) {
        for (size_t i = 0; i < unit->file->n_settings; i++) {
                const struct network_setting *setting = &unit->file->settings[i];
                CLEANUP(cleanup_free) char *words = NULL;
                char *rest, *word;

                if (strcmp(setting->key, "Environment") != 0)
                        continue;
                rest = words = strdup(setting->value);
                if (!words)
                        return -ENOMEM;
                while ((word = lines_quoted_word(&rest))) {
                        const char *equals = strchr(word, '=');
                        int r;

                        if (!equals)
                                continue;
                        r = environment_add(environment,
                                            (struct variable){ strndup(word, (size_t)(equals - word)),
                                                               strdup(equals + 1),
                                                               network_file_place(unit->file, setting),
                                                               setting->line, false });
                        if (r < 0)
                                return r;
                }
        }
        for (size_t i = 0; i < unit->n_environment_files; i++) {
                int r = unit->environment_files[i].text
                                        ? read_environment_file(environment, &unit->environment_files[i])
                                        : 0;

                if (r < 0)
                        return r;
        }
        return 0;
}

/* One run of a command of the unit: of an instance, or of a unit that is no template. */
struct run {
        const struct environment *environment;
        const char *instance;  /* NULL: none */
        const char *unescaped; /* the same, as %I has it */
        bool has_missing;      /* a variable was asked for that nobody sets */
        const struct variable *used;
};

/* Puts specifiers in. The caller frees. Those that only the system knows make it `ret_dynamic`. */
static char *expand_specifiers(const struct run *run, const char *word, bool *ret_dynamic) {
        char *text = NULL;
        size_t size = 0;
        FILE *stream = open_memstream(&text, &size);

        if (!stream)
                return NULL;
        for (; *word; word++)
                if (*word != '%' || !word[1])
                        putc(*word, stream);
                else if (*++word == '%')
                        putc('%', stream);
                else if (*word == 'i' && run->instance)
                        fputs(run->instance, stream);
                else if (*word == 'I' && run->instance)
                        fputs(run->unescaped, stream);
                else {
                        *ret_dynamic = true;
                        fprintf(stream, "%%%c", *word);
                }
        if (fclose(stream) != 0) {
                free(text);
                return NULL;
        }
        return text;
}

/* Puts ${NAME} in, anywhere, and $NAME where it is all of the word: replace_env_argv(). The caller frees. */
static char *expand_variables(struct run *run, const char *word, bool is_for_shell, bool *ret_dynamic) {
        char *text = NULL;
        size_t size = 0;
        const char *whole = word;
        FILE *stream = open_memstream(&text, &size);

        if (!stream)
                return NULL;
        while (*word) {
                const char *name = NULL, *end = NULL;
                const struct variable *variable;

                if (word[0] == '$' && word[1] == '{') {
                        name = word + 2;
                        end = strchr(name, '}');
                } else if (word == whole && *word == '$' && is_variable_name(word + 1, strlen(word + 1))) {
                        name = word + 1;
                        end = name + strlen(name);
                }
                if (!end) {
                        if (word[0] == '$' && word[1] == '$')
                                word++;
                        putc(*word++, stream);
                        continue;
                }
                variable = environment_find(run->environment, name, (size_t)(end - name));
                if (variable) {
                        fputs(variable->value, stream);
                        run->used = variable;
                } else {
                        /* The shell finds none either. */
                        run->has_missing = true;
                        *ret_dynamic = !is_for_shell;
                        fwrite(word, 1, (size_t)(end - word) + (*end ? 1 : 0), stream);
                }
                word = end + (*end ? 1 : 0);
        }
        if (fclose(stream) != 0) {
                free(text);
                return NULL;
        }
        return text;
}

static bool is_shell(const char *program) {
        static const char *const shells[] = { "sh", "bash", "dash", "ash", "ksh", "zsh" };
        const char *slash = strrchr(program, '/');

        program = slash ? slash + 1 : program;
        for (size_t i = 0; i < sizeof(shells) / sizeof(shells[0]); i++)
                if (strcmp(program, shells[i]) == 0)
                        return true;
        return false;
}

/* -c, also behind other letters: -ec, -lc. */
static bool is_script_option(const char *word) {
        return word[0] == '-' && word[1] != '-' && word[strlen(word) - 1] == 'c';
}

static int read_shell_script(const struct reading *reading, const struct mtu_command_context *context,
                             const struct run *run, const struct shell_word *word, unsigned line) {
        const struct environment *environment = run->environment;
        CLEANUP(cleanup_free)
        struct shell_variable *variables = calloc(environment->n_items + 1, sizeof(*variables));

        if (!variables)
                return -ENOMEM;
        /* The reader takes the first one that has the name. */
        for (size_t i = 0; i < environment->n_items; i++) {
                const char *name = environment->items[i].name;

                variables[i] = (struct shell_variable){
                        name, environment_find(environment, name, strlen(name))->value
                };
        }
        return mtu_command_read_script(reading, context, word->text, strlen(word->text), variables,
                                       environment->n_items, line);
}

/* Where one variable is the value, that is the place to change it. */
static int place_values(const struct reading *reading, size_t first, const struct run *run,
                        const char *unit_file, unsigned unit_line) {
        for (size_t i = first; i < reading->findings->n_items; i++) {
                struct finding *finding = &reading->findings->items[i];
                char *file;

                if (run->has_missing && finding->mtu == 0 && finding->unclear) {
                        char *unclear = strdup("no file that the unit reads sets this variable");

                        if (!unclear)
                                return -ENOMEM;
                        free(finding->unclear);
                        finding->unclear = unclear;
                }
                if (!run->used || !finding->value || strcmp(finding->value, run->used->value) != 0 ||
                    !run->used->is_of_file)
                        continue;
                file = strdup(run->used->file);
                finding->through = file ? strdup(unit_file) : NULL;
                if (!finding->through) {
                        free(file);
                        return -ENOMEM;
                }
                finding->through_line = unit_line;
                free(finding->file);
                finding->file = file;
                finding->line = run->used->line;
        }
        return 0;
}

static void words_free(struct shell_command *command) {
        shell_command_free(command);
}

/* The words of one command line of the unit, up to a ";" or its end. False: out of memory. */
static bool split_command(struct run *run, char **rest, struct shell_command *ret) {
        bool is_first = true, is_for_shell = false, is_script = false;
        char *word;

        while ((word = lines_quoted_word(rest)) && strcmp(word, ";") != 0) {
                bool is_dynamic = false;
                CLEANUP(cleanup_free) char *specified = NULL;
                struct shell_word *words = ret->words;
                char *text;

                if (is_first)
                        word += strspn(word, "@-:+!|");
                specified = expand_specifiers(run, word, &is_dynamic);
                text = specified ? expand_variables(run, specified, is_script, &is_dynamic) : NULL;
                words = text ? reallocarray(words, ret->n_words + 1, sizeof(*words)) : NULL;
                if (!words) {
                        free(text);
                        return false;
                }
                is_script = is_for_shell && is_script_option(text);
                is_for_shell |= is_first && is_shell(text);
                is_first = false;
                ret->words = words;
                words[ret->n_words++] = (struct shell_word){ text, is_dynamic };
        }
        return true;
}

static int read_command(const struct reading *reading, const struct mtu_command_context *context,
                        struct run *run, char **rest, const char *file, unsigned line) {
        CLEANUP(words_free) struct shell_command command = { .line = line };
        size_t first = reading->findings->n_items;
        const struct shell_word *script = NULL;
        int r;

        if (!split_command(run, rest, &command))
                return -ENOMEM;
        for (size_t i = 1; i + 1 < command.n_words && !script && is_shell(command.words[0].text); i++)
                if (is_script_option(command.words[i].text))
                        script = &command.words[i + 1];
        r = script ? read_shell_script(reading, context, run, script, line)
                   : mtu_command_read(reading, context, &command, line);
        return r < 0 ? r : place_values(reading, first, run, file, line);
}

static bool is_start(const struct network_setting *setting) {
        return strcmp(setting->header, "Service") == 0 &&
               (strcmp(setting->key, "ExecStart") == 0 || strcmp(setting->key, "ExecStartPre") == 0 ||
                strcmp(setting->key, "ExecStartPost") == 0);
}

/* An empty value takes back what stands before it, drop-ins being for that. */
static bool is_reset(const struct network_file *file, size_t index) {
        for (size_t i = index + 1; i < file->n_settings; i++)
                if (strcmp(file->settings[i].header, "Service") == 0 && !*file->settings[i].value &&
                    strcmp(file->settings[i].key, file->settings[index].key) == 0)
                        return true;
        return false;
}

static int read_run(const struct reading *reading, const struct unit_text *unit, struct run *run,
                    const char *name, bool inactive) {
        const struct network_file *file = unit->file;

        for (size_t i = 0; i < file->n_settings; i++) {
                const struct network_setting *setting = &file->settings[i];
                const char *place = network_file_place(file, setting);
                const struct mtu_command_context context = {
                        .source = SOURCE_UNIT, .file = place, .owner = name, .inactive = inactive
                };
                CLEANUP(cleanup_free) char *words = NULL;
                char *rest;

                if (!is_start(setting) || is_reset(file, i))
                        continue;
                rest = words = strdup(setting->value);
                if (!words)
                        return -ENOMEM;
                while (rest[strspn(rest, " \t")]) {
                        int r;

                        run->used = NULL;
                        run->has_missing = false;
                        r = read_command(reading, &context, run, &rest, place, setting->line);
                        if (r < 0)
                                return r;
                }
        }
        return 0;
}

static int read_instance(const struct reading *reading, const struct unit_text *unit,
                         const struct environment *environment, const char *instance, bool inactive) {
        CLEANUP(cleanup_free) char *unescaped = malloc(strlen(instance) + 1), *name = NULL;
        struct run run = { .environment = environment, .instance = instance };
        size_t at = (size_t)(strchr(unit->name, '@') - unit->name) + 1;

        if (!unescaped || asprintf(&name, "%.*s%s%s", (int)at, unit->name, instance, unit->name + at) < 0) {
                name = NULL;
                return -ENOMEM;
        }
        if (!unit_name_unescape(instance, unescaped, strlen(instance) + 1))
                memcpy(unescaped, instance, strlen(instance) + 1);
        run.unescaped = unescaped;
        return read_run(reading, unit, &run, name, inactive);
}

static bool has_instance(const struct unit_text *unit, const char *name) {
        for (size_t i = 0; i < unit->n_instances; i++)
                if (strcmp(unit->instances[i].name, name) == 0)
                        return true;
        return false;
}

/* Whether the commands ask for a variable of the instance's own name. */
static bool asks_for_instance(const struct network_file *file) {
        for (size_t i = 0; i < file->n_settings; i++)
                if (is_start(&file->settings[i]) &&
                    (strstr(file->settings[i].value, "${%i}") || strstr(file->settings[i].value, "${%I}") ||
                     strstr(file->settings[i].value, "$%i")))
                        return true;
        return false;
}

static int read_template(const struct reading *reading, const struct unit_text *unit,
                         const struct environment *environment) {
        bool is_empty = true;
        int r = 0;

        for (size_t i = 0; i < unit->n_instances && r == 0; i++) {
                r = read_instance(reading, unit, environment, unit->instances[i].name,
                                  unit->instances[i].inactive);
                is_empty = false;
        }
        /* Lines for devices that have no instance do nothing, and are meant. */
        for (size_t i = 0; i < environment->n_items && r == 0 && asks_for_instance(unit->file); i++) {
                const struct variable *variable = &environment->items[i];

                if (!variable->is_of_file || has_instance(unit, variable->name) ||
                    environment_find(environment, variable->name, strlen(variable->name)) != variable)
                        continue;
                r = read_instance(reading, unit, environment, variable->name, !unit->all_act);
                is_empty = false;
        }
        if (r == 0 && is_empty)
                reading_warn(reading, 0, "%s is a template, of which no instance is enabled", unit->name);
        return r;
}

int source_unit_read(const struct reading *reading, const struct unit_text *unit) {
        CLEANUP(environment_free) struct environment environment = { 0 };
        const char *at = strchr(unit->name, '@');
        struct run run = { .environment = &environment };
        int r = read_environment(&environment, unit);

        if (r < 0)
                return r;
        if (at && at[1] == '.')
                return read_template(reading, unit, &environment);
        if (at) {
                /* An instance with a file of its own. */
                const char *dot = strrchr(at, '.');
                size_t size = dot ? (size_t)(dot - at - 1) : strlen(at + 1);
                CLEANUP(cleanup_free) char *instance = strndup(at + 1, size);
                CLEANUP(cleanup_free) char *unescaped = malloc(size + 1);

                if (!instance || !unescaped)
                        return -ENOMEM;
                if (!unit_name_unescape(instance, unescaped, size + 1))
                        memcpy(unescaped, instance, size + 1);
                run.instance = instance;
                run.unescaped = unescaped;
                return read_run(reading, unit, &run, unit->name, false);
        }
        return read_run(reading, unit, &run, unit->name, false);
}

/* Ours, wherever they are installed: what they set comes from setmtu's own lines. */
static bool is_own_program(const char *command) {
        return strstr(command, "/setmtu/setmtu-");
}

bool source_unit_is_candidate(const struct network_file *file) {
        for (size_t i = 0; i < file->n_settings; i++) {
                const char *command = file->settings[i].value;

                if (is_start(&file->settings[i]) && strcasestr(command, "mtu") && !is_own_program(command))
                        return true;
        }
        return false;
}

const char *source_unit_environment_file(const struct network_file *file, size_t *position) {
        while (*position < file->n_settings) {
                const struct network_setting *setting = &file->settings[(*position)++];

                if (strcmp(setting->header, "Service") == 0 &&
                    strcmp(setting->key, "EnvironmentFile") == 0 && *setting->value)
                        return setting->value + (*setting->value == '-' ? 1 : 0);
        }
        return NULL;
}
