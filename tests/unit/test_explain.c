/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Who wins: a row is a device with what is written about it, and who sets its MTU in the end. */

#include "explain/explanation.h"
#include "rows.h"

/* What is written seldom has all that it could have. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

/* The source that `file` and the rest stand for. `device` NULL: any. */
struct written {
        enum source_kind kind;
        enum source_match match;
        const char *device;
        const char *file;
        uint32_t mtu; /* 0: DHCP says it */
        bool inactive;
        bool conditional;
        const char *owner;
        const char *address;
};

struct row {
        const char *name;
        struct written written[8];
        const char *networkd;       /* the .network file by which networkd has it */
        const char *networkmanager; /* the active profile; "?": not known */
        uint32_t lease;             /* that it holds; 0: none */
        const char *netctl;
        bool ifupdown, ifupdown2;
        const char *link_file;
        const char *kind;
        uint32_t max;           /* 0: 9216 */
        uint32_t lower, setter; /* the MTU of the device below, or of the bond */
        uint32_t wanted;        /* by setmtu's own line; 0: none */
        enum backend backend;
        const char *foreign;
        bool absent;
        uint32_t has;      /* 0: 1500 */
        uint32_t original; /* 0: not known */
        /* A line a step: SOURCE MTU EFFECT, and "!" where it contradicts the winner. */
        const char *expected;
};

#define LAN "/etc/NetworkManager/system-connections/lan.nmconnection"
#define WORK "/etc/NetworkManager/system-connections/work.nmconnection"
#define CONF_D "/etc/NetworkManager/conf.d/mtu.conf"
#define LEASE_NM "/var/lib/NetworkManager/internal-1-eth0.lease"
#define LEASE_ND "/run/systemd/netif/leases/7"
#define LEASE_DHCLIENT "/var/lib/dhcp/dhclient.eth0.leases"
#define LEASE_DHCPCD "/var/lib/dhcpcd/eth0.lease"
#define NETWORK "/etc/systemd/network/10-eth0.network"
#define INTERFACES "/etc/network/interfaces"
#define POLICY "/etc/network/ifupdown2/policy.d/mtu.json"
#define DEFAULT "/usr/lib/systemd/network/99-default.link"

#define ETH0 MATCH_NAME, "eth0"
#define ANY MATCH_ANY, NULL

