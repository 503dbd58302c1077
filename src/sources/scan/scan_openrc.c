/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The services of OpenRC, and netifrc. */

#include <fnmatch.h>
#include <string.h>

#include "base/text.h"
#include "sources/format/readers.h"
#include "sources/scan/scan_files.h"

void scan_needed_services(struct scan *scan) {
        const struct scan_files files = scan_matching(
                        scan, scan->has_runlevels ? "/etc/rc.conf /etc/conf.d/* /etc/init.d/*" : "");
        struct pool_list services = { 0 };

        for (size_t i = 0; i < files.n_items; i++) {
                struct source_parser parser = scan_parser(scan, files.items[i].path);

                if (scan->script_files.read(scan, parser.file, &parser.text, &parser.size))
                        source_openrc_needs(&parser, &services);
        }
        for (size_t i = 0; i < services.n_items; i++)
                scan_enable_unit(scan, services.items[i]);
}

/* Whether udev starts the service, by rc_hotplug: service_plugable() of openrc-run. */
static bool is_plugged(const struct scan *scan, const char *service) {
        const char *patterns = scan_read_variable(scan, "/etc/rc.conf", "rc_hotplug");
        char *rest = pool_copy(scan->pool, patterns ? patterns : "!*"), *word;

        while ((word = lines_word(&rest)))
                if (fnmatch(word + (*word == '!'), service, 0) == 0)
                        return *word != '!';
        return true;
}

/* netifrc, and which of its services OpenRC does not start. */
static void scan_netifrc(const struct scan *scan) {
        const struct scan_files services = scan_matching(scan, "/etc/init.d/net.*");
        struct source_parser parser;
        struct pool_text idle = { .pool = scan->pool };
        bool is_known = scan_has_network(scan);

        for (size_t i = 0; is_known && i < services.n_items; i++) {
                const char *service = services.items[i].name;

                if (scan_is_enabled(scan, service) || is_plugged(scan, service))
                        continue;
                pool_text_put(&idle, service);
                pool_text_put(&idle, " ");
        }
        if (scan_open(scan, "/etc/conf.d/net", &parser))
                source_openrc_read_started(&parser, idle.text ? idle.text : "");
}

/* The services of OpenRC. What those of netifrc do, /etc/conf.d/net says; a script with links NAME.INSTANCE
 * is for these. */
static void scan_services(const struct scan *scan) {
        const struct scan_files files = scan_matching(scan, "/etc/init.d/*");

        for (size_t i = 0; scan->has_runlevels && i < files.n_items; i++) {
                const char *name = files.items[i].name, *path = files.items[i].path,
                           *off = scan_why_not_started(scan, name);
                struct scan_files links = { 0 };

                if (text_after(name, "net."))
                        continue;
                if (off)
                        (void)scan_add_matching(scan, pool_print(scan->pool, "%s.*", path), &links);
                if (links.n_items == 0)
                        scan_file(scan, path, source_openrc_service_read,
                                  off ? off : scan_why_not_run(scan, path, SCRIPT_EXECUTABLE));
        }
}

void scan_openrc(const struct scan *scan) {
        scan_services(scan);
        scan_netifrc(scan);
}
