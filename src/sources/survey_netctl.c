/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* netctl's profiles and hooks, and netcfg's profiles. */

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/unit_name.h"
#include "sources/netctl.h"
#include "sources/tour.h"
#include "sources/variables.h"

#define NETCTL "/etc/netctl"
#define NETCFG "/etc/network.d"

/* Whether the profile's own unit is enabled, or one that chooses among the profiles of its device. */
static bool is_enabled(const struct tour *tour, const char *profile, const char *interface) {
        static const char *const choosers[] = { "netctl-auto", "netctl-ifplugd" };
        char escaped[UNIT_NAME_ESCAPED_SIZE(NAME_MAX)], unit[sizeof(escaped) + 32];

        if (strlen(profile) > NAME_MAX)
                return false;
        unit_name_escape(profile, escaped);
        snprintf(unit, sizeof(unit), "netctl@%s.service", escaped);
        if (enabled_units_has(&tour->enabled, unit))
                return true;
        for (size_t i = 0; interface && strlen(interface) <= NAME_MAX && i < 2; i++) {
                unit_name_escape(interface, escaped);
                snprintf(unit, sizeof(unit), "%s@%s.service", choosers[i], escaped);
                if (enabled_units_has(&tour->enabled, unit))
                        return true;
        }
        return false;
}

static int read_profile(struct tour *tour, const char *name) {
        CLEANUP(cleanup_free) char *text = NULL, *interface = NULL;
        char path[PATH_MAX];
        struct reading reading = { .file = path, .sink = tour->sink, .findings = tour->findings };
        int r;

        if (snprintf(path, sizeof(path), NETCTL "/%s", name) >= (int)sizeof(path))
                return 0;
        r = tour_read_text(tour, path, &text, &reading.size);
        if (r <= 0)
                return r;
        reading.text = text;
        r = source_netctl_interface(&reading, &interface);
        reading.inactive = !is_enabled(tour, name, interface);
        return r == 0 ? source_netctl_read(&reading) : r;
}

/* Folders among the profiles. */
static bool is_hook_folder(const char *name) {
        return strcmp(name, "examples") == 0 || strcmp(name, "hooks") == 0 ||
               strcmp(name, "interfaces") == 0;
}

static int read_hooks(struct tour *tour, const char *folder) {
        CLEANUP(folder_free) struct folder names = { 0 };
        int r = tour_list_folder(tour, folder, "", &names);

        for (size_t i = 0; i < names.n_names && r == 0; i++) {
                char path[PATH_MAX];

                if (snprintf(path, sizeof(path), "%s/%s", folder, names.names[i]) < (int)sizeof(path))
                        r = tour_read_file(tour, path, source_netctl_hook_read, !tour_is_executable(path));
        }
        return r;
}

/* NETWORKS=(main @last) in /etc/conf.d/netcfg. */
static int read_networks(struct tour *tour, struct variables *ret) {
        CLEANUP(cleanup_free) char *text = NULL;
        struct reading reading = { .file = "/etc/conf.d/netcfg", .sink = tour->sink };
        int r = tour_read_text(tour, reading.file, &text, &reading.size);

        if (r <= 0)
                return r;
        reading.text = text;
        return variables_read(&reading, ret);
}

static bool is_listed(const char *list, const char *name) {
        size_t length = strlen(name);

        while (*list) {
                size_t word = strcspn(list, " \t\n");

                if (word == length && strncmp(list, name, length) == 0)
                        return true;
                list += word + (list[word] ? 1 : 0);
        }
        return false;
}

static int survey_netcfg(struct tour *tour) {
        CLEANUP(variables_free) struct variables variables = { 0 };
        CLEANUP(folder_free) struct folder names = { 0 };
        int r = read_networks(tour, &variables);
        const char *networks;

        if (r == 0)
                r = tour_list_folder(tour, NETCFG, "", &names);
        networks = variables_value(&variables, "NETWORKS");
        for (size_t i = 0; i < names.n_names && r == 0; i++) {
                char path[PATH_MAX];

                if (!is_hook_folder(names.names[i]) &&
                    snprintf(path, sizeof(path), NETCFG "/%s", names.names[i]) < (int)sizeof(path))
                        r = tour_read_file(tour, path, source_netcfg_read,
                                           networks && !is_listed(networks, names.names[i]));
        }
        return r;
}

int survey_netctl(struct tour *tour) {
        CLEANUP(folder_free) struct folder names = { 0 };
        int r = read_hooks(tour, NETCTL "/hooks");

        if (r == 0)
                r = read_hooks(tour, NETCTL "/interfaces");
        if (r == 0)
                r = tour_list_folder(tour, NETCTL, "", &names);
        for (size_t i = 0; i < names.n_names && r == 0; i++)
                if (!is_hook_folder(names.names[i]))
                        r = read_profile(tour, names.names[i]);
        return r == 0 ? survey_netcfg(tour) : r;
}
