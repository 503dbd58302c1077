/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/survey.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/whole_file.h"
#include "sources/dhcp.h"
#include "sources/docker.h"
#include "sources/format.h"
#include "sources/ifcfg.h"
#include "sources/irix.h"
#include "sources/networkmanager.h"
#include "sources/openrc.h"
#include "sources/script.h"
#include "sources/tour.h"
#include "sources/tuned.h"
#include "sources/udev_rule.h"

static void tour_cleanup(struct tour *tour) {
        enabled_units_free(&tour->enabled);
}

/* setmtu-configure writes this one. */
#define OWN_RULES "/run/udev/rules.d/81-setmtu.rules"

static int survey_udev_rules(struct tour *tour) {
        static const char *const folders[] = { "/etc/udev/rules.d",           "/run/udev/rules.d",
                                               "/usr/local/lib/udev/rules.d", "/usr/lib/udev/rules.d",
                                               "/lib/udev/rules.d",           NULL };
        CLEANUP(folder_free) struct folder paths = { 0 };
        int r = tour_list(tour, folders, ".rules", &paths);

        for (size_t i = 0; i < paths.n_names && r == 0; i++)
                if (strcmp(paths.names[i], OWN_RULES) != 0)
                        r = tour_read_file(tour, paths.names[i], source_udev_rule_read, false);
        return r;
}

/* First what holds where a profile says nothing; then the profiles. */
static int survey_networkmanager(struct tour *tour) {
        static const char *const early[] = { "/run/NetworkManager/conf.d", "/usr/lib/NetworkManager/conf.d",
                                             NULL },
                                 *const profiles[] = { "/etc/NetworkManager/system-connections",
                                                       "/run/NetworkManager/system-connections",
                                                       "/usr/lib/NetworkManager/system-connections", NULL };
        bool is_off = enabled_units_is_off(&tour->enabled, "NetworkManager.service");
        CLEANUP(folder_free) struct folder confs = { 0 }, keyfiles = { 0 };
        int r = tour_list(tour, early, ".conf", &confs);

        for (size_t i = 0; i < confs.n_names && r == 0; i++) {
                char later[PATH_MAX];

                snprintf(later, sizeof(later), "/etc/NetworkManager/conf.d%s", strrchr(confs.names[i], '/'));
                if (!whole_file_exists(later))
                        r = tour_read_file(tour, confs.names[i], source_nm_conf_read, is_off);
        }
        if (r == 0)
                r = tour_read_file(tour, "/etc/NetworkManager/NetworkManager.conf", source_nm_conf_read,
                                   is_off);
        if (r == 0)
                r = tour_read_folder(tour, "/etc/NetworkManager/conf.d", ".conf", source_nm_conf_read,
                                     is_off);
        if (r == 0)
                r = tour_list(tour, profiles, "", &keyfiles);
        for (size_t i = 0; i < keyfiles.n_names && r == 0; i++) {
                size_t length = strlen(keyfiles.names[i]);

                if (keyfiles.names[i][length - 1] != '~')
                        r = tour_read_file(tour, keyfiles.names[i], source_nm_profile_read, is_off);
        }
        return r;
}

/* Copies that editors and package managers leave have a suffix that no device has; and the loopback device
 * is nobody's business. */
static bool is_ifcfg(const char *name) {
        static const char *const endings[] = { "~",        ".bak",     ".orig", ".rpmnew",
                                               ".rpmorig", ".rpmsave", ".old" };
        size_t length = strlen(name);

        if (strncmp(name, "ifcfg-", strlen("ifcfg-")) != 0 || strcmp(name, "ifcfg-lo") == 0)
                return false;
        for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++)
                if (strcmp(name + length - strlen(endings[i]), endings[i]) == 0)
                        return false;
        return true;
}

static int survey_ifcfg(struct tour *tour) {
        static const char *const folders[] = { "/etc/sysconfig/network-scripts", "/etc/sysconfig/network" };
        int r = 0;

        for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]) && r == 0; i++) {
                CLEANUP(folder_free) struct folder names = { 0 };

                r = tour_list_folder(tour, folders[i], "", &names);
                for (size_t j = 0; j < names.n_names && r == 0; j++) {
                        char path[PATH_MAX];

                        if (is_ifcfg(names.names[j]) && snprintf(path, sizeof(path), "%s/%s", folders[i],
                                                                 names.names[j]) < (int)sizeof(path))
                                r = tour_read_file(tour, path, source_ifcfg_read, false);
                }
        }
        return r;
}

static int survey_openrc(struct tour *tour) {
        return tour_read_file(tour, "/etc/conf.d/net", source_openrc_read, false);
}

static int survey_dhcp_clients(struct tour *tour) {
        static const char *const dhclient[] = { "/etc/dhcp/dhclient.conf", "/etc/dhclient.conf" };
        int r = tour_read_file(tour, "/etc/dhcpcd.conf", source_dhcpcd_read,
                               enabled_units_is_off(&tour->enabled, "dhcpcd.service"));

        for (size_t i = 0; i < sizeof(dhclient) / sizeof(dhclient[0]) && r == 0; i++)
                r = tour_read_file(tour, dhclient[i], source_dhclient_read, false);
        return r;
}

