/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The parsers of all formats that are one text each, and other functions of formats for a scan. */

#include "sources/parser/source_parser.h"

typedef void source_reader(const struct source_parser *parser);

/* Rules of udev(7) that write a device's MTU, or run a program that does. */
source_reader source_udev_rule_read;

/* Adds the units that a script or a command starts by systemctl(1), whatever decides that there. */
void source_systemctl_starts(struct pool *pool, const char *text, struct pool_list *units);

/* Adds the units that rules have systemd start for a device (systemd.device(5), SYSTEMD_WANTS=), or start by
 * systemctl; the name of one may be a pattern where the device's is. */
void source_udev_wants(const struct source_parser *parser, struct pool_list *units);

/* systemd.link(5); systemd.network(5) and systemd.netdev(5), by the file's name. */
source_reader source_link_read_text;
source_reader source_network_read_text;

/* The same for a file that was read with its drop-ins. The parser's text is not used. */
struct network_file;
void source_network_read(const struct source_parser *parser, const struct network_file *file);

/* Why networkd does not make the device of a .netdev file, beside these .network files; in the sources'
 * pool. NULL: it does, or that is not said for lack of a name. */
struct network_files;
const char *source_netdev_why_not_made(const struct source_parser *parser, const struct network_file *file,
                                       const struct network_files *networks);

/* A single file of netplan(5), or cloud-init's network configuration, version 1 or 2. */
source_reader source_netplan_read;

/* The definitions of several files, of which later ones add to earlier ones and override them; in the pool
 * of their parsers. A zeroed struct is empty. */
struct netplan {
        bool is_whole; /* these are all files: what they do not define is not defined */
        struct netplan_definition *items;
        size_t n_items;
        struct netplan_reference *references;
        size_t n_references;
        bool is_cut; /* there were more than SOURCES_MAX */
        const char *renderer;
        const struct source_parser *parser; /* of the file that is being read */
        const char *refused; /* which mistake is the first for which it takes none: a condition; or NULL */
};

/* Adds a file's text, which overrides earlier ones. Text that is not YAML is reported and left out. */
void netplan_add(struct netplan *netplan, const struct source_parser *parser);

/* Adds a source for each definition that has an MTU, and reports undefined devices. The parser's own text
 * does not matter. */
void netplan_read(struct netplan *netplan, const struct source_parser *parser);

/* NetworkManager's connection profiles as key files (nm-settings-keyfile(5)), and the [connection] defaults
 * of NetworkManager.conf(5). NetworkManager uses the first matching section of a file; the sources are in
 * reverse order, so that the last one is in effect, as everywhere. */
source_reader source_nm_profile_read;
source_reader source_nm_conf_read;
/* Only remembers for which device a profile is. One that refers to another is read behind this. */
source_reader source_nm_profile_name;

/* A single file of interfaces(5), by the rules of ifupdown. */
source_reader source_ifupdown_read;

/* ifupdown2's policies. */
source_reader source_ifupdown2_read;

/* interfaces(5) in several files, which are one text; in the pool of their parsers. */
struct ifupdown {
        bool is_second;     /* ifupdown2 reads them, which takes an MTU with DHCP and brings up ports */
        bool may_be_second; /* a stanza without a family, which ifupdown2 alone takes, tells */
        bool is_whole;      /* these are all files: what they do not bring up is not brought up */
        /* Adds the files that a line of `file` includes; a folder is named without a pattern. NULL: none are
         * there. */
        void (*include)(struct ifupdown *all, const char *file, const char *path, bool is_folder);
        /* private: */
        struct ifupdown_stanza *stanzas;
        size_t n_stanzas;
        struct ifupdown_start *starts;
        size_t n_starts;
        const char *first_file;
        const char *refused;     /* why ifupdown does not read the next line; NULL: it does */
        const char *why_nothing; /* the same of all files */
        bool has_failed;         /* any stanza */
        struct ifupdown_limit *limits;
        size_t n_limits;
        size_t n_repeated; /* lines of stanzas that have been read for other devices */
};

