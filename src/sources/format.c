/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/format.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "sources/dhcp.h"
#include "sources/docker.h"
#include "sources/freebsd.h"
#include "sources/ifcfg.h"
#include "sources/ifupdown.h"
#include "sources/ifupdown2.h"
#include "sources/irix.h"
#include "sources/lines.h"
#include "sources/netctl.h"
#include "sources/netplan.h"
#include "sources/network.h"
#include "sources/networkmanager.h"
#include "sources/openrc.h"
#include "sources/script.h"
#include "sources/tuned.h"
#include "sources/udev_rule.h"

/* Whether a line of the text matches a pattern. Lines come without the white space around them. */
static bool has_line(const char *text, size_t size, const char *pattern) {
        CLEANUP(cleanup_free) struct lines *lines = malloc(sizeof(*lines));

        if (!lines)
                return false;
        lines_open(lines, text, size, false);
        while (lines_next(lines))
                if (fnmatch(pattern, lines->line, 0) == 0)
                        return true;
        return false;
}

static bool looks_like_unit(const char *text, size_t size) {
        return has_line(text, size, "[[]Service[]]");
}

static bool looks_like_network(const char *text, size_t size) {
        return has_line(text, size, "[[]Match[]]") && has_line(text, size, "[[]Network[]]");
}

static bool looks_like_link(const char *text, size_t size) {
        return has_line(text, size, "[[]Match[]]") && has_line(text, size, "[[]Link[]]");
}

static bool looks_like_profile(const char *text, size_t size) {
        return has_line(text, size, "[[]connection[]]") && has_line(text, size, "id=*");
}

static bool looks_like_nm_conf(const char *text, size_t size) {
        return has_line(text, size, "[[]connection*[]]");
}

static bool looks_like_tuned(const char *text, size_t size) {
        return has_line(text, size, "[[]net*[]]");
}

static bool looks_like_netplan(const char *text, size_t size) {
        return has_line(text, size, "network:*");
}

static bool looks_like_ifupdown(const char *text, size_t size) {
        return has_line(text, size, "iface * inet*");
}

static bool looks_like_policy(const char *text, size_t size) {
        return has_line(text, size, "*\"iface_defaults\"*") || has_line(text, size, "*\"defaults\"*");
}

static bool looks_like_docker(const char *text, size_t size) {
        return has_line(text, size, "*\"mtu\"*:*");
}

static bool looks_like_ifcfg(const char *text, size_t size) {
        return has_line(text, size, "DEVICE=*") || has_line(text, size, "BOOTPROTO=*");
}

static bool looks_like_netctl(const char *text, size_t size) {
        return has_line(text, size, "Interface=*") && has_line(text, size, "Connection=*");
}

static bool looks_like_netcfg(const char *text, size_t size) {
        return has_line(text, size, "POST_UP=*") || has_line(text, size, "CONNECTION=*");
}

static bool looks_like_openrc(const char *text, size_t size) {
        return has_line(text, size, "mtu_*=*") || has_line(text, size, "config_*=*");
}

static bool looks_like_freebsd(const char *text, size_t size) {
        return has_line(text, size, "ifconfig_*=*");
}

static bool looks_like_leases(const char *text, size_t size) {
        return has_line(text, size, "lease {");
}

static bool looks_like_dhclient(const char *text, size_t size) {
        return has_line(text, size, "supersede *") || has_line(text, size, "request *,*");
}

static bool looks_like_rule(const char *text, size_t size) {
        return has_line(text, size, "*SUBSYSTEM==*") || has_line(text, size, "*ATTR{mtu}=*");
}

static bool looks_like_script(const char *text, size_t size) {
        return has_line(text, size, "#!*sh") || has_line(text, size, "*ip *link *mtu *") ||
               has_line(text, size, "*ifconfig * mtu *");
}

/* It names the interfaces of ifconfig-N.options, with which it is read. */
static int read_nothing(const struct reading *reading) {
        (void)reading;
        return 0;
}

