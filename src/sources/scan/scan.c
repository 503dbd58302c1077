/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/scan/scan.h"

#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/folder.h"
#include "base/text.h"
#include "base/unit_name.h"
#include "base/whole_file.h"
#include "config/interface_name.h"
#include "sources/format/format.h"
#include "sources/parser/keyfile.h"
#include "sources/scan/scan_files.h"
#include "sources/shell/script.h"
#include "store/generated_files.h"

/* Written by setmtu-configure. */
#define OWN_RULES "/run/udev/rules.d/81-setmtu.rules"

/* Installed with setmtu; they set what its lines say. */
#define OWN_HOOKS "/etc/dhcp/dhclient-enter-hooks.d/setmtu /etc/network/if-up.d/setmtu"

static const char *const rules_folders[] = { "/etc/udev/rules.d",           "/run/udev/rules.d",
                                             "/usr/local/lib/udev/rules.d", "/usr/lib/udev/rules.d",
                                             "/lib/udev/rules.d",           NULL };

static void scan_udev_rules(const struct scan *scan) {
        const struct scan_files files = scan_folders(scan, rules_folders, ".rules");

        for (size_t i = 0; i < files.n_items; i++)
                if (strcmp(files.items[i].path, OWN_RULES) != 0)
                        scan_file(scan, files.items[i].path, source_udev_rule_read, NULL);
}

/* Network scripts ------------------------------------------------------------------------------------- */

/* Backup copies of editors and package managers do not count. */
static bool is_backup(const char *name) {
        return fnmatch("*@(~|.bak|.orig|.rpmnew|.swp|.rpmorig|.rpmsave|.old)", name, FNM_EXTMATCH) == 0;
}

/* The loopback device needs no MTU of setmtu. */
static bool is_ifcfg(const char *name) {
        return text_after(name, "ifcfg-") && strcmp(name, "ifcfg-lo") != 0 && !is_backup(name);
}

/* Red Hat 8 and later have no network service; SUSE's is wicked. */
static bool has_network_service(const struct scan *scan) {
        return scan_is_enabled(scan, "network.service") || scan_is_enabled(scan, "wicked.service") ||
               scan_exists(scan, "/etc/init.d/network") || scan_exists(scan, "/etc/rc.d/init.d/network") ||
               scan_matching(scan, "/etc/rc.d/rc?.d/S??network").n_items > 0;
}

/* Why nothing reads the file without a network service. NetworkManager reads those of Red Hat, and networkd
 * none. */
static const char *why_no_ifcfg(const struct scan *scan, const struct source_parser *parser) {
        bool has_networkmanager = scan_is_enabled(scan, "NetworkManager.service");

        if (!has_networkmanager)
                return scan_is_enabled(scan, "systemd-networkd.service")
                                       ? "systemd-networkd does not read it, and no network service is "
                                         "enabled"
                                       : NULL;
        if (text_after(parser->file, "/etc/sysconfig/network/"))
                return "NetworkManager does not read it, and wicked is not enabled";
        return source_ifcfg_is_unmanaged(parser)
                               ? "NM_CONTROLLED=no leaves it to the network service, which is not installed"
                               : NULL;
}

static void scan_ifcfg(const struct scan *scan) {
        const struct scan_files files =
                        scan_matching(scan, "/etc/sysconfig/network-scripts/* /etc/sysconfig/network/*");
        bool has_service = has_network_service(scan);
        struct source_parser *parsers = NULL;
        const char *device, *master;
        struct pool_list left = { 0 }, started = { 0 };
        size_t n_parsers = 0;

        for (size_t i = 0; i < files.n_items; i++) {
                struct source_parser parser;
                bool is_left;

                if (!is_ifcfg(files.items[i].name) || !scan_open(scan, files.items[i].path, &parser))
                        continue;
                is_left = source_ifcfg_is_left(&parser, &device, &master);
                if (device)
                        (void)pool_list_add(scan->pool, is_left && !master ? &left : &started, device);
                pool_put(scan->pool, &parsers, &n_parsers, &parser, sizeof(parser));
        }
        for (size_t i = 0; i < n_parsers; i++) {
                struct source_parser *parser = &parsers[i];

                parser->first = scan->sources->n_items;
                parser->inactive = has_service ? NULL : why_no_ifcfg(scan, parser);
                if (!parser->inactive && source_ifcfg_is_left(parser, &device, &master) && master &&
                    pool_list_has(&left, master) && !pool_list_has(&started, master))
                        parser->inactive = pool_print(scan->pool, "ONBOOT=no, also of its master %s",
                                                      TEXT_SHOW(master));
                source_ifcfg_read(parser);
        }
}