static const struct row rows[] = {
        { .name = "nobody", .expected = "driver 0 wins" },
        { .name = "setmtu's own files are its line",
          .written = { { SOURCE_UDEV_RULE, ETH0, "/run/udev/rules.d/81-setmtu.rules", 9000 },
                       { SOURCE_LINK, ETH0, "/run/systemd/network/05-setmtu-9000.link", 9000 },
                       { SOURCE_NETWORK, ETH0, "/run/systemd/network/a.network.d/50-setmtu.conf", 9000 },
                       { SOURCE_NETWORKMANAGER, ETH0, "/run/NetworkManager/conf.d/90-setmtu.conf", 9000 } },
          .wanted = 9000,
          .has = 9000,
          .expected = "driver 0 overridden; setmtu 9000 same; setmtu 9000 wins" },
        { .name = "an alternative name, in a .network file and not in a .link file",
          .written = { { SOURCE_NETWORK, MATCH_NAME, "lan0", NETWORK, 9000 },
                       { SOURCE_LINK, MATCH_NAME, "lan0", "/etc/systemd/network/10-lan0.link", 4000 } },
          .has = 9000,
          .expected = "driver 0 overridden; network 9000 maybe" },
        { .name = "somebody by hand", .has = 4000, .expected = "driver 0 overridden" },
        { .name = "somebody by hand, and setmtu knows what was there before",
          .original = 1500,
          .has = 4000,
          .expected = "driver 1500 overridden" },
        { .name = "perhaps one whose state is not known",
          .written = { { SOURCE_OPENRC, ETH0, "/etc/conf.d/net", 4000 } },
          .has = 4000,
          .expected = "driver 0 overridden; openrc 4000 maybe" },
        { .name = "what was there before setmtu",
          .original = 1500,
          .wanted = 9000,
          .has = 9000,
          .expected = "driver 1500 overridden; setmtu 9000 same; setmtu 9000 wins" },
        { .name = "setmtu alone",
          .wanted = 9000,
          .has = 9000,
          .expected = "driver 0 overridden; setmtu 9000 same; setmtu 9000 wins" },

        /* systemd-networkd, .netdev */
        { .name = "netdev: whichever .link file is in effect",
          .written = { { SOURCE_NETDEV, ETH0, "/etc/systemd/network/bridge.netdev", 9000 } },
          .link_file = DEFAULT,
          .has = 9000,
          .expected = "driver 0 overridden; netdev 9000 wins" },
        { .name = "netdev: a .link file that sorts behind it acts later",
          .written = { { SOURCE_NETDEV, ETH0, "/etc/systemd/network/10-bridge.netdev", 9000 },
                       { SOURCE_LINK, ETH0, "/etc/systemd/network/20-bridge.link", 4000 } },
          .link_file = "/etc/systemd/network/20-bridge.link",
          .has = 4000,
          .expected = "driver 0 overridden; netdev 9000 overridden !; link 4000 wins" },

        /* systemd-udevd, .link */
        { .name = "link: the file in effect",
          .written = { { SOURCE_LINK, ETH0, "/etc/systemd/network/10-eth0.link", 9000 } },
          .link_file = "/etc/systemd/network/10-eth0.link",
          .expected = "driver 0 overridden; link 9000 wins" },
        { .name = "link: the file in effect, whatever else it asks for",
          .written = { { SOURCE_LINK, ETH0, "/etc/systemd/network/10-eth0.link", 9000,
                         .conditional = true } },
          .link_file = "/etc/systemd/network/10-eth0.link",
          .expected = "driver 0 overridden; link 9000 wins" },
        { .name = "link: whoever manages the device",
          .written = { { SOURCE_LINK, ETH0, "/etc/systemd/network/10-eth0.link", 9000 } },
          .link_file = "/etc/systemd/network/10-eth0.link",
          .networkmanager = LAN,
          .expected = "driver 0 overridden; link 9000 wins" },
        { .name = "link: a drop-in to the file in effect",
          .written = { { SOURCE_LINK, ETH0, "/etc/systemd/network/99-default.link.d/mtu.conf", 9000 } },
          .link_file = DEFAULT,
          .expected = "driver 0 overridden; link 9000 wins" },
        { .name = "link: hidden by the first match",
          .written = { { SOURCE_LINK, ETH0, "/etc/systemd/network/20-eth0.link", 9000 } },
          .link_file = "/etc/systemd/network/10-all.link",
          .expected = "driver 0 wins; link 9000 idle" },
        { .name = "link: without a number, hidden by 99-default",
          .written = { { SOURCE_LINK, ETH0, "/etc/systemd/network/eth0.link", 9000 } },
          .link_file = DEFAULT,
          .expected = "driver 0 wins; link 9000 idle" },
        { .name = "link: newer than the device",
          .written = { { SOURCE_LINK, ETH0, "/etc/systemd/network/10-eth0.link", 9000 } },
          .link_file = DEFAULT,
          .expected = "driver 0 wins; link 9000 maybe" },
        { .name = "link: by something that udevd has found not to match",
          .written = { { SOURCE_LINK, MATCH_OTHER, "Driver=e1000e", "/etc/systemd/network/10-x.link",
                         9000 } },
          .link_file = DEFAULT,
          .expected = "driver 0 wins" },
        { .name = "link: by something that is not known, without udev's word",
          .written = { { SOURCE_LINK, MATCH_OTHER, "Driver=e1000e", "/etc/systemd/network/10-x.link",
                         9000 } },
          .expected = "driver 0 wins; link 9000 maybe" },
        { .name = "link: without udev's word",
          .written = { { SOURCE_LINK, ETH0, "/etc/systemd/network/10-eth0.link", 9000 } },
          .expected = "driver 0 overridden; link 9000 wins" },
        { .name = "link: of another device",
          .written = { { SOURCE_LINK, MATCH_NAME, "eth1", "/etc/systemd/network/10-eth1.link", 9000 } },
          .expected = "driver 0 wins" },
        { .name = "link: by MAC address",
          .written = { { SOURCE_LINK, MATCH_MAC, "52:54:00:12:34:56", "/etc/systemd/network/10-a.link",
                         9000 },
                       { SOURCE_LINK, MATCH_MAC, "52:54:00:12:34:57", "/etc/systemd/network/11-b.link",
                         8000 } },
          .expected = "driver 0 overridden; link 9000 wins" },
        { .name = "link: above what the device takes",
          .written = { { SOURCE_LINK, ETH0, "/etc/systemd/network/10-eth0.link", 9500 } },
          .expected = "driver 0 wins; link 9500 refused" },

        /* udev rules */
        { .name = "udev rule: before the .link file",
          .written = { { SOURCE_UDEV_RULE, ETH0, "/etc/udev/rules.d/70-mtu.rules", 4000 },
                       { SOURCE_LINK, ETH0, "/etc/systemd/network/10-eth0.link", 9000 } },
          .expected = "driver 0 overridden; udev-rule 4000 overridden !; link 9000 wins" },
        { .name = "udev rule: after the .link file",
          .written = { { SOURCE_UDEV_RULE, ETH0, "/etc/udev/rules.d/90-mtu.rules", 4000 },
                       { SOURCE_LINK, ETH0, "/etc/systemd/network/10-eth0.link", 9000 } },
          .expected = "driver 0 overridden; link 9000 overridden !; udev-rule 4000 wins" },
        { .name = "udev rule: after setmtu's, whose unit has the last word",
          .written = { { SOURCE_UDEV_RULE, ETH0, "/etc/udev/rules.d/90-mtu.rules", 4000 } },
          .wanted = 9000,
          .expected = "driver 0 overridden; setmtu 9000 same; udev-rule 4000 overridden !; setmtu 9000 "
                      "wins" },
        { .name = "udev rule: a glob",
          .written = { { SOURCE_UDEV_RULE, MATCH_GLOB, "eth*", "/etc/udev/rules.d/90-mtu.rules", 4000 },
                       { SOURCE_UDEV_RULE, MATCH_GLOB, "en*", "/etc/udev/rules.d/91-mtu.rules", 4001 } },
          .expected = "driver 0 overridden; udev-rule 4000 wins" },
        { .name = "udev rule: for some drivers",
          .written = { { SOURCE_UDEV_RULE, MATCH_OTHER, "DRIVERS==\"e1000e\"",
                         "/etc/udev/rules.d/90-mtu.rules", 4000 } },
          .expected = "driver 0 wins; udev-rule 4000 maybe" },

        /* hand-written units */
        { .name = "unit: before the manager",
          .written = { { SOURCE_UNIT, ETH0, "/etc/systemd/system/mtu.service", 4000 },
                       { SOURCE_NETWORK, ETH0, NETWORK, 9000 } },
          .networkd = NETWORK,
          .expected = "driver 0 overridden; unit 4000 overridden !; network 9000 wins" },
        { .name = "unit: not enabled",
          .written = { { SOURCE_UNIT, ETH0, "/etc/systemd/system/mtu.service", 4000, .inactive = true } },
          .expected = "driver 0 wins; unit 4000 idle" },
        { .name = "unit: the hand-written setmtu@.service in place of setmtu's",
          .written = { { SOURCE_UNIT, ETH0, "/etc/conf.d/setmtu", 9000 } },
          .wanted = 9000,
          .foreign = "/etc/systemd/system/setmtu@.service",
          .has = 9000,
          .expected = "driver 0 overridden; setmtu 9000 same; setmtu 9000 idle; unit 9000 wins" },

        /* systemd-networkd */
        { .name = "networkd: MTUBytes= goes over what was there",
          .written = { { SOURCE_NETWORK, ETH0, NETWORK, 1500 } },
          .networkd = NETWORK,
          .wanted = 9000,
          .expected = "driver 0 overridden; setmtu 9000 overridden !; setmtu 9000 overridden !; network "
                      "1500 wins" },
        { .name = "networkd: without MTUBytes= an earlier MTU stays",
          .networkd = NETWORK,
          .wanted = 9000,
          .has = 9000,
          .expected = "driver 0 overridden; setmtu 9000 same; setmtu 9000 wins" },
        { .name = "networkd: not enabled, and has the device",
          .written = { { SOURCE_NETWORK, ETH0, NETWORK, 9000, .inactive = true } },
          .networkd = NETWORK,
          .has = 9000,
          .expected = "driver 0 overridden; network 9000 wins" },
        { .name = "networkd: not enabled",
          .written = { { SOURCE_NETWORK, ETH0, NETWORK, 9000, .inactive = true } },
          .expected = "driver 0 wins; network 9000 idle" },
        { .name = "networkd: another file is in effect",
          .written = { { SOURCE_NETWORK, ETH0, "/etc/systemd/network/20-eth0.network", 9000 } },
          .networkd = NETWORK,
          .expected = "driver 0 wins; network 9000 idle" },
        { .name = "networkd: a drop-in to the file in effect",
          .written = { { SOURCE_NETWORK, ANY, "/etc/systemd/network/10-eth0.network.d/mtu.conf", 9000 } },
          .networkd = NETWORK,
          .expected = "driver 0 overridden; network 9000 wins" },
        { .name = "networkd: clamps to what the device takes",
          .written = { { SOURCE_NETWORK, ETH0, NETWORK, 9500 } },
          .networkd = NETWORK,
          .has = 9216,
          .expected = "driver 0 overridden; network 9216 wins" },
        { .name = "networkd: raises to 1280 for IPv6",
          .written = { { SOURCE_NETWORK, ETH0, NETWORK, 1000 } },
          .networkd = NETWORK,
          .has = 1280,
          .expected = "driver 0 overridden; network 1280 wins" },
        { .name = "networkd: does not have the device",
          .written = { { SOURCE_NETWORK, ETH0, NETWORK, 9000 } },
          .networkmanager = LAN,
          .expected = "driver 0 wins; network 9000 idle" },
        { .name = "networkd: nobody has the device",
          .written = { { SOURCE_NETWORK, ETH0, NETWORK, 9000 } },
          .expected = "driver 0 wins; network 9000 maybe" },
        { .name = "networkd: DHCP is not asked by itself",
          .written = { { SOURCE_LEASE, ETH0, LEASE_ND, 9000 } },
          .networkd = NETWORK,
          .expected = "driver 0 wins; lease 9000 idle" },
        { .name = "networkd: UseMTU= takes DHCP's",
          .written = { { SOURCE_NETWORK, ETH0, NETWORK, 0 }, { SOURCE_LEASE, ETH0, LEASE_ND, 9000 } },
          .networkd = NETWORK,
          .has = 9000,
          .expected = "driver 0 overridden; network 0 idle; lease 9000 wins" },
        { .name = "networkd: MTUBytes= switches UseMTU= off",
          .written = { { SOURCE_NETWORK, ETH0, NETWORK, 4000 },
                       { SOURCE_NETWORK, ETH0, NETWORK, 0 },
                       { SOURCE_LEASE, ETH0, LEASE_ND, 9000 } },
          .networkd = NETWORK,
          .has = 4000,
          .expected = "driver 0 overridden; network 4000 wins; network 0 idle; lease 9000 idle" },

        /* NetworkManager: parent < DHCP < profile */
        { .name = "NetworkManager: an automatic profile leaves an earlier MTU",
          .networkmanager = LAN,
          .wanted = 9000,
          .has = 9000,
          .expected = "driver 0 overridden; setmtu 9000 same; setmtu 9000 wins" },
        { .name = "NetworkManager: a profile's MTU goes over what was there",
          .written = { { SOURCE_NETWORKMANAGER, ETH0, LAN, 1500 } },
          .networkmanager = LAN,
          .wanted = 9000,
          .expected = "driver 0 overridden; setmtu 9000 overridden !; setmtu 9000 overridden !; "
                      "networkmanager 1500 wins" },
        { .name = "NetworkManager: conf.d where the profile has none",
          .written = { { SOURCE_NETWORKMANAGER, ETH0, CONF_D, 4000 } },
          .networkmanager = LAN,
          .has = 4000,
          .expected = "driver 0 overridden; networkmanager 4000 wins" },
        { .name = "NetworkManager: the profile goes before conf.d",
          .written = { { SOURCE_NETWORKMANAGER, ETH0, CONF_D, 4000 },
                       { SOURCE_NETWORKMANAGER, ETH0, LAN, 9000 } },
          .networkmanager = LAN,
          .has = 9000,
          .expected = "driver 0 overridden; networkmanager 4000 idle; networkmanager 9000 wins" },
        { .name = "NetworkManager: DHCP where nobody else says",
          .written = { { SOURCE_LEASE, ETH0, LEASE_NM, 4000 } },
          .networkmanager = LAN,
          .has = 4000,
          .expected = "driver 0 overridden; lease 4000 wins" },
        { .name = "NetworkManager: the profile goes before DHCP",
          .written = { { SOURCE_LEASE, ETH0, LEASE_NM, 4000 }, { SOURCE_NETWORKMANAGER, ETH0, LAN, 9000 } },
          .networkmanager = LAN,
          .has = 9000,
          .expected = "driver 0 overridden; networkmanager 9000 wins; lease 4000 idle" },
        { .name = "NetworkManager: conf.d goes before DHCP",
          .written = { { SOURCE_LEASE, ETH0, LEASE_NM, 4000 },
                       { SOURCE_NETWORKMANAGER, ETH0, CONF_D, 9000 } },
          .networkmanager = LAN,
          .has = 9000,
          .expected = "driver 0 overridden; networkmanager 9000 wins; lease 4000 idle" },
        { .name = "NetworkManager: a lease that only it knows",
          .networkmanager = LAN,
          .lease = 1400,
          .wanted = 9000,
          .has = 1400,
          .expected = "driver 0 overridden; setmtu 9000 overridden !; setmtu 9000 overridden !; "
                      "lease 1400 wins" },
        { .name = "NetworkManager: the profile goes before a lease that only it knows",
          .written = { { SOURCE_NETWORKMANAGER, ETH0, LAN, 9000 } },
          .networkmanager = LAN,
          .lease = 1400,
          .has = 9000,
          .expected = "driver 0 overridden; networkmanager 9000 wins; lease 1400 idle" },
        { .name = "NetworkManager: another profile is active",
          .written = { { SOURCE_NETWORKMANAGER, ETH0, WORK, 9000 },
                       { SOURCE_NETWORKMANAGER, ANY, WORK, 8000 } },
          .networkmanager = LAN,
          .expected = "driver 0 wins; networkmanager 9000 idle" },
        { .name = "NetworkManager: which profile is active is not known",
          .written = { { SOURCE_NETWORKMANAGER, ETH0, LAN, 9000 } },
          .networkmanager = "?",
          .expected = "driver 0 wins; networkmanager 9000 maybe" },
        { .name = "NetworkManager: an ifcfg file is a profile",
          .written = { { SOURCE_IFCFG, ETH0, "/etc/sysconfig/network-scripts/ifcfg-eth0", 9000 } },
          .networkmanager = "/etc/sysconfig/network-scripts/ifcfg-eth0",
          .expected = "driver 0 overridden; ifcfg 9000 wins" },

        /* netplan */
        { .name = "netplan: carried out by what it has written",
          .written = { { SOURCE_NETPLAN, ETH0, "/etc/netplan/50-cloud-init.yaml", 9000 },
                       { SOURCE_LINK, ETH0, "/run/systemd/network/10-netplan-eth0.link", 9000 },
                       { SOURCE_NETWORK, ETH0, "/run/systemd/network/10-netplan-eth0.network", 9000 } },
          .networkd = "/run/systemd/network/10-netplan-eth0.network",
          .link_file = "/run/systemd/network/10-netplan-eth0.link",
          .has = 9000,
          .expected = "driver 0 overridden; netplan 9000 idle; link 9000 same; network 9000 wins" },
        { .name = "netplan: edited and not applied",
          .written = { { SOURCE_NETPLAN, ETH0, "/etc/netplan/50-cloud-init.yaml", 9000 },
                       { SOURCE_NETWORK, ETH0, "/run/systemd/network/10-netplan-eth0.network", 1500 } },
          .networkd = "/run/systemd/network/10-netplan-eth0.network",
          .expected = "driver 0 overridden; netplan 9000 maybe !; network 1500 wins" },
        { .name = "netplan: never applied",
          .written = { { SOURCE_NETPLAN, ETH0, "/etc/netplan/50-cloud-init.yaml", 9000 } },
          .expected = "driver 0 wins; netplan 9000 idle" },

        /* ifupdown, ifupdown2 */
        { .name = "ifupdown",
          .written = { { SOURCE_IFUPDOWN, ETH0, INTERFACES, 9000 } },
          .ifupdown = true,
          .has = 9000,
          .expected = "driver 0 overridden; ifupdown 9000 wins" },
        { .name = "ifupdown: not with dhcp",
          .written = { { SOURCE_IFUPDOWN, ETH0, INTERFACES, 9000, .inactive = true } },
          .ifupdown = true,
          .expected = "driver 0 wins; ifupdown 9000 idle" },
        { .name = "ifupdown: without mtu an earlier one stays",
          .ifupdown = true,
          .wanted = 9000,
          .has = 9000,
          .expected = "driver 0 overridden; setmtu 9000 same; setmtu 9000 wins" },
        { .name = "ifupdown2: sets 1500 where nothing is written",
          .ifupdown2 = true,
          .wanted = 9000,
          .expected = "driver 0 overridden; setmtu 9000 overridden !; setmtu 9000 overridden !; ifupdown2 "
                      "1500 wins" },
        { .name = "ifupdown2: a policy survives",
          .written = { { SOURCE_IFUPDOWN2, ETH0, POLICY, 9000 } },
          .ifupdown2 = true,
          .wanted = 9000,
          .has = 9000,
          .expected = "driver 0 overridden; setmtu 9000 same; setmtu 9000 same; ifupdown2 9000 wins" },
        { .name = "ifupdown2: interfaces(5) goes before a policy",
          .written = { { SOURCE_IFUPDOWN2, ETH0, POLICY, 9000 },
                       { SOURCE_IFUPDOWN, ETH0, INTERFACES, 4000 } },
          .ifupdown2 = true,
          .has = 4000,
          .expected = "driver 0 overridden; ifupdown2 9000 idle; ifupdown 4000 wins" },
        { .name = "ifupdown2: brought up by a bridge",
          .written = { { SOURCE_IFUPDOWN, ETH0, INTERFACES, 9000, .inactive = true } },
          .ifupdown2 = true,
          .has = 9000,
          .expected = "driver 0 overridden; ifupdown 9000 wins" },
        { .name = "ifupdown2: a VLAN gets that of its lower device",
          .ifupdown2 = true,
          .kind = "vlan",
          .lower = 9000,
          .wanted = 9000,
          .has = 9000,
          .expected = "driver 0 overridden; setmtu 9000 same; setmtu 9000 wins" },

        /* netctl */
        { .name = "netctl: never sets one itself",
          .netctl = "/etc/netctl/lan",
          .wanted = 9000,
          .has = 9000,
          .expected = "driver 0 overridden; setmtu 9000 same; setmtu 9000 wins" },
        { .name = "netctl: ExecUpPost after the hook",
          .written = { { SOURCE_NETCTL, ETH0, "/etc/netctl/lan", 4000 },
                       { SOURCE_NETCTL, ETH0, "/etc/netctl/interfaces/eth0", 9000 } },
          .netctl = "/etc/netctl/lan",
          .has = 4000,
          .expected = "driver 0 overridden; netctl 9000 overridden !; netctl 4000 wins" },
        { .name = "netctl: ExecUpPost of a hook, for the active profile and another one",
          .written = { { SOURCE_NETCTL, ETH0, "/etc/netctl/hooks/mtu", 9000, .owner = "lan" },
                       { SOURCE_NETCTL, ETH0, "/etc/netctl/hooks/mtu", 4000, .owner = "work" } },
          .netctl = "/etc/netctl/lan",
          .has = 9000,
          .expected = "driver 0 overridden; netctl 9000 wins; netctl 4000 idle" },
        { .name = "ifcfg: the address is that of another card",
          .written = { { SOURCE_IFCFG, ETH0, "/etc/sysconfig/network-scripts/ifcfg-eth0", 9000,
                         .address = "52:54:00:12:34:99" } },
          .expected = "driver 0 wins; ifcfg 9000 idle" },
        { .name = "ifcfg: the address is that of the card, which has another one now",
          .written = { { SOURCE_IFCFG, ETH0, "/etc/sysconfig/network-scripts/ifcfg-eth0", 9000,
                         .address = "52:54:00:12:34:58" } },
          .has = 9000,
          .expected = "driver 0 overridden; ifcfg 9000 maybe" },
        { .name = "netctl: another profile is active",
          .written = { { SOURCE_NETCTL, ETH0, "/etc/netctl/work", 4000 } },
          .netctl = "/etc/netctl/lan",
          .expected = "driver 0 wins; netctl 4000 idle" },

        /* dhclient, dhcpcd */
        { .name = "dhclient: sets it on bind, after ifupdown",
          .written = { { SOURCE_IFUPDOWN, ETH0, INTERFACES, 9000 },
                       { SOURCE_LEASE, ETH0, LEASE_DHCLIENT, 1400 } },
          .ifupdown = true,
          .has = 1400,
          .expected = "driver 0 overridden; ifupdown 9000 overridden !; lease 1400 wins" },
        { .name = "dhclient: supersede goes before the lease",
          .written = { { SOURCE_DHCLIENT, ANY, "/etc/dhcp/dhclient.conf", 9000 },
                       { SOURCE_LEASE, ETH0, LEASE_DHCLIENT, 1400 } },
          .has = 9000,
          .expected = "driver 0 overridden; dhclient 9000 wins; lease 1400 idle" },
        { .name = "dhclient: asked for, and no lease",
          .written = { { SOURCE_DHCLIENT, ANY, "/etc/dhcp/dhclient.conf", 0 } },
          .expected = "driver 0 wins; dhclient 0 idle" },
        { .name = "dhcpcd: of its routes, not of the device",
          .written = { { SOURCE_LEASE, ETH0, LEASE_DHCPCD, 1400 },
                       { SOURCE_DHCPCD, ANY, "/etc/dhcpcd.conf", 0 } },
          .expected = "driver 0 wins; lease 1400 idle; dhcpcd 0 idle" },

        /* later, and others */
        { .name = "script: after the manager",
          .written = { { SOURCE_SCRIPT, ETH0, "/etc/rc.local", 4000 },
                       { SOURCE_NETWORK, ETH0, NETWORK, 9000 } },
          .networkd = NETWORK,
          .has = 4000,
          .expected = "driver 0 overridden; network 9000 overridden !; script 4000 wins" },
        { .name = "script: decides when it runs",
          .written = { { SOURCE_SCRIPT, ETH0, "/etc/rc.local", 4000, .conditional = true } },
          .wanted = 9000,
          .has = 9000,
          .expected = "driver 0 overridden; setmtu 9000 same; setmtu 9000 wins; script 4000 maybe !" },
        { .name = "tuned: has the last word",
          .written = { { SOURCE_TUNED, ETH0, "/etc/tuned/lan/tuned.conf", 4000 },
                       { SOURCE_SCRIPT, ETH0, "/etc/rc.local", 9000 } },
          .has = 4000,
          .expected = "driver 0 overridden; script 9000 overridden !; tuned 4000 wins" },
        { .name = "docker: of its own bridge alone",
          .written = { { SOURCE_DOCKER, MATCH_NAME, "docker0", "/etc/docker/daemon.json", 4000 } },
          .expected = "driver 0 wins" },
        { .name = "netcfg: where it is used",
          .written = { { SOURCE_NETCFG, ETH0, "/etc/network.d/lan", 4000 } },
          .expected = "driver 0 wins; netcfg 4000 maybe" },
        { .name = "OpenRC: where it is used",
          .written = { { SOURCE_OPENRC, ETH0, "/etc/conf.d/net", 4000 } },
          .expected = "driver 0 wins; openrc 4000 maybe" },
        { .name = "OpenRC: not where somebody else has the device",
          .written = { { SOURCE_OPENRC, ETH0, "/etc/conf.d/net", 4000 } },
          .networkd = NETWORK,
          .expected = "driver 0 wins; openrc 4000 idle" },
        { .name = "another machine's files",
          .written = { { SOURCE_FREEBSD, ETH0, "/etc/rc.conf", 4000 },
                       { SOURCE_IRIX, ETH0, "/etc/config/ifconfig-1.options", 4000 } },
          .expected = "driver 0 wins" },

        /* the kernel */
        { .name = "kernel: a bond gives its ports its own",
          .setter = 1500,
          .wanted = 9000,
          .expected = "driver 0 overridden; setmtu 9000 overridden !; setmtu 9000 overridden !; kernel 1500 "
                      "wins" },
        { .name = "kernel: a VLAN is not larger than the device below it",
          .kind = "vlan",
          .lower = 1500,
          .wanted = 9000,
          .expected = "driver 0 wins; setmtu 9000 refused; setmtu 9000 refused" },
        { .name = "kernel: the device's own limit",
          .max = 1500,
          .wanted = 9000,
          .expected = "driver 0 wins; setmtu 9000 refused; setmtu 9000 refused" },

        /* setmtu's other backends */
        { .name = "backend link: not applied yet",
          .wanted = 9000,
          .backend = BACKEND_LINK,
          .link_file = DEFAULT,
          .expected = "driver 0 wins; setmtu 9000 idle" },
        { .name = "backend link: hides the others",
          .written = { { SOURCE_LINK, ETH0, "/etc/systemd/network/10-eth0.link", 4000 } },
          .wanted = 9000,
          .backend = BACKEND_LINK,
          .link_file = "/run/systemd/network/05-setmtu-9000.link",
          .has = 9000,
          .expected = "driver 0 overridden; setmtu 9000 wins; link 4000 idle" },
        { .name = "backend network: its drop-in goes over the file",
          .written = { { SOURCE_NETWORK, ETH0, NETWORK, 4000 } },
          .wanted = 9000,
          .backend = BACKEND_NETWORK,
          .networkd = NETWORK,
          .has = 9000,
          .expected = "driver 0 overridden; network 4000 idle; setmtu 9000 wins" },
        { .name = "backend network: networkd does not have the device",
          .wanted = 9000,
          .backend = BACKEND_NETWORK,
          .ifupdown = true,
          .expected = "driver 0 wins; setmtu 9000 idle" },

        { .name = "backend network: a drop-in behind its own",
          .written = { { SOURCE_NETWORK, ETH0, "/etc/systemd/network/10-eth0.network.d/40-a.conf", 3000 },
                       { SOURCE_NETWORK, ETH0, "/etc/systemd/network/10-eth0.network.d/60-b.conf", 4000 } },
          .wanted = 9000,
          .backend = BACKEND_NETWORK,
          .networkd = NETWORK,
          .has = 4000,
          .expected = "driver 0 overridden; network 3000 idle; setmtu 9000 idle; network 4000 wins" },
        { .name = "backend networkmanager",
          .wanted = 9000,
          .backend = BACKEND_NETWORKMANAGER,
          .networkmanager = LAN,
          .lease = 1400,
          .has = 9000,
          .expected = "driver 0 overridden; setmtu 9000 wins; lease 1400 idle" },
        { .name = "backend networkmanager: a profile with an MTU goes before it",
          .written = { { SOURCE_NETWORKMANAGER, ETH0, LAN, 4000 } },
          .wanted = 9000,
          .backend = BACKEND_NETWORKMANAGER,
          .networkmanager = LAN,
          .has = 4000,
          .expected = "driver 0 overridden; setmtu 9000 overridden !; networkmanager 4000 wins" },
        { .name = "backend networkmanager: it does not have the device",
          .wanted = 9000,
          .backend = BACKEND_NETWORKMANAGER,
          .networkd = NETWORK,
          .expected = "driver 0 wins; setmtu 9000 idle" },
        { .name = "backend netctl: the profile's command comes after it",
          .written = { { SOURCE_NETCTL, ETH0, "/etc/netctl/lan", 4000 } },
          .wanted = 9000,
          .backend = BACKEND_NETCTL,
          .netctl = "/etc/netctl/lan",
          .has = 4000,
          .expected = "driver 0 overridden; setmtu 9000 overridden !; netctl 4000 wins" },

        /* two managers, absent devices */
        { .name = "two managers",
          .written = { { SOURCE_NETWORK, ETH0, NETWORK, 9000 }, { SOURCE_NETWORKMANAGER, ETH0, LAN, 4000 } },
          .networkd = NETWORK,
          .networkmanager = LAN,
          .has = 4000,
          .expected = "driver 0 overridden; network 9000 overridden !; networkmanager 4000 wins" },
        { .name = "absent: as far as its name tells",
          .written = { { SOURCE_NETWORK, ETH0, NETWORK, 9000 },
                       { SOURCE_LINK, MATCH_MAC, "52:54:00:12:34:56", "/etc/systemd/network/10-a.link",
                         4000 } },
          .absent = true,
          .expected = "driver 0 overridden; link 4000 maybe !; network 9000 wins" },
        { .name = "absent: its profile",
          .written = { { SOURCE_NETWORKMANAGER, ETH0, LAN, 9000 } },
          .absent = true,
          .expected = "driver 0 overridden; networkmanager 9000 wins" },
};

