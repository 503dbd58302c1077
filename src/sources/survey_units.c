/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/tour.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/folder.h"
#include "base/root.h"
#include "base/text.h"
#include "sources/unit.h"

#define SUFFIX ".service"

/* All that source_unit_read() wants, owned. */
struct unit {
        struct network_file file;
        struct unit_text text;
        struct unit_environment_file *environment_files;
        char **environment_texts;
        struct unit_instance *instances;
        char **instance_names;
};

static void unit_free(struct unit *unit) {
        for (size_t i = 0; i < unit->text.n_environment_files; i++)
                free(unit->environment_texts[i]);
        for (size_t i = 0; i < unit->text.n_instances; i++)
                free(unit->instance_names[i]);
        free(unit->environment_files);
        free(unit->environment_texts);
        free(unit->instances);
        free(unit->instance_names);
        network_file_free(&unit->file);
}

static int read_part(const struct tour *tour, struct network_file *file, const char *path) {
        CLEANUP(cleanup_free) char *text = NULL;
        size_t size;
        int r = tour_read_text(tour, path, &text, &size);

        if (r > 0)
                r = network_file_parse(file, text, size);
        if (r == -EBADMSG)
                diagnostic_report_file(tour->sink, path,
                                       "has a line that is not UTF-8, or a section header that is none; the "
                                       "rest of it is not read");
        return r == -ENOMEM ? r : 0;
}

/* By name, whatever folder they are in. */
static int read_drop_ins(const struct tour *tour, struct network_file *file) {
        int r = 0;

        for (size_t i = 0; enabled_units_folders[i] && r == 0; i++) {
                CLEANUP(folder_free) struct folder names = { 0 };
                char folder[PATH_MAX], path[PATH_MAX];

                if (snprintf(folder, sizeof(folder), "%s/%s.d", enabled_units_folders[i], file->name) >=
                    (int)sizeof(folder))
                        continue;
                r = folder_list(folder, ".conf", &names);
                if (r != 0 && r != -ENOMEM)
                        r = 0;
                for (size_t j = 0; j < names.n_names && r == 0; j++) {
                        if (snprintf(path, sizeof(path), "%s/%s", folder, names.names[j]) >=
                            (int)sizeof(path))
                                continue;
                        r = network_file_begin_drop_in(file, path);
                        if (r == 0)
                                r = read_part(tour, file, path);
                }
        }
        return r;
}

/* Whether `wanted` is an instance of the template, whose part in front of the "@" counts, and which one. */
static char *instance_of(const char *template, const char *wanted) {
        size_t prefix = (size_t)(strchr(template, '@') - template) + 1, length = strlen(wanted);

        if (length <= prefix + strlen(SUFFIX) || strncmp(template, wanted, prefix) != 0 ||
            strcmp(wanted + length - strlen(SUFFIX), SUFFIX) != 0)
                return NULL;
        return strndup(wanted + prefix, length - prefix - strlen(SUFFIX));
}

static int find_instances(struct unit *unit, const struct enabled_units *enabled) {
        size_t n = enabled->units.n_names;

        unit->instances = calloc(n + 1, sizeof(*unit->instances));
        unit->instance_names = calloc(n + 1, sizeof(*unit->instance_names));
        if (!unit->instances || !unit->instance_names)
                return -ENOMEM;
        unit->text.instances = unit->instances;
        for (size_t i = 0; i < n; i++) {
                char *name = instance_of(unit->file.name, enabled->units.names[i]);
                bool is_known = !name;

                for (size_t j = 0; !is_known && j < unit->text.n_instances; j++)
                        is_known = strcmp(unit->instance_names[j], name) == 0;
                if (is_known) {
                        free(name);
                        continue;
                }
                unit->instance_names[unit->text.n_instances] = name;
                unit->instances[unit->text.n_instances++] = (struct unit_instance){ .name = name };
        }
        return 0;
}

static int read_environment_files(const struct tour *tour, struct unit *unit) {
        size_t n = unit->file.n_settings, position = 0;
        const char *path;

        unit->environment_files = calloc(n + 1, sizeof(*unit->environment_files));
        unit->environment_texts = calloc(n + 1, sizeof(*unit->environment_texts));
        if (!unit->environment_files || !unit->environment_texts)
                return -ENOMEM;
        unit->text.environment_files = unit->environment_files;
        while ((path = source_unit_environment_file(&unit->file, &position))) {
                struct unit_environment_file *file =
                                &unit->environment_files[unit->text.n_environment_files];
                char **text = &unit->environment_texts[unit->text.n_environment_files++];
                int r = *path == '/' && !strchr(path, '%') ? tour_read_text(tour, path, text, &file->size)
                                                           : 0;

                if (r < 0)
                        return r;
                file->path = path;
                file->text = *text;
                if (r == 0) {
                        char shown[TEXT_QUOTE_SIZE];

                        diagnostic_report(tour->sink, DIAGNOSTIC_WARNING, unit->file.path, 0, NULL,
                                          "takes its values from %s, which cannot be read here",
                                          text_show(shown, path));
                }
        }
        return 0;
}