/* netctl and netcfg ----------------------------------------------------------------------------------- */

/* Whether PREFIX@NAME.service is enabled. */
static bool is_instance_enabled(const struct scan *scan, const char *prefix, const char *name) {
        char escaped[UNIT_NAME_ESCAPED_SIZE(NAME_MAX)];

        if (strlen(name) > NAME_MAX)
                return false;
        unit_name_escape(name, escaped);
        return scan_is_enabled(scan, pool_print(scan->pool, "%s@%s.service", prefix, escaped));
}

static void scan_netctl_profile(const struct scan *scan, const struct scan_file *file) {
        struct source_parser parser, *parsers = NULL;
        struct scan_files sourced = scan_matching(scan, "/etc/netctl/hooks/*");
        const char *interface;
        size_t n_parsers = 0;

        if (!scan_open(scan, file->path, &parser))
                return;
        interface = source_netctl_interface(&parser);
        pool_put(scan->pool, &sourced.items, &sourced.n_items, file, sizeof(*file));
        if (interface && !match_is_glob(interface) && !interface_name_fault(interface, strlen(interface)))
                (void)scan_add_matching(scan, pool_print(scan->pool, "/etc/netctl/interfaces/%s", interface),
                                        &sourced);
        for (size_t i = 0; i < sourced.n_items; i++) {
                struct source_parser hook = scan_parser(scan, sourced.items[i].path);

                if (strcmp(hook.file, parser.file) != 0)
                        hook.inactive = scan_why_not_run(scan, hook.file, SCRIPT_EXECUTABLE);
                if (scan_read_text(scan, hook.file, &hook.text, &hook.size) &&
                    !generated_file_text_is_ours(hook.text))
                        pool_put(scan->pool, &parsers, &n_parsers, &hook, sizeof(hook));
        }
        /* Active by its own unit, or by a unit that selects among the device's profiles. */
        if (!is_instance_enabled(scan, "netctl", file->name) &&
            (!interface || (!is_instance_enabled(scan, "netctl-auto", interface) &&
                            !is_instance_enabled(scan, "netctl-ifplugd", interface))))
                parser.inactive = "the profile is not enabled";
        source_netctl_read_all(&parser, parsers, n_parsers);
}

static void scan_netcfg(const struct scan *scan) {
        const struct scan_files files = scan_matching(scan, "/etc/network.d/*");
        const char *networks = scan_read_variable(scan, "/etc/conf.d/netcfg", "NETWORKS");

        for (size_t i = 0; i < files.n_items; i++)
                scan_file(scan, files.items[i].path, source_netcfg_read,
                          networks && !text_is_among(files.items[i].name, networks)
                                          ? "the profile is not in NETWORKS"
                                          : NULL);
}

static void scan_netctl(const struct scan *scan) {
        struct scan_files files = scan_matching(scan, "/etc/netctl/hooks/* /etc/netctl/interfaces/*");

        for (size_t i = 0; i < files.n_items; i++)
                scan_file(scan, files.items[i].path, source_netctl_hook_read,
                          scan_why_not_run(scan, files.items[i].path, SCRIPT_EXECUTABLE));
        files = scan_matching(scan, "/etc/netctl/*");
        for (size_t i = 0; i < files.n_items; i++)
                scan_netctl_profile(scan, &files.items[i]);
        scan_netcfg(scan);
}

/* WireGuard ------------------------------------------------------------------------------------------- */

