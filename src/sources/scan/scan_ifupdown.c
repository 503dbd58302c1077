/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* ifupdown and ifupdown2: one text of all their files. */

#include <string.h>

#include "sources/format/networkmanager_conf.h"
#include "sources/scan/scan_files.h"

/* The most files that are read. Each is read once, even if files include each other. */
#define INTERFACES_FILES_MAX 256

/* /etc/network/interfaces and all files that it includes. */
struct interfaces {
        const struct scan *scan;
        struct source_parser files[INTERFACES_FILES_MAX];
        size_t n_files;
};

static void read_interfaces(struct interfaces *interfaces, const char *path);

/* `pattern` is a glob; if it does not begin with "/", relative to /etc/network. Of a folder, some names are
 * left out: interfaces(5). */
static void read_included(struct interfaces *interfaces, const char *pattern, bool is_folder) {
        const struct scan_files files = scan_matching(interfaces->scan,
                                                      pool_print(&interfaces->scan->sources->pool, "%s%s%s",
                                                                 *pattern == '/' ? "" : "/etc/network/",
                                                                 pattern, is_folder ? "/*" : ""));

        for (size_t i = 0; i < files.n_items; i++)
                if (!is_folder || !files.items[i].name[strspn(files.items[i].name, SCRIPT_NAME)])
                        read_interfaces(interfaces, files.items[i].path);
}

/* Reads a file, and behind it the files that it includes. */
static void read_interfaces(struct interfaces *interfaces, const char *path) {
        struct source_parser *file = &interfaces->files[interfaces->n_files];
        const char *included;
        struct lines lines;
        bool is_folder;

        for (size_t i = 0; i < interfaces->n_files; i++)
                if (strcmp(interfaces->files[i].file, path) == 0)
                        return;
        if (interfaces->n_files == INTERFACES_FILES_MAX)
                return;
        *file = scan_parser(interfaces->scan, path);
        if (!scan_read_text(interfaces->scan, path, &file->text, &file->size))
                return;
        interfaces->n_files++;
        lines = source_lines(file, true);
        while ((included = source_ifupdown_included(&lines, &is_folder)))
                read_included(interfaces, included, is_folder);
}

bool scan_has_ifupdown2(const struct scan *scan) {
        return scan_exists(scan, "/etc/network/ifupdown2") || scan_exists(scan, "/usr/share/ifupdown2");
}

void scan_ifupdown(const struct scan *scan) {
        struct ifupdown all = { .is_second = scan_has_ifupdown2(scan), .is_whole = true };
        const char *off = scan_why_off(scan, "networking.service");
        struct interfaces *interfaces = pool_take(&scan->sources->pool, sizeof(*interfaces));
        size_t first = scan->sources->n_items;

        if (!interfaces)
                return;
        interfaces->scan = scan;
        read_interfaces(interfaces, "/etc/network/interfaces");
        for (size_t i = 0; i < interfaces->n_files; i++) {
                interfaces->files[i].first = first;
                interfaces->files[i].inactive = off;
                ifupdown_add(&all, &interfaces->files[i]);
        }
        /* A copy of a configuration has no programs beside it. */
        if (!scan_exists(scan, "/sbin/ifup") && !scan_exists(scan, "/usr/sbin/ifup"))
                ifupdown_tell_second(&all);
        ifupdown_own_devices(&all, scan->sources, nm_why_not_ifupdowns(&interfaces->files[0]));
        ifupdown_read(&all);
}
