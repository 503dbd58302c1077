/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/scan/scan_files.h"

#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/folder.h"
#include "base/root.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "sources/format/readers.h"
#include "sources/shell/shell.h"

/* No network configuration is larger. */
#define FILE_SIZE_MAX (1024 * 1024)

/* Nor a script that sets an MTU. */
#define SCRIPT_SIZE_MAX (256 * 1024)

/* So many scripts are followed in a loop over them; each is read once more for each command around it. */
#define SCRIPTS_MAX 64

const char *const scan_unit_folders[] = {
        "/etc/systemd/system",     "/run/systemd/system", "/usr/local/lib/systemd/system",
        "/usr/lib/systemd/system", "/lib/systemd/system", NULL,
};

static void add_file(struct pool *pool, struct scan_files *files, const char *folder, const char *name) {
        const char *path = pool_print(pool, "%s/%s", folder, name);

        pool_put(pool, &files->items, &files->n_items, &(struct scan_file){ text_base_name(path), path },
                 sizeof(struct scan_file));
}

void scan_report_unread(const struct scan *scan, const char *path, int error) {
        bool is_of_reading = error == -EIO || error == -EMFILE || error == -ENFILE;

        if (error == -ENOMEM)
                scan->pool->failed = true;
        else if (is_of_reading || !scan->is_for_script)
                diagnostic_report_file(scan->sink, TEXT_SHOW(path), "cannot be read: %s", strerror(-error));
}

void scan_add_folder(const struct scan *scan, const char *folder, const char *suffix,
                     struct scan_files *files) {
        CLEANUP(folder_free) struct folder names = { 0 };
        int r = folder_list(folder, suffix, 0, &names);

        if (r < 0 && r != -ENOENT)
                scan_report_unread(scan, folder, r);
        for (size_t i = 0; i < names.n_names; i++)
                add_file(scan->pool, files, folder, names.names[i]);
}

/* `folder` is the part of the path that is known already, without a slash at its end. */
static bool add_matching(const struct scan *scan, const char *folder, const char *pattern,
                         struct scan_files *files) {
        size_t size = strcspn(pattern, "/");
        const char *rest = pattern + size, *part = pool_copy_part(scan->pool, pattern, size);
        CLEANUP(folder_free) struct folder names = { 0 };
        bool is_read = true;
        int r;

        rest += strspn(rest, "/");
        if (!part[strcspn(part, "*?[\\")]) {
                if (*rest)
                        return add_matching(scan, pool_print(scan->pool, "%s/%s", folder, part), rest,
                                            files);
                add_file(scan->pool, files, folder, part);
                return true;
        }
        r = folder_list(*folder ? folder : "/", "", FOLDER_WITH_HIDDEN, &names);
        if (r < 0 && r != -ENOENT)
                scan_report_unread(scan, folder, r);
        for (size_t i = 0; i < names.n_names; i++) {
                if (fnmatch(part, names.names[i], FNM_PERIOD) != 0)
                        continue;
                if (*rest)
                        is_read &= add_matching(scan,
                                                pool_print(scan->pool, "%s/%s", folder, names.names[i]),
                                                rest, files);
                else
                        add_file(scan->pool, files, folder, names.names[i]);
        }
        return is_read && (r >= 0 || r == -ENOENT);
}

bool scan_add_matching(const struct scan *scan, const char *pattern, struct scan_files *files) {
        return add_matching(scan, "", pattern + strspn(pattern, "/"), files);
}

bool scan_exists(const struct scan *scan, const char *path) {
        int r = whole_file_exists(path);

        if (r < 0)
                scan_report_unread(scan, path, r);
        return r > 0;
}

struct scan_files scan_matching(const struct scan *scan, const char *patterns) {
        char *rest = pool_copy(scan->pool, patterns), *pattern;
        struct scan_files files = { 0 };

        while ((pattern = lines_word(&rest)))
                (void)scan_add_matching(scan, pattern, &files);
        return files;
}

