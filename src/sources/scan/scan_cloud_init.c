/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The configuration of cloud-init, the files of its seed, and what disables both. */

#include <string.h>

#include "sources/format/format.h"
#include "sources/format/readers.h"
#include "sources/scan/scan_files.h"

/* Whether a line that is no comment has the words. */
static bool is_said(const char *text, const char *words) {
        for (const char *at = text; (at = strstr(at, words)); at++) {
                const char *begin = at;

                while (begin > text && begin[-1] != '\n' && *begin != '#')
                        begin--;
                if (*begin != '#')
                        return true;
        }
        return false;
}

/* Why cloud-init makes no network: _find_networking_config() in its stages.py. */
static const char *why_no_cloud_network(const struct scan *scan) {
        const struct scan_files files =
                        scan_matching(scan, "/etc/cloud/cloud.cfg.d/*.cfg /etc/cloud/cloud.cfg");
        const char *text;
        size_t size;

        for (size_t i = 0; i < files.n_items; i++)
                if (scan_read_text(scan, files.items[i].path, &text, &size) &&
                    is_said(text, "config: disabled"))
                        return pool_print(scan->pool, "%s disables cloud-init's network",
                                          files.items[i].path);
        return NULL;
}

/* User data may be a script, or YAML. */
static void read_user_data(const struct source_parser *parser) {
        const struct source_format *format =
                        source_format_recognise(parser->file, parser->text, parser->size);

        if (format && format->read)
                format->read(parser);
}

void scan_cloud_init(const struct scan *scan) {
        /* is_disabled() in its ds-identify */
        const char *off = scan_exists(scan, "/etc/cloud/cloud-init.disabled")
                                          ? "cloud-init is disabled by /etc/cloud/cloud-init.disabled"
                                          : NULL,
                   *no_network = off ? off : why_no_cloud_network(scan);
        struct mtu_sources *sources = scan->sources;
        size_t first = sources->n_items;

        scan_all(scan, "/var/lib/cloud/seed/nocloud*/network-config", source_netplan_read, off);
        scan_all(scan, "/var/lib/cloud/seed/nocloud*/user-data", read_user_data, off);
        scan_all(scan, "/etc/cloud/cloud.cfg /etc/cloud/cloud.cfg.d/*.cfg", source_netplan_read, off);
        for (; first < sources->n_items; first++)
                if (sources->items[first].kind == SOURCE_CLOUD_INIT && !sources->items[first].inactive)
                        sources->items[first].inactive = no_network;
}
