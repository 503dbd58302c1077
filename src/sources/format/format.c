/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/format/format.h"

#include <fnmatch.h>
#include <string.h>

#include "base/cleanup.h"
#include "sources/format/lines.h"

/* It names the interfaces of ifconfig-N.options, with which it is read. */
static void read_nothing(const struct source_parser *parser) {
        (void)parser;
}

/* What is more particular comes first. */
static const struct source_format formats[] = {
        { .name = "unit", .read = NULL, .paths = "/*.service", .lines = { "[[]Service[]]" } },
        { .name = "network",
          .read = source_network_read_text,
          .paths = "/*.network /*.netdev",
          .lines = { "[[]Match[]]", "[[]Network[]]" },
          .has_all_lines = true },
        { .name = "link",
          .read = source_link_read_text,
          .paths = "/*.link",
          .lines = { "[[]Match[]]", "[[]Link[]]" },
          .has_all_lines = true },
        { .name = "networkmanager",
          .read = source_nm_profile_read,
          .paths = "/*.nmconnection /system-connections/*",
          .lines = { "[[]connection[]]", "id=*" },
          .has_all_lines = true },
        { .name = "networkmanager-conf",
          .read = source_nm_conf_read,
          .paths = "/NetworkManager.conf /NetworkManager/conf.d/*.conf /NetworkManager/*.conf",
          .lines = { "[[]connection*[]]" } },
        { .name = "tuned", .read = source_tuned_read, .paths = "/tuned.conf", .lines = { "[[]net*[]]" } },
        { .name = "netplan",
          .read = source_netplan_read,
          .paths = "/*.yaml /*.yml",
          .lines = { "network:*" } },
        { .name = "ifupdown2",
          .read = source_ifupdown2_read,
          .paths = "/policy.d/*.json",
          .lines = { "*\"iface_defaults\"*", "*\"defaults\"*" } },
        { .name = "docker",
          .read = source_docker_read,
          .paths = "/daemon.json",
          .lines = { "*\"mtu\"*:*" } },
        { .name = "ifupdown",
          .read = source_ifupdown_read,
          .paths = "/network/interfaces /network/interfaces.d/* /interfaces",
          .lines = { "iface * inet*" } },
        { .name = "ifcfg",
          .read = source_ifcfg_read,
          .paths = "/ifcfg-*",
          .lines = { "DEVICE=*", "BOOTPROTO=*" } },
        { .name = "netctl-hook",
          .read = source_netctl_hook_read,
          .paths = "/netctl/hooks/* /netctl/interfaces/*" },
        { .name = "netctl",
          .read = source_netctl_read,
          .paths = "/netctl/*",
          .lines = { "Interface=*", "Connection=*" },
          .has_all_lines = true },
        { .name = "netcfg",
          .read = source_netcfg_read,
          .paths = "/network.d/*",
          .lines = { "POST_UP=*", "CONNECTION=*" } },
        { .name = "openrc",
          .read = source_openrc_read,
          .paths = "/conf.d/net",
          .lines = { "mtu_*=*", "config_*=*" } },
        { .name = "freebsd",
          .read = source_freebsd_read,
          .paths = "/rc.conf /rc.conf.local /rc.conf.d/*",
          .lines = { "ifconfig_*=*" } },
        { .name = "udev-rule",
          .read = source_udev_rule_read,
          .paths = "/*.rules",
          .lines = { "*SUBSYSTEM==*", "*ATTR{mtu}=*" } },
        { .name = "dhcpcd", .read = source_dhcpcd_read, .paths = "/dhcpcd.conf" },
        { .name = "dhclient-leases",
          .read = source_dhclient_leases_read,
          .paths = "/dhclient*.leases /dhclient*.lease",
          .lines = { "lease {" } },
        { .name = "dhclient",
          .read = source_dhclient_read,
          .paths = "/dhclient*.conf",
          .lines = { "supersede *", "request *,*" } },
        { .name = "script",
          .read = source_script_read,
          .paths = "/rc.local /*.sh /*.start",
          .lines = { "#!*sh", "*ip *link *mtu *", "*ifconfig * mtu *" } },
        { .name = "irix",
          .read = source_irix_read,
          .paths = "/ifconfig-*.options",
          .lines = { "mtu [0-9]*" },
          .beside = "netif.options" },
        { .name = "irix-netif", .read = read_nothing, .paths = "/netif.options" },
};

#define N_FORMATS (sizeof(formats) / sizeof(formats[0]))

const struct source_format *source_format_find(const char *name) {
        for (size_t i = 0; i < N_FORMATS; i++)
                if (strcmp(formats[i].name, name) == 0)
                        return &formats[i];
        return NULL;
}

/* Whether one of the patterns matches the path's end. */
static bool has_name(const char *path, const char *patterns) {
        CLEANUP(pool_free) struct pool pool = { 0 };
        const char *absolute = pool_print(&pool, "/%s", path);
        char *rest = pool_copy(&pool, patterns), *word;

        while ((word = lines_word(&rest)))
                for (const char *end = absolute; (end = strchr(end, '/')); end++)
                        if (fnmatch(word, end, FNM_PATHNAME) == 0)
                                return true;
        return false;
}

/* Whether a line of the text, without the white space around it, matches a pattern. */
static bool has_line(const char *text, size_t size, const char *pattern) {
        CLEANUP(pool_free) struct pool pool = { 0 };
        struct lines lines = lines_open(&pool, text, size, false);

        while (lines_next(&lines))
                if (fnmatch(pattern, lines.line, 0) == 0)
                        return true;
        return false;
}

static bool looks_like(const struct source_format *format, const char *text, size_t size) {
        size_t n = 0, n_found = 0;

        for (; n < FORMAT_LINES_MAX && format->lines[n]; n++)
                n_found += has_line(text, size, format->lines[n]);
        return n_found > 0 && (n_found == n || !format->has_all_lines);
}

const struct source_format *source_format_recognise(const char *path, const char *text, size_t size) {
        for (size_t i = 0; i < N_FORMATS; i++)
                if (has_name(path, formats[i].paths))
                        return &formats[i];
        for (size_t i = 0; i < N_FORMATS; i++)
                if (looks_like(&formats[i], text, size))
                        return &formats[i];
        return NULL;
}

const char *source_format_names(struct pool *pool) {
        struct pool_text names = { .pool = pool };

        for (size_t i = 0; i < N_FORMATS; i++) {
                pool_text_put(&names, i > 0 ? ", " : "");
                pool_text_put(&names, formats[i].name);
        }
        return names.text ? names.text : "";
}
