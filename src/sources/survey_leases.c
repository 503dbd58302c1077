/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What DHCP servers have given, as far as the clients keep it. */

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "sources/dhcp.h"
#include "sources/tour.h"

/* One file whose device is known. */
static int read_lease(struct tour *tour, const char *path, const char *device,
                      int (*reader)(const struct reading *, const char *)) {
        CLEANUP(cleanup_free) char *text = NULL;
        struct reading reading = { .file = path, .sink = tour->sink, .findings = tour->findings };
        int r = tour_read_text(tour, path, &text, &reading.size);

        if (r <= 0)
                return r;
        reading.text = text;
        return reader(&reading, device);
}

/* systemd-networkd names a lease by the device's index. */
static int survey_networkd_leases(struct tour *tour) {
        static const char folder[] = "/run/systemd/netif/leases";
        CLEANUP(folder_free) struct folder names = { 0 };
        int r = tour_list_folder(tour, folder, "", &names);

        for (size_t i = 0; i < names.n_names && r == 0; i++) {
                char path[PATH_MAX], device[64], *end;
                unsigned long ifindex = strtoul(names.names[i], &end, 10);

                if (*end || !tour_device_name(ifindex, device, sizeof(device)))
                        continue;
                snprintf(path, sizeof(path), "%s/%s", folder, names.names[i]);
                r = read_lease(tour, path, device, source_lease_read);
        }
        return r;
}

/* PREFIX…-DEVICE.lease or DEVICE.lease. */
static int survey_named(struct tour *tour, const char *folder, const char *prefix,
                        int (*reader)(const struct reading *, const char *)) {
        static const char suffix[] = ".lease";
        CLEANUP(folder_free) struct folder names = { 0 };
        int r = tour_list_folder(tour, folder, suffix, &names);

        for (size_t i = 0; i < names.n_names && r == 0; i++) {
                const char *name = names.names[i], *dash = strrchr(name, '-');
                const char *begin = *prefix && dash ? dash + 1 : name;
                char path[PATH_MAX], device[NAME_MAX + 1];

                if (strncmp(name, prefix, strlen(prefix)) != 0)
                        continue;
                snprintf(device, sizeof(device), "%.*s", (int)(strlen(begin) - strlen(suffix)), begin);
                if (snprintf(path, sizeof(path), "%s/%s", folder, name) < (int)sizeof(path))
                        r = read_lease(tour, path, device, reader);
        }
        return r;
}

int survey_leases(struct tour *tour) {
        static const char *const folders[] = { "/var/lib/dhcp", "/var/lib/dhclient" };
        int r = survey_networkd_leases(tour);

        if (r == 0)
                r = survey_named(tour, "/var/lib/NetworkManager", "internal-", source_lease_read);
        for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]) && r == 0; i++) {
                r = tour_read_folder(tour, folders[i], ".leases", source_dhclient_leases_read, false);
                if (r == 0)
                        r = tour_read_folder(tour, folders[i], ".lease", source_dhclient_leases_read, false);
        }
        if (r == 0)
                r = tour_read_folder(tour, "/var/lib/NetworkManager", ".leases", source_dhclient_leases_read,
                                     false);
        if (r == 0)
                r = survey_named(tour, "/var/lib/dhcpcd", "", source_lease_read_message);
        return r;
}