static void scan_wireguard(const struct scan *scan) {
        const struct scan_files files = scan_matching(scan, "/etc/wireguard/*.conf");

        for (size_t i = 0; i < files.n_items; i++) {
                const char *name = pool_copy_part(scan->pool, files.items[i].name,
                                                  strlen(files.items[i].name) - strlen(".conf")),
                           *service = pool_print(scan->pool, "wg-quick.%s", name),
                           /* Its ExecStart= has %i, the instance as it is written. */
                                           *unit = pool_print(scan->pool, "wg-quick@%s.service", name),
                           *off = scan_why_not_started(scan, service);

                if (!off && !scan->has_runlevels)
                        off = pool_print(scan->pool, "%s is not enabled", unit);
                scan_file(scan, files.items[i].path, source_wireguard_read,
                          scan_is_enabled(scan, unit) ? NULL : off);
        }
}

/* Leases ---------------------------------------------------------------------------------------------- */

/* The name of the device with this ifindex, by /sys/class/net; NULL: none. */
static const char *device_name(const struct scan *scan, unsigned long ifindex) {
        CLEANUP(folder_free) struct folder names = { 0 };
        int r = folder_list("/sys/class/net", "", FOLDER_WITH_HIDDEN, &names);

        if (r < 0 && r != -ENOENT)
                scan_report_unread(scan, "/sys/class/net", r);
        for (size_t i = 0; i < names.n_names; i++) {
                CLEANUP(cleanup_free) char *text = NULL;
                char path[PATH_MAX];

                snprintf(path, sizeof(path), "/sys/class/net/%s/ifindex", names.names[i]);
                r = whole_file_read(path, 4096, &text, &(size_t){ 0 });
                if (r == 0 && strtoul(text, NULL, 10) == ifindex)
                        return pool_copy(scan->pool, names.names[i]);
                /* Reading a device that is being removed gives -ENODEV or -ENOENT. */
                if (r < 0 && r != -ENOENT && r != -ENODEV)
                        scan_report_unread(scan, path, r);
        }
        return NULL;
}

static void scan_lease(const struct scan *scan, const struct scan_file *file, const char *device,
                       source_reader *reader) {
        struct source_parser parser = scan_parser(scan, file->path);

        parser.device = device;
        scan_parse(scan, parser, reader);
}

/* systemd-networkd names a lease by the ifindex. */
static void scan_networkd_leases(const struct scan *scan) {
        const struct scan_files files = scan_matching(scan, "/run/systemd/netif/leases/*");

        for (size_t i = 0; i < files.n_items; i++) {
                char *end;
                unsigned long ifindex = strtoul(files.items[i].name, &end, 10);
                const char *device = *end ? NULL : device_name(scan, ifindex);

                if (device)
                        scan_lease(scan, &files.items[i], device, source_lease_read);
        }
}

/* PREFIX…-DEVICE.lease or DEVICE.lease. */
static void scan_named_leases(const struct scan *scan, const char *pattern, source_reader *reader) {
        const struct scan_files files = scan_matching(scan, pattern);

        for (size_t i = 0; i < files.n_items; i++) {
                const char *name = files.items[i].name, *dash = strrchr(name, '-');
                const char *begin = dash && strstr(pattern, "-*") ? dash + 1 : name;

                scan_lease(scan, &files.items[i],
                           pool_copy_part(scan->pool, begin, strlen(begin) - strlen(".lease")), reader);
        }
}

static void scan_leases(const struct scan *scan) {
        scan_networkd_leases(scan);
        scan_named_leases(scan, "/var/lib/NetworkManager/internal-*.lease", source_lease_read);
        scan_named_leases(scan, "/var/lib/dhcpcd/*.lease", source_lease_read_message);
}

/* The rest -------------------------------------------------------------------------------------------- */

#define CRONTABS \
        "/etc/crontab /etc/cron.d/* /var/spool/cron/crontabs/* /var/spool/cron/tabs/* /var/spool/cron/root"

static const char *why_no_ifupdown(const struct scan *scan) {
        return scan_why_off(scan, "networking.service");
}

static const char *why_no_dhcpcd(const struct scan *scan) {
        return scan_why_off(scan, "dhcpcd.service");
}

