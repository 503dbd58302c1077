/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The definitions of netplan(5), and the mistakes for which netplan takes none of its files: those are
 * reported, and the first one becomes `refused` of struct netplan. */

#include <yaml.h>

#include "sources/format/readers.h"
#include "sources/parser/walk.h"

/* The settings of a device, merged from all files. */
struct netplan_definition {
        const char *made; /* first, by which they are sorted: the file that netplan makes for networkd */
        enum source_kind kind;
        const char *section; /* ethernets */
        const char *id;
        const char *mtu;
        const char *file; /* of the MTU */
        unsigned line;
        const char *name;     /* match: name: */
        const char *set_name; /* overrides `name` */
        const char *mac;
        const char *driver;
        const char *renderer;
        bool is_manual; /* connection.autoconnect of NetworkManager */
        bool is_passed; /* the MTU is in a setting of NetworkManager's */
        bool has_match;
        bool has_link; /* settings for which netplan makes a .link file, beside mtu and set-name */
        bool is_without_link_local;         /* link-local: has no ipv6 */
        bool is_ipv4_tunnel;                /* of a mode without a link-local address of IPv6 */
        bool is_without_ethernet;           /* a tunnel other than VXLAN */
        bool has_ipv6;                      /* by an address or by DHCP */
        struct netplan_definition *earlier; /* with the MTU of an earlier file, which this one overrides */
};

/* `interfaces:` and `link:` name other definitions. */
struct netplan_reference {
        const char *by; /* the definition that names it */
        const char *id;
        bool is_port; /* of a bond or a bridge, of which a device has one */
        const char *file;
        unsigned line;
};

/* The sections of devices, each behind a space. */
extern const char netplan_sections[];

/* What is at the top, and below `network:`. A file that is named may be for more programs. */
void netplan_check_network(struct netplan *netplan, struct walk_node network);

/* `is_new`: no file before has this definition. */
void netplan_check_definition(struct netplan *netplan, struct walk_node node,
                              const struct netplan_definition *definition, bool is_new);

/* The devices that no file defines, and the ports of two devices. */
void netplan_check_references(struct netplan *netplan);

/* Notes that netplan refuses the file for a mistake in the line, which is reported elsewhere. */
void netplan_set_refused(struct netplan *netplan, const char *file, unsigned line);

/* The commands of cloud-init's user data, and the files that it writes; in cloud_init.c. */
void cloud_init_read(const struct source_parser *parser, struct walk_node root);