bool scan_files_have(const struct scan_files *files, size_t n, const char *name) {
        for (size_t i = 0; i < n; i++)
                if (strcmp(files->items[i].name, name) == 0)
                        return true;
        return false;
}

struct scan_files scan_folders(const struct scan *scan, const char *const *folders, const char *suffix) {
        struct scan_files files = { 0 };
        size_t n = 0;

        for (; *folders; folders++)
                scan_add_folder(scan, *folders, suffix, &files);
        for (size_t i = 0; i < files.n_items; i++)
                if (!scan_files_have(&files, n, files.items[i].name))
                        files.items[n++] = files.items[i];
        files.n_items = n;
        if (n > 0)
                qsort(files.items, n, sizeof(*files.items), text_compare);
        return files;
}

/* 1; 0 if it is not there; or a negative errno, which is reported. */
static int read_status(const struct scan *scan, const char *path, struct stat *ret) {
        char buffer[PATH_MAX];
        int r = stat(root_path(buffer, path), ret) == 0 ? 1 : -errno;

        if (r == -ENOENT || r == -ENOTDIR)
                return 0;
        if (r < 0)
                scan_report_unread(scan, path, r);
        return r;
}

static bool is_folder(const struct scan *scan, const char *path) {
        struct stat status;

        return read_status(scan, path, &status) > 0 && S_ISDIR(status.st_mode);
}

bool scan_read_text(const struct scan *scan, const char *path, const char **ret_text, size_t *ret_size) {
        CLEANUP(cleanup_free) char *text = NULL;
        int r;

        if (!text_is_plain(path)) {
                diagnostic_report_file(scan->sink, TEXT_QUOTE(path),
                                       "the file's name has bytes that are not plain text; it is not read");
                return false;
        }
        r = whole_file_read(path, FILE_SIZE_MAX, &text, ret_size);
        if (r == 0) {
                *ret_text = pool_copy_part(scan->pool, text, *ret_size);
                return !scan->pool->failed;
        }
        if (r == -EFBIG)
                diagnostic_report_file(scan->sink, path, "is larger than 1 MiB; it is not read");
        else if (r == -EINVAL && !is_folder(scan, path))
                diagnostic_report_file(scan->sink, path, "is not a regular file; it is not read");
        else if (r != -ENOENT && r != -ENOTDIR && r != -EINVAL)
                scan_report_unread(scan, path, r);
        return false;
}

static struct scan for_script(const void *userdata) {
        struct scan scan = *(const struct scan *)userdata;

        scan.is_for_script = true;
        return scan;
}

static bool read_script(const void *userdata, const char *path, const char **ret_text, size_t *ret_size) {
        const struct scan scan = for_script(userdata);
        CLEANUP(cleanup_free) char *text = NULL;
        int r = text_is_plain(path) ? whole_file_read(path, SCRIPT_SIZE_MAX, &text, ret_size) : -EILSEQ;

        if (r == 0)
                *ret_text = pool_copy_part(scan.pool, text, *ret_size);
        else
                scan_report_unread(&scan, path, r);
        return r == 0 && !scan.pool->failed;
}

static bool list_scripts(const void *userdata, const char *pattern, bool runs_parts, struct pool_list *ret) {
        const struct scan scan = for_script(userdata);
        struct scan_files files = { 0 };

        if (!scan_add_matching(&scan, pattern, &files) || files.n_items > SCRIPTS_MAX)
                return false;
        for (size_t i = 0; i < files.n_items; i++) {
                const char *path = files.items[i].path;

                if (scan_exists(&scan, path) &&
                    (!runs_parts || !scan_why_not_run(&scan, path, SCRIPT_EXECUTABLE | SCRIPT_RUN_PARTS)))
                        (void)pool_list_add(scan.pool, ret, path);
        }
        return true;
}

static bool mode_of_script(const void *userdata, const char *path, mode_t *ret) {
        const struct scan scan = for_script(userdata);
        struct stat status;
        int r = text_is_plain(path) ? read_status(&scan, path, &status) : -EILSEQ;

        *ret = r > 0 ? status.st_mode : 0;
        return r >= 0;
}