/* The device itself is 7; what is below it, 3; the bond that it is a port of, 4. */
static struct link_table make_links(const struct row *row) {
        struct link_table links = { 0 };
        struct link link = {
                .ifindex = 7,
                .name = "eth0",
                .mtu = row->has ? row->has : 1500,
                .mtu_min = 68,
                .mtu_max = row->max ? row->max : 9216,
                .lower_ifindex = row->lower ? 3 : 0,
                .controller_ifindex = row->setter ? 4 : 0,
                .addresses = { .mac = "52:54:00:12:34:56", .permanent = "52:54:00:12:34:58" },
        };
        struct link lower = { .ifindex = 3, .name = "lower0", .mtu = row->lower, .mtu_max = 9216 };
        struct link setter = { .ifindex = 4, .name = "bond0", .kind = "bond", .mtu = row->setter };

        snprintf(link.kind, sizeof(link.kind), "%s", row->kind ? row->kind : "");
        if (row->lower)
                assert_int_equal(link_table_add(&links, &lower), 0);
        if (row->setter)
                assert_int_equal(link_table_add(&links, &setter), 0);
        if (!row->absent) {
                assert_int_equal(link_table_add(&links, &link), 0);
                assert_int_equal(link_table_add_altname(&links, link.ifindex, "lan0"), 0);
        }
        link_table_sort(&links);
        return links;
}