/* NetworkManager may run dhclient as well, with these files. */
static const char *why_no_dhclient(const struct scan *scan) {
        const char *client = keyfile_get(&scan->sources->nm_settings, "main", "dhcp");

        return client && strcmp(client, "dhclient") == 0 && !scan_why_off(scan, "NetworkManager.service")
                               ? NULL
                               : why_no_ifupdown(scan);
}

/* Files that are read each by itself. */
static const struct {
        const char *patterns;
        source_reader *read;
        const char *(*why_off)(const struct scan *scan); /* as scan_why_off(); NULL: they act */
} places[] = {
        { CRONTABS, source_cron_read },
        { "/etc/wsl.conf", source_wsl_read },
        { "/etc/ppp/options* /etc/ppp/*-options /etc/ppp/peers/*", source_ppp_read },
        { "/var/lib/ifupdown2/policy.d/*.json /etc/network/ifupdown2/policy.d/*.json", source_ifupdown2_read,
          why_no_ifupdown },
        { "/etc/dhcpcd.conf", source_dhcpcd_read, why_no_dhcpcd },
        { "/etc/dhcp/dhclient.conf /etc/dhcp3/dhclient.conf /etc/dhclient.conf /etc/dhclient-*.conf "
          "/etc/dhcp/dhclient-*.conf",
          source_dhclient_read, why_no_dhclient },
        { "/var/lib/dhcp/*.lease* /var/lib/dhclient/*.lease* /var/lib/NetworkManager/*.leases",
          source_dhclient_leases_read },
        { "/etc/docker/daemon.json", source_docker_read },
};

static void scan_places(const struct scan *scan) {
        for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
                const struct scan_files files = scan_matching(scan, places[i].patterns);
                const char *off = places[i].why_off ? places[i].why_off(scan) : NULL;

                for (size_t j = 0; j < files.n_items; j++)
                        if (!is_backup(files.items[j].name))
                                scan_file(scan, files.items[j].path, places[i].read, off);
        }
}

/* Why nothing runs the hooks of a network manager, or of OpenRC's service local. Those of ifupdown are run
 * by NetworkManager, too. */
static const char *why_no_hooks(const struct scan *scan, const char *folder) {
        bool is_ifupdowns = text_after(folder, "/etc/network/");
        const char *off = is_ifupdowns || text_after(folder, "/etc/NetworkManager/")
                                          ? scan_why_off(scan, "NetworkManager.service")
                          : text_after(folder, "/etc/local.d/") ? scan_why_not_started(scan, "local")
                          : text_after(folder, "/etc/dhcp/")    ? why_no_ifupdown(scan)
                                                                : NULL;

        return off && is_ifupdowns ? scan_why_off(scan, "networking.service") : off;
}

/* What networkd-dispatcher gives the scripts of FOLDER/STATE.d. */
static const char *state_of(const struct scan *scan, const struct scan_file *file) {
        const char *end = file->name - strlen(".d/"), *begin = end;

        while (begin[-1] != '/')
                begin--;
        return pool_print(scan->pool, "IFACE=!;STATE=%.*s", (int)(end - begin), begin);
}

static void take_started(const struct scan *scan, struct source_parser script, struct pool_list *started) {
        if (!script.inactive && scan->script_files.read(scan, script.file, &script.text, &script.size))
                source_systemctl_starts(source_pool(&script), script.text, started);
}

/* Reads scripts that run at boot, or when a device comes up; for the units that they start, if there is
 * `started`. */
