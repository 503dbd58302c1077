/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Units that call ip(8) or ifconfig(8). */

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/root.h"
#include "base/text.h"
#include "sources/format/unit_files.h"
#include "sources/scan/scan_files.h"

#define SUFFIX ".service"

static void read_part(const struct scan *scan, struct network_file *file, const char *path) {
        const char *text;
        size_t size;
        int r = scan_read_text(scan, path, &text, &size) ? network_file_parse(file, text, size) : 0;

        if (r == -EBADMSG && strcasestr(text, "mtu"))
                diagnostic_report_file(scan->sink, path,
                                       "has a line that is not UTF-8, or a section header that is none; the "
                                       "rest of it is not read");
        scan->pool->failed |= r == -ENOMEM;
}

static const char *drop_in_folder(const struct scan *scan, const char *folder, const char *name) {
        return pool_print(scan->pool, "%s/%s.d", folder, name);
}

static bool has_drop_ins(const struct scan *scan, const char *name) {
        for (size_t i = 0; scan_unit_folders[i]; i++)
                if (scan_exists(scan, drop_in_folder(scan, scan_unit_folders[i], name)))
                        return true;
        return false;
}

/* The name of the template of an instance. NULL: it is another unit. */
static const char *template_of(const struct scan *scan, const char *name) {
        const char *at = strchr(name, '@');

        return at && at[1] != '.' ? pool_print(scan->pool, "%.*s%s", (int)(at + 1 - name), name,
                                               strrchr(name, '.'))
                                  : NULL;
}

/* In the order of their names, wherever they are; of one name, the first folder's: systemd.unit(5). */
static void read_drop_ins(const struct scan *scan, struct network_file *file) {
        const char *const names[] = { file->name, template_of(scan, file->name) };
        struct pool_list folders = { 0 };
        struct scan_files files;

        for (size_t i = 0; scan_unit_folders[i]; i++)
                for (size_t j = 0; j < sizeof(names) / sizeof(names[0]) && names[j]; j++)
                        (void)pool_list_add(scan->pool, &folders,
                                            drop_in_folder(scan, scan_unit_folders[i], names[j]));
        if (!pool_add(scan->pool, &folders.items, &folders.n_items, sizeof(*folders.items)))
                return;
        files = scan_folders(scan, folders.items, ".conf");
        for (size_t i = 0; i < files.n_items; i++)
                if (network_file_begin_drop_in(file, files.items[i].path) < 0)
                        scan->pool->failed = true;
                else
                        read_part(scan, file, files.items[i].path);
}

/* The instance in NAME@INSTANCE.service. `template` is the name of its template, or of the unit itself.
 * NULL: it is another unit. */
static const char *instance_of(const struct scan *scan, const char *template, const char *unit) {
        /* Of the part up to the "@", inclusive. */
        size_t prefix = (size_t)(strchr(template, '@') - template) + 1, length = strlen(unit);

        return length > prefix + strlen(SUFFIX) && strncmp(template, unit, prefix) == 0 &&
                                               text_ends_in(unit, SUFFIX)
                               ? pool_copy_part(scan->pool, unit + prefix, length - prefix - strlen(SUFFIX))
                               : NULL;
}

/* The enabled instances of a template, without those that have drop-ins of their own; of an instance,
 * itself. */
static void find_instances(const struct scan *scan, struct unit_text *unit) {
        const char *instance = instance_of(scan, unit->name, unit->name);

        if (instance)
                (void)pool_list_add(scan->pool, &unit->instances, instance);
        for (size_t i = 0; !instance && i < scan->enabled_units.n_items; i++) {
                const char *name = scan->enabled_units.items[i].name,
                           *enabled = instance_of(scan, unit->name, name);

                if (enabled && has_drop_ins(scan, name))
                        unit->has_others = true;
                else if (enabled)
                        (void)pool_list_add(scan->pool, &unit->instances, enabled);
        }
}