static struct mtu_sources make_sources(const struct row *row) {
        struct mtu_sources sources = { 0 };

        for (const struct written *written = row->written; written->file; written++) {
                char value[16];

                snprintf(value, sizeof(value), "%u", written->mtu);
                mtu_sources_add(&sources,
                                &(struct mtu_source){ .kind = written->kind,
                                                      .match = written->match,
                                                      .device = written->device,
                                                      .file = written->file,
                                                      .line = 1,
                                                      .value = written->mtu ? value : NULL,
                                                      .mtu = written->mtu,
                                                      .inactive = written->inactive ? "reason" : NULL,
                                                      .condition = written->conditional ? "reason" : NULL,
                                                      .owner = written->owner,
                                                      .address = written->address });
        }
        assert_false(sources.pool.failed);
        return sources;
}

static void own(struct owners *owners, enum owner owner, const char *profile) {
        owners->has[owner] = profile;
        owners->profile[owner] =
                        profile && strcmp(profile, "?") != 0 ? pool_copy(&owners->pool, profile) : NULL;
}

static void check_steps(const struct explanation *explanation, const char *expected) {
        char got[1024] = "";
        size_t used = 0;

        for (size_t i = 0; i < explanation->n_steps; i++) {
                const struct explain_step *step = &explanation->steps[i];

                used += (size_t)snprintf(got + used, sizeof(got) - used, "%s%s %u %s%s", used ? "; " : "",
                                         step->source, step->mtu, explain_effect_name(step->effect),
                                         step->contradicts ? " !" : "");
                assert_true(step->reason[0]);
        }
        assert_string_equal(got, expected);
        assert_true(explanation->verdict[0]);
        assert_int_equal(explanation->is_contradicted, strchr(expected, '!') != NULL);
}

