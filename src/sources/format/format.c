/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/format/format.h"

#include <fnmatch.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "sources/parser/lines.h"
#include "sources/shell/script.h"

/* For netif.options, which names the interfaces of ifconfig-N.options and is read with them. */
static void read_nothing(const struct source_parser *parser) {
        (void)parser;
}

/* By its header alone: any other format may be in a part of it. */
#define MIME 0

/* More specific formats come first. */
static const struct source_format formats[] = {
        [MIME] = { "mime", NULL, "", .foreign = "cloud-init, in parts (MIME)" },
        { "unit", NULL, "/*.service", "[[]Service[]]" },
        { "podman", NULL, "/containers/systemd/*.network", "NetworkName=*\nOptions=mtu=*",
          .foreign = "Podman" },
        { "network", source_network_read_text, "/*.network /*.netdev", "[[]Match[]]\n[[]Network[]]", true },
        { "link", source_link_read_text, "/*.link", "[[]Match[]]\n[[]Link[]]", true },
        { "networkmanager", source_nm_profile_read, "/*.nmconnection /system-connections/*",
          "[[]connection[]]\nid=*", true },
        { "networkmanager-conf", source_nm_conf_read,
          "/NetworkManager.conf /NetworkManager/conf.d/*.conf /NetworkManager/*.conf", "[[]connection*[]]" },
        { "tuned", source_tuned_read, "/tuned.conf", "[[]net*[]]" },
        { "netplan", source_netplan_read,
          "/*.yaml /*.yml /*.bu /network-config /user-data /cloud.cfg.d/*.cfg /cloud.cfg",
          "network:*\nversion: [12]\n#cloud-config" },
        { "ifupdown2", source_ifupdown2_read, "/policy.d/*.json", "*\"address\"*\n*defaults\"*", true },
        { "docker", source_docker_read, "/daemon.json" },
        { "ifupdown", source_ifupdown_read, "/network/interfaces /network/interfaces.d/* /interfaces",
          "iface * inet*\niface [a-z]*" },
        { "wicked", NULL, "/wicked/*.xml /wicked/ifconfig/*.xml", "<mtu>*", .foreign = "wicked" },
        { "ifcfg", source_ifcfg_read, "/ifcfg-*", "DEVICE=*\nBOOTPROTO=*" },
        { "netctl-hook", source_netctl_hook_read, "/netctl/hooks/* /netctl/interfaces/*" },
        { "netctl", source_netctl_read, "/netctl/*", "Interface=*\nConnection=*", true },
        { "netcfg", source_netcfg_read, "/network.d/*", "POST_UP=*\nCONNECTION=*" },
        { "openrc", source_openrc_read, "/conf.d/net", "mtu_*=*\nconfig_*=*" },
        { "freebsd", source_freebsd_read, "/rc.conf /rc.conf.local /rc.conf.d/*", "ifconfig_*=*" },
        { "udev-rule", source_udev_rule_read, "/*.rules", "*SUBSYSTEM==*\n*ATTR{mtu}=*" },
        { "dhcpcd", source_dhcpcd_read, "/dhcpcd.conf" },
        { "dhclient-leases", source_dhclient_leases_read, "/dhclient*.leases /dhclient*.lease", "lease {" },
        { "dhclient", source_dhclient_read, "/dhclient*.conf", "supersede *\nrequest *,*" },
        { "openrc-service", source_openrc_service_read, "", "#!*/openrc-run*\n#!*/runscript*" },
        { "script", source_script_read, "/rc.local /*.sh /*.start",
          "#!*sh\n*ip *link *mtu *\n*ifconfig * mtu *" },
        { "cron", source_cron_read, "/crontab /crontabs/* /cron.d/* /*.cron",
          "@reboot *\n[*] [*] [*] [*] [*] *" },
        { "wsl", source_wsl_read, "/wsl.conf" },
        { "wireguard", source_wireguard_read, "/wireguard/*.conf", "[[]Interface[]]\nPrivateKey*=*", true },
        /* Those that are not read. */
        { "openwrt", NULL, "/config/network", "config interface *\nconfig device*", .foreign = "OpenWrt" },
        { "openbsd", NULL, "/hostname.*", .foreign = "OpenBSD" },
        { "netbsd", NULL, "/ifconfig.*", .foreign = "NetBSD" },
        { "ppp", NULL, "/ppp/peers/* /ppp/options* /ppp/*-options",
          "plugin *pppoe*.so*\nnoipdefault\nlcp-echo-*", .foreign = "pppd" },
        { "nixos", NULL, "/*.nix", .foreign = "NixOS" },
        { "vyos", NULL, "/config.boot", "ethernet eth* {\nset interfaces * mtu *", .foreign = "VyOS" },
        { "slackware", NULL, "/rc.inet1.conf", "IPADDR[[][0-9]]=*", .foreign = "Slackware's rc.inet1" },
        { "dnsmasq", NULL, "/dnsmasq.conf /dnsmasq.d/*", "dhcp-option=*", .foreign = "dnsmasq" },
        { "dhcpd", NULL, "/dhcpd.conf", "subnet * netmask * {", .foreign = "a DHCP server" },
        { "openvpn", NULL, "/openvpn/*.conf /*.ovpn", "tun-mtu *", .foreign = "OpenVPN" },
        { "libvirt", NULL, "/libvirt/*.xml /libvirt/qemu/*.xml", "*<mtu size=*", .foreign = "libvirt" },
        { "lxc", NULL, "/lxc/*/config", "lxc.net*.mtu *", .foreign = "LXC" },
        { "cni", NULL, "/cni/net.d/*", "*\"cniVersion\"*", .foreign = "a container network (CNI)" },
        { "kickstart", NULL, "/*.ks", "network *--mtu=*", .foreign = "Kickstart" },
        { "irix", source_irix_read, "/ifconfig-*.options", .beside = "netif.options" },
        { "irix-netif", read_nothing, "/netif.options" },
};

