/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* ifupdown and ifupdown2: one text of all their files. */

#include <string.h>

#include "base/text.h"
#include "sources/format/networkmanager_conf.h"
#include "sources/scan/scan_files.h"

/* The most files that are read. Each is read once, even if files include each other. */
#define INTERFACES_FILES_MAX 256

/* /etc/network/interfaces and all files that it includes. */
struct interfaces {
        struct ifupdown all; /* first: what it includes is added here */
        const struct scan *scan;
        struct source_parser parser; /* of each file, which has its own name and text */
        struct pool_list paths;
};

/* Reads a file once, and where it includes others, those. */
static void read_interfaces(struct interfaces *interfaces, const char *path) {
        const struct scan *scan = interfaces->scan;
        struct source_parser file = interfaces->parser;

        file.file = path;
        if (interfaces->paths.n_items == INTERFACES_FILES_MAX ||
            !pool_list_add(scan->pool, &interfaces->paths, path) ||
            !scan_read_text(scan, path, &file.text, &file.size))
                return;
        ifupdown_add(&interfaces->all, &file);
}

/* The path is a glob; if it does not begin with "/", relative to the folder of the file. Of a folder, some
 * names are left out: interfaces(5). */
static void include(struct ifupdown *all, const char *file, const char *path, bool is_folder) {
        struct interfaces *interfaces = (struct interfaces *)all;
        int folder_size = *path == '/' ? 0 : (int)(text_base_name(file) - file);
        const char *pattern = pool_print(&interfaces->scan->sources->pool, "%.*s%s%s", folder_size, file,
                                         path, is_folder ? "/*" : "");
        struct scan_files files = { 0 };

        (void)scan_add_matching(interfaces->scan, pattern, &files);
        for (size_t i = 0; i < files.n_items; i++)
                if (!is_folder || !files.items[i].name[strspn(files.items[i].name, SCRIPT_NAME)])
                        read_interfaces(interfaces, files.items[i].path);
}

bool scan_has_ifupdown2(const struct scan *scan) {
        return scan_exists(scan, "/etc/network/ifupdown2") || scan_exists(scan, "/usr/share/ifupdown2");
}

void scan_ifupdown(const struct scan *scan) {
        struct interfaces interfaces = {
                /* A copy of a configuration has no programs beside it; ifupdown-ng takes what ifupdown2
                   does. */
                .all = { .is_second = scan_has_ifupdown2(scan),
                         .may_be_second = scan_exists(scan, "/usr/libexec/ifupdown-ng") ||
                                          (!scan_exists(scan, "/sbin/ifup") &&
                                           !scan_exists(scan, "/usr/sbin/ifup")),
                         .is_whole = true,
                         .include = include },
                .scan = scan,
                .parser = scan_parser(scan, "/etc/network/interfaces"),
        };

        interfaces.parser.inactive = scan_why_off(scan, "networking.service");
        read_interfaces(&interfaces, interfaces.parser.file);
        ifupdown_own_devices(&interfaces.all, scan->sources, nm_why_not_ifupdowns(scan->sources));
        ifupdown_read(&interfaces.all);
}