static void read_environment_file(const struct scan *scan, struct unit_text *unit, const char *path,
                                  const char *instance, bool is_about_mtu) {
        struct unit_environment_file file = { .path = path, .instance = instance };
        bool is_read = *path == '/' && !strchr(path, '%') &&
                       scan->script_files.read(scan, path, &file.text, &file.size);

        pool_put(scan->pool, &unit->environment_files, &unit->n_environment_files, &file, sizeof(file));
        /* What other units take their values from does not matter. */
        if (!is_read && is_about_mtu)
                diagnostic_report(scan->sink, DIAGNOSTIC_WARNING, unit->file->path, 0, NULL,
                                  "takes its values from %s, which cannot be read here", TEXT_SHOW(path));
}

/* One with %i in its name is read for each instance. */
static void read_environment_files(const struct scan *scan, struct unit_text *unit, bool is_about_mtu) {
        const struct network_setting *setting = NULL;

        while ((setting = network_file_next(unit->file, setting, "Service", "EnvironmentFile"))) {
                const char *path = setting->value + (*setting->value == '-' ? 1 : 0),
                           *specifier = strstr(path, "%i");

                if (setting->is_reset || !*setting->value)
                        continue;
                if (!specifier)
                        read_environment_file(scan, unit, path, NULL, is_about_mtu);
                for (size_t j = 0; specifier && j < unit->instances.n_items; j++)
                        read_environment_file(scan, unit,
                                              pool_print(scan->pool, "%.*s%s%s", (int)(specifier - path),
                                                         path, unit->instances.items[j],
                                                         specifier + strlen("%i")),
                                              unit->instances.items[j], is_about_mtu);
        }
}

/* Parses a unit, read with its drop-ins. Finds its environment files and instances. */
static void parse_unit(const struct scan *scan, const struct network_file *file, const char *inactive,
                       bool is_named) {
        struct source_parser parser = scan_parser(scan, file->path);
        struct unit_text unit = { .name = file->name, .file = file };

        scan->pool->failed |= file->pool.failed;
        if (!source_unit_is_candidate(file, &parser.is_about_mtu))
                return;
        if (strchr(unit.name, '@'))
                find_instances(scan, &unit);
        read_environment_files(scan, &unit, parser.is_about_mtu);
        unit.all_act = is_named && unit.instances.n_items == 0;
        parser.inactive = inactive;
        source_unit_read(&parser, &unit);
}

/* Whether the file is a symlink to a unit with another name, which is read under that name. */
static bool is_alias(const struct scan *scan, const struct scan_file *file) {
        char buffer[PATH_MAX], target[PATH_MAX];
        const char *in_root = root_path(buffer, file->path);
        ssize_t size = readlink(in_root, target, sizeof(target) - 1);

        if (size < 0 && errno != EINVAL && errno != ENOENT)
                scan_report_unread(scan, file->path, -errno);
        if (size < 0)
                return false;
        target[size] = '\0';
        return strcmp(text_base_name(target), file->name) != 0;
}

/* Reads a unit with the drop-ins of its template and its own. */
static struct network_file read_unit(const struct scan *scan, const struct scan_file *found) {
        struct network_file file = network_file_open(found->name, found->path);

        read_part(scan, &file, found->path);
        read_drop_ins(scan, &file);
        return file;
}

static void scan_unit(const struct scan *scan, const struct scan_file *found) {
        CLEANUP(network_file_free) struct network_file file = read_unit(scan, found);

        parse_unit(scan, &file,
                   strstr(file.name, "@.") || scan_is_enabled(scan, file.name) ? NULL
                   : network_file_next(&file, NULL, "Install", NULL)
                                   ? "the unit is not enabled"
                                   : "no unit that is enabled starts it, and it has no [Install]",
                   false);
}