#define N_FORMATS (sizeof(formats) / sizeof(formats[0]))

const struct source_format *source_format_find(const char *name) {
        for (size_t i = 0; i < N_FORMATS; i++)
                if (!formats[i].foreign && strcmp(formats[i].name, name) == 0)
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
        CLEANUP(pool_free) struct pool pool = { 0 };
        const char *written = format->lines ? format->lines : "";
        struct lines patterns = lines_open(&pool, written, strlen(written), false);
        size_t n = 0, n_found = 0;

        for (; lines_next(&patterns); n++)
                n_found += has_line(text, size, patterns.line);
        return n_found > 0 && (n_found == n || !format->has_all_lines);
}

/* Whether a header says that a message has several parts (RFC 2046), as cloud-init takes them. */
static bool is_multipart(const char *text, size_t size) {
        static const char multipart[] = "Content-Type: multipart/";
        CLEANUP(pool_free) struct pool pool = { 0 };
        struct lines lines = lines_open(&pool, text, size, false);

        while (lines_next(&lines) && (strchr(lines.line, ':') || text_after(lines.line, "From ")))
                if (strncasecmp(lines.line, multipart, strlen(multipart)) == 0)
                        return true;
        return false;
}

/* Whether it is a script, which cloud-init's user data may be. */
static bool is_script(const char *text, size_t size) {
        CLEANUP(pool_free) struct pool pool = { 0 };
        struct lines lines = lines_open(&pool, text, size, false);

        return lines_next(&lines) && text_after(lines.line, "#!");
}

const struct source_format *source_format_of_path(const char *path) {
        for (size_t i = 0; i < N_FORMATS; i++)
                if (has_name(path, formats[i].paths))
                        return &formats[i];
        return NULL;
}

const struct source_format *source_format_recognise(const char *path, const char *text, size_t size) {
        const struct source_format *format = has_name(path, "/user-data") && is_script(text, size)
                                                             ? NULL
                                                             : source_format_of_path(path);

        if (is_multipart(text, size))
                return &formats[MIME];
        if (format)
                return format;
        for (size_t i = 0; i < N_FORMATS; i++)
                if (looks_like(&formats[i], text, size))
                        return &formats[i];
        return NULL;
}

const char *source_format_names(struct pool *pool) {
        struct pool_text names = { .pool = pool };

        for (size_t i = 0; i < N_FORMATS; i++) {
                if (formats[i].foreign)
                        continue;
                pool_text_put(&names, names.text ? ", " : "");
                pool_text_put(&names, formats[i].name);
        }
        return names.text ? names.text : "";
}