static bool looks_like_irix(const char *text, size_t size) {
        return has_line(text, size, "mtu [0-9]*");
}

/* What is more particular comes first. */
static const struct source_format formats[] = {
        { "unit", NULL, "/*.service", looks_like_unit },
        { "network", source_network_read_text, "/*.network /*.netdev", looks_like_network },
        { "link", source_link_read_text, "/*.link", looks_like_link },
        { "networkmanager", source_nm_profile_read, "/*.nmconnection /system-connections/*",
          looks_like_profile },
        { "networkmanager-conf", source_nm_conf_read,
          "/NetworkManager.conf /NetworkManager/conf.d/*.conf /NetworkManager/*.conf", looks_like_nm_conf },
        { "tuned", source_tuned_read, "/tuned.conf", looks_like_tuned },
        { "netplan", source_netplan_read, "/*.yaml /*.yml", looks_like_netplan },
        { "ifupdown2", source_ifupdown2_read, "/policy.d/*.json", looks_like_policy },
        { "docker", source_docker_read, "/daemon.json", looks_like_docker },
        { "ifupdown", source_ifupdown_read, "/network/interfaces /network/interfaces.d/* /interfaces",
          looks_like_ifupdown },
        { "ifcfg", source_ifcfg_read, "/ifcfg-*", looks_like_ifcfg },
        { "netctl-hook", source_netctl_hook_read, "/netctl/hooks/* /netctl/interfaces/*", NULL },
        { "netctl", source_netctl_read, "/netctl/*", looks_like_netctl },
        { "netcfg", source_netcfg_read, "/network.d/*", looks_like_netcfg },
        { "openrc", source_openrc_read, "/conf.d/net", looks_like_openrc },
        { "freebsd", source_freebsd_read, "/rc.conf /rc.conf.local /rc.conf.d/*", looks_like_freebsd },
        { "udev-rule", source_udev_rule_read, "/*.rules", looks_like_rule },
        { "dhcpcd", source_dhcpcd_read, "/dhcpcd.conf", NULL },
        { "dhclient-leases", source_dhclient_leases_read, "/dhclient*.leases /dhclient*.lease",
          looks_like_leases },
        { "dhclient", source_dhclient_read, "/dhclient*.conf", looks_like_dhclient },
        { "script", source_script_read, "/rc.local /*.sh /*.start", looks_like_script },
        { "irix", source_irix_read_text, "/ifconfig-*.options", looks_like_irix },
        { "irix-netif", read_nothing, "/netif.options", NULL },
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
        CLEANUP(cleanup_free) char *words = strdup(patterns), *absolute = NULL;
        char *rest = words, *word;

        if (!words || asprintf(&absolute, "/%s", path) < 0) {
                absolute = NULL;
                return false;
        }
        while ((word = lines_word(&rest)))
                for (const char *end = absolute; (end = strchr(end, '/')); end++)
                        if (fnmatch(word, end, FNM_PATHNAME) == 0)
                                return true;
        return false;
}

const struct source_format *source_format_recognise(const char *path, const char *text, size_t size) {
        for (size_t i = 0; i < N_FORMATS; i++)
                if (has_name(path, formats[i].paths))
                        return &formats[i];
        for (size_t i = 0; i < N_FORMATS; i++)
                if (formats[i].looks_like && formats[i].looks_like(text, size))
                        return &formats[i];
        return NULL;
}

const char *source_format_names(char buffer[static SOURCE_FORMAT_NAMES_SIZE]) {
        size_t used = 0;

        for (size_t i = 0; i < N_FORMATS; i++) {
                int n = snprintf(buffer + used, SOURCE_FORMAT_NAMES_SIZE - used, "%s%s", i > 0 ? ", " : "",
                                 formats[i].name);

                if (n < 0 || (size_t)n >= SOURCE_FORMAT_NAMES_SIZE - used)
                        break;
                used += (size_t)n;
        }
        return buffer;
}