static void test_winner(void **state) {
        const struct row *row = *state;
        struct config_line line = {
                .name = "eth0", .spec.mtu = row->wanted, .file = "/etc/conf.d/setmtu", .line = 1
        };
        struct device_plan planned = { .line = &line,
                                       .backend = row->backend ? row->backend : BACKEND_UNIT,
                                       .instance = "eth0",
                                       .has_rule = true };
        struct link_table links = make_links(row);
        struct mtu_sources sources = make_sources(row);
        struct explained explained = {
                .machine = { .sources = &sources, .links = &links },
                .device = {
                        .name = "eth0",
                        .link = link_table_by_name(&links, "eth0"),
                        .original = row->original,
                        .foreign_template = row->foreign,
                        .line = row->wanted ? &line : NULL,
                        .planned = row->wanted ? &planned : NULL,
                },
        };
        struct explain_device *device = &explained.device;

        own(&device->owners, OWNER_NETWORKD, row->networkd);
        own(&device->owners, OWNER_NETWORKMANAGER, row->networkmanager);
        own(&device->owners, OWNER_NETCTL, row->netctl);
        device->owners.has[OWNER_IFUPDOWN] = row->ifupdown;
        device->owners.has[OWNER_IFUPDOWN2] = row->ifupdown2;
        device->owners.link_file = row->link_file;
        device->owners.lease_mtu = row->lease;
        device->owners.lease_file = row->lease ? "/run/NetworkManager/devices/7" : NULL;

        assert_errno(explanation_make(&explained), 0);
        check_steps(&explained.explanation, row->expected);

        explanation_free(&explained.explanation);
        owners_free(&device->owners);
        mtu_sources_free(&sources);
        link_table_free(&links);
}

int main(void) {
        return RUN_ROWS("winner", test_winner, rows);
}
