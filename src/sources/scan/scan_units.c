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

        if (r == -EBADMSG)
                diagnostic_report_file(scan->sink, path,
                                       "has a line that is not UTF-8, or a section header that is none; the "
                                       "rest of it is not read");
        scan->sources->pool.failed |= r == -ENOMEM;
}

static void read_drop_ins(const struct scan *scan, struct network_file *file) {
        for (size_t i = 0; scan_unit_folders[i]; i++) {
                const char *folder = pool_print(&scan->sources->pool, "%s/%s.d", scan_unit_folders[i],
                                                file->name);
                struct scan_files files = { 0 };

                scan_add_folder(scan, folder, ".conf", &files);
                for (size_t j = 0; j < files.n_items; j++)
                        if (network_file_begin_drop_in(file, files.items[j].path) < 0)
                                scan->sources->pool.failed = true;
                        else
                                read_part(scan, file, files.items[j].path);
        }
}

/* The enabled instances of the template. */
static void find_instances(const struct scan *scan, struct unit_text *unit) {
        /* Of the part up to the "@", inclusive. */
        size_t prefix = (size_t)(strchr(unit->name, '@') - unit->name) + 1;
        struct pool *pool = &scan->sources->pool;

        for (size_t i = 0; i < scan->enabled_units.n_items; i++) {
                const char *name = scan->enabled_units.items[i].name;
                size_t length = strlen(name);

                if (length > prefix + strlen(SUFFIX) && strncmp(unit->name, name, prefix) == 0 &&
                    text_ends_in(name, SUFFIX))
                        (void)pool_add_once(pool, &unit->instances, &unit->n_instances,
                                            pool_copy_part(pool, name + prefix,
                                                           length - prefix - strlen(SUFFIX)));
        }
}

static void read_environment_file(const struct scan *scan, struct unit_text *unit,
                                  struct unit_environment_file **files, const char *path,
                                  const char *instance, bool is_about_mtu) {
        struct unit_environment_file *file =
                        pool_add(&scan->sources->pool, files, &unit->n_environment_files, sizeof(*file));

        unit->environment_files = *files;
        if (!file)
                return;
        *file = (struct unit_environment_file){ .path = path, .instance = instance };
        if (*path == '/' && !strchr(path, '%') &&
            scan->script_files.read(scan, path, &file->text, &file->size))
                return;
        /* What other units take their values from does not matter. */
        if (is_about_mtu)
                diagnostic_report(scan->sink, DIAGNOSTIC_WARNING, unit->file->path, 0, NULL,
                                  "takes its values from %s, which cannot be read here", TEXT_SHOW(path));
}

/* One with %i in its name is read for each instance. */
static void read_environment_files(const struct scan *scan, struct unit_text *unit, bool is_about_mtu) {
        struct unit_environment_file *files = NULL;
        size_t position = 0;
        const char *path, *specifier;

        while ((path = source_unit_environment_file(unit->file, &position))) {
                specifier = strstr(path, "%i");
                if (!specifier)
                        read_environment_file(scan, unit, &files, path, NULL, is_about_mtu);
                for (size_t i = 0; specifier && i < unit->n_instances; i++)
                        read_environment_file(scan, unit, &files,
                                              pool_print(&scan->sources->pool, "%.*s%s%s",
                                                         (int)(specifier - path), path, unit->instances[i],
                                                         specifier + strlen("%i")),
                                              unit->instances[i], is_about_mtu);
        }
}

/* Parses a unit, read with its drop-ins. Finds its environment files and instances. */
static void parse_unit(const struct scan *scan, const struct network_file *file, const char *inactive,
                       bool is_named) {
        struct source_parser parser = scan_parser(scan, file->path);
        struct unit_text unit = { .name = file->name, .file = file };

        scan->sources->pool.failed |= file->pool.failed;
        if (!source_unit_is_candidate(file, &parser.is_about_mtu))
                return;
        if (strstr(unit.name, "@."))
                find_instances(scan, &unit);
        read_environment_files(scan, &unit, parser.is_about_mtu);
        unit.all_act = is_named && unit.n_instances == 0;
        parser.inactive = inactive;
        source_unit_read(&parser, &unit);
}

static bool has_install(const struct network_file *file) {
        for (size_t i = 0; i < file->n_settings; i++)
                if (strcmp(file->settings[i].header, "Install") == 0)
                        return true;
        return false;
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

/* Whether the unit or a drop-in may have to do with an MTU: the text says so, or it runs a program that is
 * not the system's. Most units have neither and are skipped. */
static bool may_matter(const struct scan *scan, const struct scan_file *found,
                       const struct scan_files *drop_ins) {
        static const char *const places[] = { "mtu",    "/usr/local/", "/opt/", "/etc/",
                                              "/root/", "/home/",      "/srv/", "/var/" };
        const char *text;
        size_t size;

        if (scan_files_have(drop_ins, drop_ins->n_items,
                            pool_print(&scan->sources->pool, "%s.d", found->name)))
                return true;
        if (!scan_read_text(scan, found->path, &text, &size))
                return false;
        for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
                if (strcasestr(text, places[i]))
                        return true;
        /* strcasestr() does not see the text behind a NUL. */
        return strlen(text) < size;
}

static void scan_unit(const struct scan *scan, const struct scan_file *found) {
        CLEANUP(network_file_free) struct network_file file = network_file_open(found->name, found->path);

        read_part(scan, &file, found->path);
        read_drop_ins(scan, &file);
        parse_unit(scan, &file,
                   !strstr(file.name, "@.") && has_install(&file) && !scan_is_enabled(scan, file.name)
                                   ? "the unit is not enabled"
                                   : NULL,
                   false);
}

void scan_units(const struct scan *scan) {
        struct scan_files files = { 0 }, drop_ins = { 0 };

        for (size_t i = 0; scan_unit_folders[i]; i++) {
                scan_add_folder(scan, scan_unit_folders[i], SUFFIX, &files);
                scan_add_folder(scan, scan_unit_folders[i], SUFFIX ".d", &drop_ins);
        }
        for (size_t i = 0; i < files.n_items; i++)
                if (!scan_files_have(&files, i, files.items[i].name) && !is_alias(scan, &files.items[i]) &&
                    may_matter(scan, &files.items[i], &drop_ins))
                        scan_unit(scan, &files.items[i]);
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
                scan->sources->pool.failed = true;
}