struct timespec scan_modified(const struct scan *scan, const char *path) {
        struct stat status;

        return read_status(scan, path, &status) > 0 ? status.st_mtim : (struct timespec){ 0 };
}

struct source_parser scan_parser(const struct scan *scan, const char *path) {
        return (struct source_parser){ .file = path,
                                       .sink = scan->sink,
                                       .sources = scan->sources,
                                       .first = scan->sources->n_items,
                                       .files = &scan->script_files };
}

bool scan_open(const struct scan *scan, const char *path, struct source_parser *ret) {
        *ret = scan_parser(scan, path);
        return scan_read_text(scan, path, &ret->text, &ret->size);
}

void scan_parse(const struct scan *scan, struct source_parser parser, source_reader *reader) {
        if (scan_read_text(scan, parser.file, &parser.text, &parser.size))
                reader(&parser);
}

void scan_file(const struct scan *scan, const char *path, source_reader *reader, const char *inactive) {
        struct source_parser parser = scan_parser(scan, path);

        parser.inactive = inactive;
        scan_parse(scan, parser, reader);
}

void scan_all(const struct scan *scan, const char *patterns, source_reader *reader, const char *inactive) {
        const struct scan_files files = scan_matching(scan, patterns);

        for (size_t i = 0; i < files.n_items; i++)
                scan_file(scan, files.items[i].path, reader, inactive);
}

void scan_begin(struct scan *scan, const struct diagnostic_sink *sink, struct mtu_sources *sources) {
        *scan = (struct scan){ .sink = sink,
                               .sources = sources,
                               .pool = &sources->pool,
                               .script_files = { read_script, list_scripts, mode_of_script, scan,
                                                 source_wireguard_read } };
}

void scan_enabled_units(struct scan *scan) {
        static const char *const suffixes[] = { ".wants", ".requires" };
        struct scan_files folders = { 0 };
        size_t n_units;

        for (size_t i = 0; scan_unit_folders[i]; i++)
                for (size_t j = 0; j < sizeof(suffixes) / sizeof(suffixes[0]); j++)
                        scan_add_folder(scan, scan_unit_folders[i], suffixes[j], &folders);
        for (size_t i = 0; i < folders.n_items; i++)
                scan_add_folder(scan, folders.items[i].path, "", &scan->enabled_units);
        n_units = scan->enabled_units.n_items;
        (void)scan_add_matching(scan, "/etc/runlevels/*/*", &scan->enabled_units);
        scan->has_runlevels = scan->enabled_units.n_items > n_units;
}

void scan_enable_unit(struct scan *scan, const char *unit) {
        /* Instances may want further ones without end. The folder of its drop-ins is a name as well. */
        bool is_left_out = strlen(unit) > NAME_MAX - strlen(".d") ||
                           scan->enabled_units.n_items >= SOURCES_MAX || scan_is_enabled(scan, unit);

        if (!is_left_out)
                pool_put(scan->pool, &scan->enabled_units.items, &scan->enabled_units.n_items,
                         &(struct scan_file){ unit, unit }, sizeof(struct scan_file));
}

bool scan_is_enabled(const struct scan *scan, const char *unit) {
        return scan_files_have(&scan->enabled_units, scan->enabled_units.n_items, unit);
}

const char *scan_why_not_started(const struct scan *scan, const char *service) {
        return scan->has_runlevels && !scan_is_enabled(scan, service)
                               ? pool_print(scan->pool, "%s is in no runlevel", service)
                               : NULL;
}

/* "provide net" in their scripts; and so have those of netifrc. */
static const char networks[] = "networking network NetworkManager dhcpcd connman";

bool scan_has_network(const struct scan *scan) {
        for (size_t i = 0; i < scan->enabled_units.n_items; i++) {
                const char *name = scan->enabled_units.items[i].name, *device = text_after(name, "net.");

                if (device ? strcmp(device, "lo") != 0 : text_is_among(name, networks))
                        return true;
        }
        return false;
}