/* Scripts that run at boot, or when a device comes up; where they may. */
static int survey_scripts(struct tour *tour) {
        static const char *const folders[] = {
                "/etc/network/if-pre-up.d",
                "/etc/network/if-up.d",
                "/etc/networkd-dispatcher/configured.d",
                "/etc/networkd-dispatcher/routable.d",
                "/etc/NetworkManager/dispatcher.d",
                "/etc/NetworkManager/dispatcher.d/pre-up.d",
                "/etc/dhcp/dhclient-enter-hooks.d",
                "/etc/dhcp/dhclient-exit-hooks.d",
                "/etc/local.d",
        };
        static const char *const files[] = { "/etc/rc.local", "/etc/rc.d/rc.local" };
        int r = 0;

        for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]) && r == 0; i++) {
                CLEANUP(folder_free) struct folder names = { 0 };

                r = tour_list_folder(tour, folders[i], "", &names);
                for (size_t j = 0; j < names.n_names && r == 0; j++) {
                        char path[PATH_MAX];

                        if (snprintf(path, sizeof(path), "%s/%s", folders[i], names.names[j]) >=
                                            (int)sizeof(path) ||
                            !tour_is_executable(path))
                                continue;
                        r = tour_read_file(tour, path, source_script_read, false);
                }
        }
        for (size_t i = 0; i < sizeof(files) / sizeof(files[0]) && r == 0; i++)
                r = tour_read_file(tour, files[i], source_script_read, !tour_is_executable(files[i]));
        return r;
}

/* One profile after what it includes. */
static int survey_tuned_profile(struct tour *tour, const char *name, unsigned depth, bool inactive) {
        static const char *const folders[] = { "/etc/tuned/profiles", "/etc/tuned",
                                               "/usr/lib/tuned/profiles", "/usr/lib/tuned" };

        for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
                CLEANUP(cleanup_free) char *text = NULL;
                char path[PATH_MAX], included[256];
                struct reading reading = { .file = path,
                                           .sink = tour->sink,
                                           .findings = tour->findings,
                                           .inactive = inactive,
                                           .owner = name };
                int r;

                if (snprintf(path, sizeof(path), "%s/%s/tuned.conf", folders[i], name) >= (int)sizeof(path))
                        continue;
                r = tour_read_text(tour, path, &text, &reading.size);
                if (r < 0)
                        return r;
                if (r == 0)
                        continue;
                reading.text = text;
                r = depth > 0 && source_tuned_include(text, reading.size, included, sizeof(included)) &&
                                                    !strchr(included, '/')
                                    ? survey_tuned_profile(tour, included, depth - 1, inactive)
                                    : 0;
                return r == 0 ? source_tuned_read(&reading) : r;
        }
        return 0;
}

static int survey_tuned(struct tour *tour) {
        bool is_off = enabled_units_is_off(&tour->enabled, "tuned.service");
        CLEANUP(cleanup_free) char *text = NULL;
        char *rest, *name;
        size_t size;
        int r = tour_read_text(tour, "/etc/tuned/active_profile", &text, &size);

        if (r <= 0)
                return r;
        r = 0;
        rest = text;
        while (r == 0 && (name = strsep(&rest, " \t\n")))
                if (*name && !strchr(name, '/'))
                        r = survey_tuned_profile(tour, name, 8, is_off);
        return r;
}

static int survey_docker(struct tour *tour) {
        return tour_read_file(tour, "/etc/docker/daemon.json", source_docker_read, false);
}

int findings_survey(const struct diagnostic_sink *sink, struct findings *ret) {
        static int (*const stages[])(struct tour *) = {
                survey_udev_rules, survey_units,  survey_networkd, survey_networkmanager, survey_ifupdown,
                survey_ifcfg,      survey_netctl, survey_openrc,   survey_dhcp_clients,   survey_leases,
                survey_scripts,    survey_tuned,  survey_docker,
        };
        struct findings findings = { 0 };
        CLEANUP(tour_cleanup) struct tour tour = { .sink = sink, .findings = &findings };
        int r = enabled_units_read(&tour.enabled);

        for (size_t i = 0; i < sizeof(stages) / sizeof(stages[0]) && r == 0; i++)
                r = stages[i](&tour);
        if (r < 0) {
                findings_free(&findings);
                return r;
        }
        *ret = findings;
        return 0;
}

/* netif.options beside the file says which interface it is for. */
static int read_irix(const struct reading *reading) {
        static const char name[] = "netif.options";
        const char *slash = strrchr(reading->file, '/');
        CLEANUP(cleanup_free) char *text = NULL;
        char path[PATH_MAX];
        size_t size = 0;

        if (snprintf(path, sizeof(path), "%.*s%s", slash ? (int)(slash - reading->file + 1) : 0,
                     reading->file, name) < (int)sizeof(path) &&
            whole_file_read_here(path, 65536, &text, &size) == -ENOMEM)
                return -ENOMEM;
        return source_irix_read(reading, text, size);
}

int findings_survey_text(const struct source_format *format, const char *file, const char *text, size_t size,
                         const struct diagnostic_sink *sink, struct findings *ret) {
        struct findings findings = { 0 };
        CLEANUP(tour_cleanup) struct tour tour = { .sink = sink, .findings = &findings };
        const struct reading reading = {
                .file = file, .text = text, .size = size, .sink = sink, .findings = &findings
        };
        int r = 0;

        if (!format->read) {
                r = enabled_units_read(&tour.enabled);
                if (r == 0)
                        r = survey_unit_text(&tour, file, text, size);
        } else if (format->read == source_irix_read_text)
                r = read_irix(&reading);
        else
                r = format->read(&reading);
        if (r < 0) {
                findings_free(&findings);
                return r;
        }
        *ret = findings;
        return 0;
}
