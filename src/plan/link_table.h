/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The existing network devices: plain data, filled by kernel/link.h. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attributes.h"
#include "config/interface_name.h"
#include "plan/net_address.h"

/* A link's kind is short: MODULE_NAME_LEN is more, but no kind in the kernel comes near. */
#define LINK_KIND_SIZE 24

/* 20 bytes of InfiniBand as 52:54:00:…, and a NUL. */
#define LINK_MAC_SIZE 60

/* As text, in lower case; empty: none. */
struct link_addresses {
        char mac[LINK_MAC_SIZE];
        char permanent[LINK_MAC_SIZE]; /* the address of the hardware */
};

/* Why no MTU is known to fit a device. */
enum fit_fault {
        FIT_FITS,
        /* The line cannot be carried out as it is: */
        FIT_NO_LOWER,
        FIT_ELSEWHERE,
        FIT_IPSEC,
        FIT_NEGOTIATED,
        FIT_LOOP,
        FIT_NOTHING_LEFT,
        /* It can once something else is there: */
        FIT_NO_BRIDGE,
        FIT_NO_PORT,
        FIT_NO_END,
        FIT_NO_ROUTE,
        FIT_NO_DEFAULT,
        FIT_NOT_PERMITTED,
        FIT_UNREADABLE,
};

/* The MTU that fits a device whose line says auto: plan/fit.h. */
struct fit {
        uint32_t mtu;             /* 0: not known */
        const struct link *below; /* the device of the table that it is computed from; NULL: none */
        uint32_t below_mtu;       /* what that will have, or the route by it */
        uint32_t overhead;        /* the bytes of the headers */
        bool is_route;            /* `below_mtu` is that of the route */
        bool is_over_ipv6;        /* the outer packets of a tunnel are */
        uint32_t less;            /* the N of auto-N */
        enum fit_fault fault;
};

/* How outer packets of a tunnel leave, or those of a bridge of containers: kernel/underlay.h. */
struct underlay {
        unsigned upper;        /* the ifindex of the tunnel or bridge */
        unsigned ifindex;      /* of the device by which they leave; 0: there is no route */
        uint32_t mtu;          /* of the route; 0: it has none of its own */
        uint32_t learned;      /* the limit that the kernel has learned for it; 0: none */
        struct net_address to; /* the other end; of size 0: not known */
        bool is_over_ipv6;     /* the outer packets are */
        int error;             /* a negative errno if it could not be asked for */
};

struct link {
        unsigned ifindex;
        char name[INTERFACE_NAME_SIZE]; /* the kernel's, also when asked for by an alternative name */
        char kind[LINK_KIND_SIZE];      /* IFLA_INFO_KIND of a virtual device: vlan, bond, …; or empty */
        uint32_t mtu;
        uint32_t mtu_min;
        uint32_t mtu_max;            /* 0: the device states none */
        uint32_t ipv6_mtu;           /* for IPv6 alone; 0: the device has no IPv6 */
        unsigned lower_ifindex;      /* IFLA_LINK, IFLA_VXLAN_LINK: the device that this one stands on, in
                                        this namespace; 0: none. The peer of a pair is none. */
        unsigned controller_ifindex; /* IFLA_MASTER: the bridge, bond or team that has it as a port; or 0 */
        bool up;                     /* administratively: IFF_UP */
        bool has_carrier;            /* IFF_LOWER_UP */
        bool is_over_ipv6;           /* a tunnel whose outer packets are IPv6, where that is known */
        bool is_lower_elsewhere;     /* it stands on a device in another namespace: IFLA_LINK_NETNSID */
        struct link_addresses addresses;
        struct net_address local, remote; /* of a tunnel: its own end, and the other one */
        uint8_t header_options;           /* bytes of keys, checksums and the like in its headers */
        struct fit fit;                   /* where it was computed for the device's line */
        unsigned peer_ifindex;            /* of a veth: the other end; 0: it is none */
        int peer_namespace;               /* in which that is, as this one counts; -1: in this one */
};

struct link_name {
        const char *name;
        char *altname; /* the same if it is an alternative one, of at most 127 bytes, owned; or NULL */
        unsigned ifindex;
};

struct link_table {
        struct link *links; /* by ifindex, ascending */
        size_t n_links;
        struct link_name *names; /* in the order of text_compare() */
        size_t n_names;
        struct underlay *underlays; /* of those for which they were asked for */
        size_t n_underlays;
};

NONNULL void link_table_free(struct link_table *table);

/* -ENOMEM is the only error of both. The name is copied. */
MUST_USE NONNULL int link_table_add(struct link_table *table, const struct link *link);
MUST_USE NONNULL int link_table_add_altname(struct link_table *table, unsigned ifindex, const char *name);

/* Must be called after all additions and before the functions below. */
NONNULL void link_table_sort(struct link_table *table);

/* NULL if there is none. */
NONNULL const struct link *link_table_by_ifindex(const struct link_table *table, unsigned ifindex);
/* By its name or else an alternative one. */
NONNULL const struct link *link_table_by_name(const struct link_table *table, const char *name);

/* The name or alternative name that resembles a misspelt one. NULL if there is none. */
NONNULL const char *link_table_alike(const struct link_table *table, const char *name);