/* Has the file read with its drop-ins; what else it takes is found here. */
static int read_unit(const struct tour *tour, struct unit *unit, bool inactive, bool is_named) {
        const struct reading reading = {
                .file = unit->file.path, .sink = tour->sink, .findings = tour->findings, .inactive = inactive
        };
        int r;

        if (!source_unit_is_candidate(&unit->file))
                return 0;
        unit->text.name = unit->file.name;
        unit->text.file = &unit->file;
        r = read_environment_files(tour, unit);
        if (r == 0 && strstr(unit->file.name, "@."))
                r = find_instances(unit, &tour->enabled);
        unit->text.all_act = is_named && unit->text.n_instances == 0;
        return r == 0 ? source_unit_read(&reading, &unit->text) : r;
}

static bool has_install(const struct network_file *file) {
        for (size_t i = 0; i < file->n_settings; i++)
                if (strcmp(file->settings[i].header, "Install") == 0)
                        return true;
        return false;
}

/* An alias leads to a unit by another name, which is read by that one. */
static bool is_alias(const char *path, const char *name) {
        char buffer[PATH_MAX], target[PATH_MAX];
        const char *in_root = root_path(buffer, path), *slash;
        ssize_t size = in_root ? readlink(in_root, target, sizeof(target) - 1) : -1;

        if (size < 0)
                return false;
        target[size] = '\0';
        slash = strrchr(target, '/');
        return strcmp(slash ? slash + 1 : target, name) != 0;
}

static int survey_unit(const struct tour *tour, const char *path, const char *name) {
        CLEANUP(unit_free) struct unit unit = { .file = { .name = strdup(name), .path = strdup(path) } };
        bool inactive;
        int r;

        if (!unit.file.name || !unit.file.path)
                return -ENOMEM;
        r = read_part(tour, &unit.file, path);
        if (r == 0)
                r = read_drop_ins(tour, &unit.file);
        if (r < 0)
                return r;
        /* Nothing asks for it, and it could have been enabled. */
        inactive = !strstr(name, "@.") && has_install(&unit.file) &&
                   !enabled_units_has(&tour->enabled, name);
        return read_unit(tour, &unit, inactive, false);
}

static bool is_among(const struct folder *folder, const char *name) {
        for (size_t i = 0; i < folder->n_names; i++)
                if (strcmp(folder->names[i], name) == 0)
                        return true;
        return false;
}

int survey_units(struct tour *tour) {
        struct folder folders[8] = { 0 };
        int r = 0;

        for (size_t i = 0; enabled_units_folders[i] && r == 0; i++) {
                r = folder_list(enabled_units_folders[i], SUFFIX, &folders[i]);
                if (r != -ENOMEM)
                        r = 0;
                for (size_t j = 0; j < folders[i].n_names && r == 0; j++) {
                        const char *name = folders[i].names[j];
                        char path[PATH_MAX];
                        bool is_hidden = false;

                        for (size_t k = 0; k < i; k++)
                                is_hidden |= is_among(&folders[k], name);
                        snprintf(path, sizeof(path), "%s/%s", enabled_units_folders[i], name);
                        if (!is_hidden && !is_alias(path, name))
                                r = survey_unit(tour, path, name);
                }
        }
        for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
                folder_free(&folders[i]);
        return r;
}

int survey_unit_text(struct tour *tour, const char *path, const char *text, size_t size) {
        const char *slash = strrchr(path, '/');
        CLEANUP(unit_free)
        struct unit unit = { .file = { .name = strdup(slash ? slash + 1 : path), .path = strdup(path) } };
        int r;

        if (!unit.file.name || !unit.file.path)
                return -ENOMEM;
        r = network_file_parse(&unit.file, text, size);
        if (r == -EBADMSG) {
                diagnostic_report_file(tour->sink, path, "is no text that systemd would read as a unit");
                return 0;
        }
        return r == 0 ? read_unit(tour, &unit, false, true) : r;
}