static void read_scripts(const struct scan *scan, struct pool_list *started) {
        static const struct {
                const char *patterns;
                unsigned rules;
                const char *given; /* as in struct source_parser */
        } scripts[] = {
                /* interfaces(5) */
                { "/etc/network/if-pre-up.d/*", SCRIPT_EXECUTABLE | SCRIPT_RUN_PARTS | SCRIPT_BY_KERNEL,
                  "IFACE=!;MODE=start;PHASE=pre-up" },
                { "/etc/network/if-up.d/*", SCRIPT_EXECUTABLE | SCRIPT_RUN_PARTS | SCRIPT_BY_KERNEL,
                  "IFACE=!;MODE=start;PHASE=post-up" },
                /* A folder for each state on the way up, of which no-carrier is one. */
                { "/etc/networkd-dispatcher/[!o]*.d/* /usr/lib/networkd-dispatcher/[!o]*.d/*",
                  SCRIPT_EXECUTABLE | SCRIPT_OF_ROOT | SCRIPT_BY_KERNEL },
                { "/etc/networkd-dispatcher/off.d/*", SCRIPT_AT_DOWN },
                /* Its subfolders are for these actions, and for no others: NetworkManager-dispatcher(8). */
                { "/etc/NetworkManager/dispatcher.d/*", SCRIPT_EXECUTABLE | SCRIPT_OF_ROOT,
                  "1=!;DEVICE_IFACE=!;DEVICE_IP_IFACE=!;2=!pre-up pre-down vpn-pre-up vpn-pre-down down "
                  "vpn-down" },
                { "/etc/NetworkManager/dispatcher.d/pre-up.d/*", SCRIPT_EXECUTABLE | SCRIPT_OF_ROOT,
                  "1=!;DEVICE_IFACE=!;DEVICE_IP_IFACE=!;2=pre-up vpn-pre-up" },
                { "/etc/NetworkManager/dispatcher.d/no-wait.d/*", SCRIPT_EXECUTABLE | SCRIPT_OF_ROOT,
                  "1=!;DEVICE_IFACE=!;DEVICE_IP_IFACE=!;2=!down vpn-down" },
                { "/etc/NetworkManager/dispatcher.d/pre-down.d/*", SCRIPT_AT_DOWN },
                { "/etc/network/if-down.d/* /etc/network/if-post-down.d/*", SCRIPT_AT_DOWN },
                /* Of dhclient-script(8). */
                { "/etc/dhcp/dhclient-enter-hooks.d/* /etc/dhcp/dhclient-exit-hooks.d/*", SCRIPT_RUN_PARTS,
                  "interface=!;reason=!EXPIRE FAIL STOP RELEASE EXPIRE6 STOP6 RELEASE6" },
                { "/etc/dhcpcd.enter-hook /etc/dhcpcd.exit-hook /lib/dhcpcd/dhcpcd-hooks/*", 0,
                  "interface=!" },
                { "/etc/ppp/ip-up /etc/ppp/ip-up.local", SCRIPT_EXECUTABLE, "1=!" },
                { "/etc/ppp/ip-up.d/*", SCRIPT_EXECUTABLE, "1=!;PPP_IFACE=!" },
                { "/etc/local.d/*", SCRIPT_EXECUTABLE },
                /* Of System V. */
                { "/etc/rc3.d/S*", SCRIPT_EXECUTABLE | SCRIPT_BY_KERNEL | SCRIPT_AS_UNIT, "1=start" },
                { "/etc/rc.local /etc/rc.d/rc.local", SCRIPT_EXECUTABLE },
        };
        bool is_second = scan_has_ifupdown2(scan); /* it takes any name of a script */

        for (size_t i = 0; i < sizeof(scripts) / sizeof(scripts[0]); i++) {
                const char *off = why_no_hooks(scan, scripts[i].patterns), *given = scripts[i].given;
                unsigned rules = scripts[i].rules;
                const struct scan_files files = scan_matching(scan, scripts[i].patterns);

                if (is_second && text_after(scripts[i].patterns, "/etc/network/")) {
                        rules &= ~(unsigned)SCRIPT_RUN_PARTS;
                        given = "IFACE=!"; /* its phases have other names */
                }
                for (size_t j = 0; j < files.n_items; j++) {
                        const struct scan_file *file = &files.items[j];
                        struct source_parser parser;

                        if (is_backup(file->name) || text_is_among(file->path, OWN_HOOKS))
                                continue;
                        parser = scan_parser(scan, file->path);
                        parser.inactive = off ? off : scan_why_not_run(scan, file->path, rules);
                        parser.given = strstr(file->path, "/networkd-dispatcher/") ? state_of(scan, file)
                                                                                   : given;
                        if (started)
                                take_started(scan, parser, started);
                        else
                                scan_parse(scan, parser, source_script_read);
                }
        }
}

static void scan_scripts(const struct scan *scan) {
        read_scripts(scan, NULL);
}