/* The enabled instances of a template that have drop-ins of their own. */
static void scan_instances(const struct scan *scan, const struct scan_file *template,
                           const struct scan_files *files) {
        const struct scan_files *enabled = &scan->enabled_units;

        for (size_t i = 0; strstr(template->name, "@.") && i < enabled->n_items; i++) {
                const char *name = enabled->items[i].name;

                if (instance_of(scan, template->name, name) && has_drop_ins(scan, name) &&
                    !scan_files_have(enabled, i, name) && !scan_files_have(files, files->n_items, name))
                        scan_unit(scan, &(struct scan_file){ name, template->path });
        }
}

void scan_units(const struct scan *scan) {
        struct scan_files files = { 0 };

        for (size_t i = 0; scan_unit_folders[i]; i++)
                scan_add_folder(scan, scan_unit_folders[i], SUFFIX, &files);
        for (size_t i = 0; i < files.n_items; i++) {
                const struct scan_file *file = &files.items[i];

                if (scan_files_have(&files, i, file->name) || is_alias(scan, file))
                        continue;
                scan_unit(scan, file);
                scan_instances(scan, file, &files);
        }
}

/* The file of a unit, or of its template. NULL: there is none, or the unit is masked or an alias. */
static const char *find_unit(const struct scan *scan, const char *name) {
        const char *template = template_of(scan, name);

        for (size_t i = 0; scan_unit_folders[i]; i++) {
                const char *path = pool_print(scan->pool, "%s/%s", scan_unit_folders[i], name);

                if (is_alias(scan, &(struct scan_file){ name, path }))
                        return NULL;
                if (scan_exists(scan, path))
                        return path;
        }
        return template ? find_unit(scan, template) : NULL;
}

/* Adds the units that a unit starts: those that it names, or starts by systemctl, and that of a timer, path
 * or socket, which by default has its name. */
static void enable_started(struct scan *scan, const char *name) {
        const char *dot = strrchr(name, '.'), *at = strchr(name, '@'), *path, *instance, *triggered;
        CLEANUP(network_file_free) struct network_file file = { 0 };
        struct pool_list started = { 0 };

        /* A name that a file gives may be any text. */
        path = dot && !strchr(name, '/') ? find_unit(scan, name) : NULL;
        if (!path)
                return;
        file = read_unit(scan, &(struct scan_file){ name, path });
        instance = at && at < dot ? pool_copy_part(scan->pool, at + 1, (size_t)(dot - at - 1)) : "";
        triggered = text_is_among(dot, ".timer .path .socket")
                                    ? pool_print(scan->pool, "%.*s%s", (int)(dot - name), name, SUFFIX)
                                    : NULL;
        for (size_t i = 0; i < file.n_settings; i++) {
                const struct network_setting *setting = &file.settings[i];
                char *rest = lines_replace(scan->pool, setting->value, "%i %I", instance), *unit;

                if (strcmp(setting->header, "Unit") == 0 &&
                    text_is_among(setting->key, "Wants Requires BindsTo Upholds"))
                        while ((unit = lines_word(&rest)))
                                scan_enable_unit(scan, unit);
                else if (strcmp(setting->header, "Service") == 0 && text_after(setting->key, "ExecStart"))
                        source_systemctl_starts(scan->pool, rest, &started);
                else if (triggered && *rest && text_is_among(setting->key, "Unit Service"))
                        triggered = rest;
        }
        for (size_t i = 0; i < started.n_items; i++)
                scan_enable_unit(scan, started.items[i]);
        if (triggered)
                scan_enable_unit(scan, triggered);
}

void scan_started_units(struct scan *scan) {
        /* Those that are added are looked at as well. */
        for (size_t i = 0; i < scan->enabled_units.n_items; i++)
                enable_started(scan, scan->enabled_units.items[i].name);
}

void scan_unit_text(const struct scan *scan, const struct source_parser *parser) {
        CLEANUP(network_file_free)
        struct network_file file = network_file_open(text_base_name(parser->file), parser->file);
        int r = network_file_parse(&file, parser->text, parser->size);

        if (r == -EBADMSG)
                diagnostic_report_file(scan->sink, parser->file, "is not a valid unit file");
        else if (r == 0)
                parse_unit(scan, &file, NULL, true);
        else
                scan->pool->failed = true;
}
