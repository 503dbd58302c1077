/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The files of systemd-networkd, of which the first that matches a device counts, and of netplan. */

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "sources/format/readers.h"
#include "sources/scan/scan_files.h"
#include "system/network_files.h"

/* The earlier file, with or without an MTU, that matches the device; or, without a name, each device. NULL:
 * none. */
static const char *hiding_file(struct pool *pool, const struct network_files *files, size_t index,
                               const char *key, const char *name) {
        for (size_t i = 0; i < index; i++) {
                const struct network_file *file = &files->items[i];
                bool has_list;

                /* A pattern that matches what is no name matches each device, but for one with a "!". */
                if (network_file_match_name(file, key, name ? name : "*:*", &has_list) && has_list &&
                    (name || network_file_match_words(pool, file, key, NULL)) &&
                    !network_file_has_match_besides(file, key))
                        return file->path;
        }
        return NULL;
}

/* The files that say by the list of one key for which devices they are. */
struct earlier_files {
        struct pool *pool;
        struct earlier_file *items;
        size_t n_items;
};

static void add_earlier(struct earlier_files *earlier, const struct network_file *file,
                        const char *name_key) {
        const char *const keys[] = { name_key, "MACAddress", "PermanentMACAddress" };

        for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
                bool is_inverted = false;
                const char *list = network_file_has_match_besides(file, keys[i])
                                                   ? NULL
                                                   : network_file_match_words(earlier->pool, file, keys[i],
                                                                              &is_inverted);

                if (list)
                        pool_put(earlier->pool, &earlier->items, &earlier->n_items,
                                 &(struct earlier_file){ pool_copy(earlier->pool, file->path), list,
                                                         is_inverted },
                                 sizeof(*earlier->items));
        }
}

static void scan_network_files(const struct scan *scan, const struct network_files *files, const char *key,
                               const char *inactive) {
        struct earlier_files earlier = { .pool = scan->pool };
        size_t first = scan->sources->n_items;

        for (size_t i = 0; i < files->n_items; i++) {
                const struct network_file *file = &files->items[i];
                struct source_parser parser = scan_parser(scan, file->path);

                parser.inactive = inactive;
                source_network_read(&parser, file);
                for (size_t j = parser.first; key && j < scan->sources->n_items; j++) {
                        struct mtu_source *source = &scan->sources->items[j];
                        const char *hiding =
                                        hiding_file(earlier.pool, files, i, key,
                                                    source->match == MATCH_NAME ? source->device : NULL);

                        source->n_earlier = earlier.n_items;
                        if (hiding)
                                source->inactive = pool_print(earlier.pool, MTU_SOURCE_HIDDEN, hiding);
                }
                if (key)
                        add_earlier(&earlier, file, key);
        }
        for (; first < scan->sources->n_items; first++)
                scan->sources->items[first].earlier = earlier.items;
}

/* False if they cannot be read, which is reported. */
static bool read_network_files(const struct scan *scan, const char *suffix, struct network_files *ret) {
        int r = network_files_read(suffix, scan->sink, ret);

        scan->pool->failed |= r == -ENOMEM;
        return r == 0;
}

/* The sources from `first` on of devices that networkd does not make, whichever file they are in. */
static void mark_not_made(const struct scan *scan, const struct network_files *netdevs,
                          const struct network_files *networks, size_t first) {
        for (size_t i = 0; i < netdevs->n_items; i++) {
                const struct source_parser parser = scan_parser(scan, netdevs->items[i].path);
                const char *why = source_netdev_why_not_made(&parser, &netdevs->items[i], networks),
                           *name = network_file_get(&netdevs->items[i], "NetDev", "Name");

                for (size_t j = first; why && j < scan->sources->n_items; j++) {
                        struct mtu_source *source = &scan->sources->items[j];

                        if (!source->inactive && source->match == MATCH_NAME &&
                            strcmp(source->device, name) == 0)
                                source->inactive = why;
                }
        }
}

static void scan_netplan(const struct scan *scan) {
        static const char *const folders[] = { "/run/netplan", "/etc/netplan", "/lib/netplan",
                                               "/usr/lib/netplan", NULL };
        const struct scan_files files = scan_folders(scan, folders, ".yaml");
        const struct source_parser all = scan_parser(scan, "/etc/netplan");
        struct netplan netplan = { .is_whole = true };

        for (size_t i = 0; i < files.n_items; i++) {
                struct source_parser parser;

                if (scan_open(scan, files.items[i].path, &parser))
                        netplan_add(&netplan, &parser);
        }
        netplan_read(&netplan, &all);
        scan_all(scan, "/etc/netplan/*.yml", source_netplan_read, "netplan reads *.yaml alone");
}

void scan_networkd(const struct scan *scan) {
        CLEANUP(network_files_free) struct network_files netdevs = { 0 }, links = { 0 }, networks = { 0 };
        const char *off = scan_why_off(scan, "systemd-networkd.service");
        size_t first = scan->sources->n_items;
        bool has_networks;

        (void)read_network_files(scan, ".netdev", &netdevs);
        (void)read_network_files(scan, NETWORK_FILE_LINK, &links);
        has_networks = read_network_files(scan, NETWORK_FILE_NETWORK, &networks);
        scan_network_files(scan, &netdevs, NULL, off);
        scan_network_files(scan, &links, "OriginalName", NULL);
        scan_network_files(scan, &networks, "Name", off);
        if (has_networks)
                mark_not_made(scan, &netdevs, &networks, first);
        scan_netplan(scan);
}
