/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* One place outside /etc/conf.d/setmtu that gives a device an MTU, or may: a line of some network manager's
 * file, of a unit or of a script. A reader of one format makes findings of a text; the survey finds the
 * texts of this machine. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config/diagnostic.h"

/* In the order in which they act, as far as that is the same on every machine: at the device's birth, by
 * units, by the manager that brings it up, and later. */
enum source {
        SOURCE_LINK,           /* systemd-udevd, .link: MTUBytes=; and networkd, .netdev */
        SOURCE_UDEV_RULE,      /* ATTR{mtu}= */
        SOURCE_UNIT,           /* a unit that runs ip or ifconfig */
        SOURCE_NETWORK,        /* systemd-networkd, .network: MTUBytes=, UseMTU= */
        SOURCE_NETPLAN,        /* becomes a .link and a .network file, or a NetworkManager profile */
        SOURCE_NETWORKMANAGER, /* a profile, or conf.d */
        SOURCE_IFUPDOWN,       /* interfaces(5) */
        SOURCE_IFUPDOWN2,      /* its policies */
        SOURCE_IFCFG,          /* ifcfg-*, MTU= */
        SOURCE_NETCTL,         /* a profile's ExecUpPost=, or an interface hook */
        SOURCE_NETCFG,         /* POST_UP= */
        SOURCE_OPENRC,         /* mtu_eth0= in /etc/conf.d/net */
        SOURCE_DHCPCD,         /* dhcpcd.conf: option interface_mtu */
        SOURCE_DHCLIENT,       /* dhclient.conf: interface-mtu */
        SOURCE_LEASE,          /* option 26 in a lease that is held */
        SOURCE_SCRIPT,         /* rc.local: ip or ifconfig */
        SOURCE_TUNED,          /* a profile's [net] mtu= */
        SOURCE_DOCKER,         /* daemon.json: mtu, of its own bridges */
        SOURCE_FREEBSD,        /* rc.conf; of another machine */
        SOURCE_IRIX,           /* ifconfig-1.options; of another machine */
        SOURCE_COUNT,
};

/* How `device` says which devices are meant. */
enum finding_match {
        FINDING_ANY,   /* every device; `device` is NULL */
        FINDING_NAME,  /* that interface name, literally */
        FINDING_GLOB,  /* a glob of interface names */
        FINDING_MAC,   /* a MAC address, lower case with colons */
        FINDING_OTHER, /* by something else: `device` is the condition as it is written */
};

struct finding {
        enum source source;
        enum finding_match match;
        char *device;
        char *file;    /* as the user knows it, without SETMTU_ROOT */
        unsigned line; /* counted from 1; 0: not known */
        char *value;   /* as it is written: 9000, 9K, $MTU; NULL where a source only may give one (DHCP) */
        uint32_t mtu;  /* in bytes; 0: it takes more than this text to tell */
        char *unclear; /* why not, where `mtu` is 0; a clause without a full stop. Otherwise NULL */
        bool inactive; /* it is written down and will not act: a unit or profile that is not enabled */
        bool conditional; /* a script decides when it runs whether it acts */
        bool up;          /* it brings the link up as well */
        char *owner;   /* what acts, as its manager calls it: a unit, a profile, a connection; NULL: the file
                        */
        char *through; /* the file that acts, where `file` only holds the value for it; NULL: `file` */
        unsigned through_line;
        char *parent; /* the device below this one, from which it takes the MTU at its birth; NULL: it does
                         not */
};

/* In the order of their reading. */
struct findings {
        struct finding *items;
        size_t n_items;
};

void findings_free(struct findings *findings);

/* Takes `finding` whole, its strings included, also where it fails. -ENOMEM. */
int findings_add(struct findings *findings, struct finding finding);

/* Moves all of `from`, which is empty then, behind those of `to`. -ENOMEM leaves both as they were. */
int findings_move(struct findings *to, struct findings *from);

/* The word for it in JSON and for people: link, udev-rule, networkmanager; static. */
const char *source_name(enum source source);

/* Whether the first of several findings of this source for one device is in effect, and not the last. */
bool source_is_first_match(enum source source);