/* Adds the lines of a file; those of one that the text includes follow by `include`. */
void ifupdown_add(struct ifupdown *all, const struct source_parser *parser);
/* Adds the sources, once all files are added. */
void ifupdown_read(struct ifupdown *all);
/* Says `why` NetworkManager does not act on the devices that have a stanza. NULL: it does. */
void ifupdown_own_devices(const struct ifupdown *all, struct mtu_sources *sources, const char *why);

/* ifcfg-* of Red Hat's network scripts, of NetworkManager's plug-in for them, and of SUSE's wicked. */
source_reader source_ifcfg_read;
/* Whether NetworkManager leaves it to the network service: NM_CONTROLLED=no. */
bool source_ifcfg_is_unmanaged(const struct source_parser *parser);

/* Whether ONBOOT=no leaves the device down, unless it is a port and its master is started. NULL: it has no
 * name in the file, or no master. */
bool source_ifcfg_is_left(const struct source_parser *parser, const char **ret_device,
                          const char **ret_master);

/* Names what options of pppd give its devices, in a line of the text; and those of one of its files. */
void source_ppp_options(const struct source_parser *parser, const char *options, unsigned line);
source_reader source_ppp_read;

/* netctl.profile(5), and the profiles of netcfg, its predecessor. The file's name is the profile's. */
source_reader source_netctl_read;
source_reader source_netcfg_read;
/* The same of a profile among the hooks that netctl sources with it: the last ExecUpPost= counts, and one
 * that it takes over, as $ExecUpPost. */
void source_netctl_read_all(const struct source_parser *profile, const struct source_parser *files,
                            size_t n_files);
/* A hook in /etc/netctl/interfaces, named like its device, or in /etc/netctl/hooks, for all devices. */
source_reader source_netctl_hook_read;

/* Interface= of a profile; NULL if there is none or it is not known. */
const char *source_netctl_interface(const struct source_parser *parser);

/* /etc/conf.d/net of OpenRC's netifrc: mtu_eth0="9000". */
source_reader source_openrc_read;
/* The same where OpenRC does not start the services in `idle`, apart by spaces: net.eth1 net.wlan0. */
void source_openrc_read_started(const struct source_parser *parser, const char *idle);

/* A service of OpenRC, a script of openrc-run(8): what it does at its start. Another script has nothing. */
source_reader source_openrc_service_read;

/* Adds the services that a file of /etc/conf.d or /etc/init.d has OpenRC start. */
void source_openrc_needs(const struct source_parser *parser, struct pool_list *services);

/* wg-quick(8). The file's name is the device's. */
source_reader source_wireguard_read;

/* dhcpcd.conf(5) and dhclient.conf(5). */
source_reader source_dhcpcd_read;
source_reader source_dhclient_read;

/* Leases (RFC 2132, option 26: the interface's MTU): dhclient.leases(5), of which the last one of each
 * device counts; KEY=VALUE lines, as systemd's and NetworkManager's own clients write them; and a DHCP
 * message as it came over the wire, which dhcpcd keeps (RFC 2131, section 2). The latter two are for the
 * parser's device. */
source_reader source_dhclient_leases_read;
source_reader source_lease_read;
source_reader source_lease_read_message;

/* crontab(5), and the command that wsl.conf has run at boot. */
source_reader source_cron_read;
source_reader source_wsl_read;

/* Profiles of tuned: tuned-profiles(7), and the net plug-in. */
source_reader source_tuned_read;
/* The profiles that `include=` of [main] names. NULL: none. */
const char *source_tuned_include(const struct source_parser *parser);

/* Docker's daemon.json: the MTU of its own bridge and of the containers on it. */
source_reader source_docker_read;

/* FreeBSD's rc.conf(5): ifconfig_alc0="mtu 9000", with the VLANs of that device, which take its MTU. */
source_reader source_freebsd_read;

/* IRIX's /etc/config/ifconfig-N.options, for the interface that netif.options, beside it, calls ifN. */
source_reader source_irix_read;
