/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* .link, .netdev and .network files, and netplan's, which become some of them. */

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "sources/netplan.h"
#include "sources/network.h"
#include "sources/tour.h"
#include "system/network_files.h"

/* What netplan has written says again what its YAML says. */
#define NETPLAN_MARK "10-netplan-"

/* Whether a file before this one is for the device of that name, whatever it says of the MTU. */
static bool is_hidden(const struct network_files *files, size_t index, const char *key, const char *name) {
        for (size_t i = 0; i < index; i++) {
                const struct network_file *file = &files->items[i];
                bool has_list;

                if (network_file_match_name(file, key, name, &has_list) && has_list &&
                    !network_file_has_match_besides(file, key))
                        return true;
        }
        return false;
}

static int read_files(struct tour *tour, const char *suffix, const char *key, bool inactive) {
        CLEANUP(network_files_free) struct network_files files = { 0 };
        int r = network_files_read(suffix, tour->sink, &files);

        for (size_t i = 0; i < files.n_items && r == 0; i++) {
                const struct network_file *file = &files.items[i];
                const struct reading reading = {
                        .file = file->path,
                        .sink = tour->sink,
                        .findings = tour->findings,
                        .inactive = inactive,
                        .owner = strncmp(file->name, NETPLAN_MARK, strlen(NETPLAN_MARK)) == 0 ? "netplan"
                                                                                              : NULL,
                };
                size_t first = tour->findings->n_items;

                r = source_network_read(&reading, file);
                for (size_t j = first; j < tour->findings->n_items; j++) {
                        struct finding *finding = &tour->findings->items[j];

                        finding->inactive |= key && finding->match == FINDING_NAME &&
                                             is_hidden(&files, i, key, finding->device);
                }
        }
        return r;
}

static int survey_netplan(struct tour *tour) {
        static const char *const folders[] = { "/run/netplan", "/etc/netplan", "/lib/netplan",
                                               "/usr/lib/netplan", NULL };
        CLEANUP(netplan_free) struct netplan *netplan = NULL;
        CLEANUP(folder_free) struct folder paths = { 0 };
        int r = netplan_new(&netplan);

        if (r == 0)
                r = tour_list(tour, folders, ".yaml", &paths);
        for (size_t i = 0; i < paths.n_names && r == 0; i++) {
                CLEANUP(cleanup_free) char *text = NULL;
                struct reading reading = { .file = paths.names[i], .sink = tour->sink };

                r = tour_read_text(tour, paths.names[i], &text, &reading.size);
                if (r <= 0)
                        continue;
                reading.text = text;
                r = netplan_add(netplan, &reading);
        }
        if (r < 0)
                return r;
        return netplan_read(netplan, &(struct reading){ .file = "/etc/netplan",
                                                        .sink = tour->sink,
                                                        .findings = tour->findings });
}

int survey_networkd(struct tour *tour) {
        bool is_off = enabled_units_is_off(&tour->enabled, "systemd-networkd.service");
        int r = read_files(tour, ".netdev", NULL, is_off);

        if (r == 0)
                r = read_files(tour, NETWORK_FILE_LINK, "OriginalName", false);
        if (r == 0)
                r = read_files(tour, NETWORK_FILE_NETWORK, "Name", is_off);
        return r == 0 ? survey_netplan(tour) : r;
}