/* Adds the units that udev's rules, scripts and crontabs start to those that are enabled. */
static void add_started_units(struct scan *scan) {
        struct scan_files files = scan_folders(scan, rules_folders, ".rules");
        struct pool_list started = { 0 };

        for (size_t i = 0; i < files.n_items; i++) {
                struct source_parser parser = scan_parser(scan, files.items[i].path);

                if (scan->script_files.read(scan, parser.file, &parser.text, &parser.size))
                        source_udev_wants(&parser, &started);
        }
        files = scan_matching(scan, CRONTABS);
        for (size_t i = 0; i < files.n_items; i++)
                take_started(scan, scan_parser(scan, files.items[i].path), &started);
        read_scripts(scan, &started);
        for (size_t i = 0; i < started.n_items; i++)
                scan_enable_unit(scan, started.items[i]);
}

/* Reads a profile, after the one that it includes. */
static void scan_tuned_profile(const struct scan *scan, const char *name, unsigned depth,
                               const char *inactive) {
        static const char *const folders[] = { "/etc/tuned/profiles", "/etc/tuned",
                                               "/usr/lib/tuned/profiles", "/usr/lib/tuned" };

        for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
                struct source_parser parser = scan_parser(
                                scan, pool_print(scan->pool, "%s/%s/tuned.conf", folders[i], name));
                const char *included;

                parser.inactive = inactive;
                parser.owner = name;
                if (!scan_read_text(scan, parser.file, &parser.text, &parser.size))
                        continue;
                included = depth > 0 ? source_tuned_include(&parser) : NULL;
                if (included && !strchr(included, '/'))
                        scan_tuned_profile(scan, included, depth - 1, inactive);
                source_tuned_read(&parser);
                return;
        }
}

static void scan_tuned(const struct scan *scan) {
        const char *off = scan_why_off(scan, "tuned.service");
        const char *text;
        char *rest, *name;

        if (!scan_read_text(scan, "/etc/tuned/active_profile", &text, &(size_t){ 0 }))
                return;
        rest = pool_copy(scan->pool, text);
        while ((name = strsep(&rest, " \t\n")))
                if (*name && !strchr(name, '/'))
                        scan_tuned_profile(scan, name, 8, off);
}

int scan_machine(const struct diagnostic_sink *sink, struct mtu_sources *sources) {
        static void (*const stages[])(const struct scan *) = {
                scan_wireguard,  scan_udev_rules, scan_units,   scan_networkd, scan_networkmanager,
                scan_ifupdown,   scan_ifcfg,      scan_netctl,  scan_openrc,   scan_leases,
                scan_cloud_init, scan_places,     scan_scripts, scan_tuned,
        };
        struct scan scan;

        scan_begin(&scan, sink, sources);
        scan_enabled_units(&scan);
        add_started_units(&scan);
        scan_needed_services(&scan);
        scan_started_units(&scan);
        for (size_t i = 0; i < sizeof(stages) / sizeof(stages[0]); i++)
                stages[i](&scan);
        return sources->pool.failed ? -ENOMEM : 0;
}

int scan_named_file(const struct source_format *format, const char *file, const char *text, size_t size,
                    const struct diagnostic_sink *sink, struct mtu_sources *sources) {
        CLEANUP(cleanup_free) char *beside = NULL;
        struct source_parser parser;
        struct scan scan;

        scan_begin(&scan, sink, sources);
        parser = scan_parser(&scan, file);
        parser.text = text;
        parser.size = size;
        if (format->beside) {
                int folder_size = (int)(text_base_name(file) - file), r;

                r = whole_file_read_here(
                                pool_print(&sources->pool, "%.*s%s", folder_size, file, format->beside),
                                65536, &beside, &parser.beside_size);
                if (r < 0 && r != -ENOENT)
                        scan_report_unread(&scan, format->beside, r);
                parser.beside = beside;
        }
        if (format->foreign)
                source_fail(&parser, 0, "is for %s, which setmtu does not read", format->foreign);
        else if (format->read)
                format->read(&parser);
        else {
                scan_enabled_units(&scan);
                scan_unit_text(&scan, &parser);
        }
        return sources->pool.failed ? -ENOMEM : 0;
}