/* Whether ifupdown is not installed; a copy of /etc alone does not tell. */
static bool lacks_ifupdown(const struct scan *scan) {
        return scan_is_enabled(scan, "NetworkManager.service") &&
               scan_exists(scan, "/usr/lib/systemd/system/NetworkManager.service") &&
               !scan_exists(scan, "/sbin/ifup") && !scan_exists(scan, "/usr/sbin/ifup") &&
               !scan_exists(scan, "/etc/init.d/networking");
}

const char *scan_why_off(const struct scan *scan, const char *unit) {
        const char *service = pool_copy_part(scan->pool, unit, strlen(unit) - strlen(".service"));
        bool is_on = scan_is_enabled(scan, unit) || scan_is_enabled(scan, service);
        bool is_off = !is_on && text_is_among(unit, "NetworkManager.service networking.service") &&
                      (scan_is_enabled(scan, "systemd-networkd.service") ||
                       (strcmp(unit, "networking.service") == 0 && lacks_ifupdown(scan)));

        for (size_t i = 0; !is_on && !is_off && scan_unit_folders[i]; i++)
                is_off = scan_exists(scan, pool_print(scan->pool, "%s/%s", scan_unit_folders[i], unit));
        if (!is_on && (scan_has_network(scan) || !text_is_among(service, networks)) && scan->has_runlevels &&
            scan_exists(scan, pool_print(scan->pool, "/etc/init.d/%s", service)))
                return scan_why_not_started(scan, service);
        return is_off ? pool_print(scan->pool, "%s" MTU_SOURCE_NOT_ENABLED, unit) : NULL;
}

/* Whether a unit takes the place of the init script, which is called S01NAME or S01NAME.sh. */
static bool has_unit(const struct scan *scan, const char *script) {
        const char *name = script + 1 + strspn(script + 1, "0123456789");
        size_t size = strlen(name) - (text_ends_in(name, ".sh") ? strlen(".sh") : 0);

        for (size_t i = 0; scan_unit_folders[i]; i++)
                if (scan_exists(scan, pool_print(scan->pool, "%s/%.*s.service", scan_unit_folders[i],
                                                 (int)size, name)))
                        return true;
        return false;
}

const char *scan_why_not_run(const struct scan *scan, const char *path, unsigned rules) {
        const char *name = text_base_name(path), *text;
        struct stat status, root;
        size_t size;

        if (rules & SCRIPT_AT_DOWN)
                return "the script is run when a device goes down";
        if ((rules & SCRIPT_RUN_PARTS) && name[strspn(name, SCRIPT_NAME)])
                return "run-parts(8) takes no script of such a name";
        if ((rules & SCRIPT_AS_UNIT) && has_unit(scan, name))
                return "a unit of its name is started instead";
        if (read_status(scan, path, &status) <= 0)
                return NULL;
        if ((rules & SCRIPT_EXECUTABLE) && !(status.st_mode & 0111))
                return "the script is not executable";
        if ((rules & SCRIPT_BY_KERNEL) && scan_read_text(scan, path, &text, &size) &&
            !text_after(text, "#!"))
                return "the script does not begin with #!, and is not run";
        /* Behind $SETMTU_ROOT, its owner stands for root. */
        if ((rules & SCRIPT_OF_ROOT) && read_status(scan, "/", &root) > 0 && status.st_uid != root.st_uid)
                return "the script does not belong to root";
        if ((rules & SCRIPT_OF_ROOT) && (status.st_mode & (S_IWGRP | S_IWOTH)))
                return "other users than root can write the script";
        return NULL;
}

const char *scan_read_variable(const struct scan *scan, const char *path, const char *name) {
        struct shell_variables variables = { 0 };
        struct source_parser conf;

        if (scan_open(scan, path, &conf))
                variables = shell_file_read(&conf);
        return shell_variables_value(&variables, name);
}
