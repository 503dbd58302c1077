/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* A place outside CONFIG_FILE that sets the MTU of a device, or may: a line of a network manager's file, of
 * a unit or of a script. A parser of one format makes sources of a text; the scan finds the texts of this
 * machine. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/pool.h"

/* In the order in which they take effect, as far as that is the same on every machine: when the device
 * appears, by units, by the manager that brings it up, and later. */
enum source_kind {
        SOURCE_NETDEV,         /* systemd-networkd, .netdev: MTUBytes=, of a device that it makes */
        SOURCE_LINK,           /* systemd-udevd, .link: MTUBytes= */
        SOURCE_UDEV_RULE,      /* ATTR{mtu}= */
        SOURCE_UNIT,           /* a unit that runs ip or ifconfig */
        SOURCE_NETWORK,        /* systemd-networkd, .network: MTUBytes=, UseMTU= */
        SOURCE_CLOUD_INIT,     /* becomes files of netplan or of another manager */
        SOURCE_NETPLAN,        /* becomes a .link and a .network file, or a NetworkManager profile */
        SOURCE_NETWORKMANAGER, /* a profile, or conf.d */
        SOURCE_IFUPDOWN2,      /* its policies, for what interfaces(5) does not say */
        SOURCE_IFUPDOWN,       /* interfaces(5) */
        SOURCE_IFCFG,          /* ifcfg-*, MTU= */
        SOURCE_NETCTL,         /* a profile's ExecUpPost=, or an interface hook */
        SOURCE_NETCFG,         /* POST_UP= */
        SOURCE_OPENRC,         /* mtu_eth0= in /etc/conf.d/net */
        SOURCE_WIREGUARD,      /* wg-quick(8): MTU=, PostUp= */
        SOURCE_DHCPCD,         /* dhcpcd.conf: option interface_mtu */
        SOURCE_DHCLIENT,       /* dhclient.conf: interface-mtu */
        SOURCE_LEASE,          /* option 26 in a lease that is held */
        SOURCE_SCRIPT,         /* rc.local, hooks, crontab(5), wsl.conf */
        SOURCE_TUNED,          /* a profile's [net] mtu= */
        SOURCE_DOCKER,         /* daemon.json: mtu, of its own bridges */
        SOURCE_FREEBSD,        /* rc.conf; of another machine */
        SOURCE_IRIX,           /* ifconfig-1.options; of another machine */
        SOURCE_COUNT,
};

/* How `device` says which devices are meant. */
enum source_match {
        MATCH_ANY,   /* every device; `device` is NULL */
        MATCH_NAME,  /* that interface name, literally */
        MATCH_GLOB,  /* a glob of interface names */
        MATCH_MAC,   /* a MAC address, lower case with colons, or a glob of such */
        MATCH_OTHER, /* by something else: `device` is the condition as it is written */
};

struct mtu_source {
        enum source_kind kind;
        enum source_match match;
        const char *device;
        const char *type;  /* with MATCH_ANY and MATCH_OTHER, "ethernet" or "wifi": all network cards of the
                            * type are meant, or one of them if `is_single`; NULL: not known */
        const char *file;  /* as the user knows it, without SETMTU_ROOT */
        unsigned line;     /* counted from 1; 0: not known */
        const char *value; /* as it is written: 9000, 9K, $MTU; NULL if only DHCP may give one */
        uint32_t mtu;      /* in bytes; 0: not known from this text alone */
        const char *unclear;   /* why `mtu` is 0, a clause without a full stop; otherwise NULL */
        const char *inactive;  /* why it does not take effect, a clause without a full stop; NULL: it does */
        const char *condition; /* what else decides whether it does, a clause; NULL: nothing */
        const char *address;   /* which MAC address the device must have, by `condition` or alone; or NULL */
        bool repeats;          /* a udev rule that acts on later events of the device as well */
        bool is_kernel_name;   /* udev compares the name with that from before it renames the device */
        bool is_early;         /* it acts before that */
        bool up;               /* it brings the link up as well */
        bool is_late;          /* a unit that is started once the network is up */
        bool has_ipv6;         /* its manager raises an MTU below 1280 to 1280 */
        bool is_single;        /* of the devices of its `type`, its manager takes one */
        bool is_merged;        /* its manager takes the setting of a later file instead */
        const char *owner;     /* what acts, as its manager calls it: a unit, a profile; NULL: the file */
        const char *key;       /* of a NetworkManager profile: its property, as nmcli(1) calls it; or NULL */
        const char *through;   /* the file that acts, where `file` only holds the value for it; or NULL */
        unsigned through_line;
        const char *by; /* the device whose bringing up makes it act, where that is another one; or NULL */
        const char *left_out; /* with MATCH_MAC: no devices of these kinds with the address; "*": of none; or
                               * NULL */
        const char *parent;   /* the device below, from which it takes the MTU at its birth; or NULL */
        const struct earlier_file *earlier; /* which hide this one from their devices */
        size_t n_earlier;                   /* more may stand behind them, which are later */
};

/* A file of which the first that matches a device counts. */
struct earlier_file {
        const char *file;
        const char *devices; /* names, patterns and addresses, apart by spaces and tabs */
        bool is_inverted;    /* it is for all others */
};

/* Why a source is inactive for a device that an earlier file, "%s", matches. */
#define MTU_SOURCE_HIDDEN "hidden by %s: only the first file that matches counts"

/* The end of why all of a manager's are; one that was started by hand acts on its devices. */
#define MTU_SOURCE_NOT_ENABLED " is not enabled"

/* The same where the device does not have its `address`. */
#define MTU_SOURCE_OF_ANOTHER "the device has a different MAC address than the file expects"

/* Why those of a WireGuard file are, even if a script has wg-quick start it. */
#define MTU_SOURCE_NOT_FOR_WG "wg refuses the file, which has a key that [Interface] or [Peer] does not take"

/* A profile of NetworkManager that was read, or that a command makes. */
struct mtu_profile {
        const char *id;
        const char *uuid;   /* or NULL */
        const char *file;   /* where NetworkManager looks for it; or NULL */
        const char *device; /* or NULL */
        const char *type;   /* Ethernet or Wi-Fi; NULL: of another type, or with further conditions */
        const char *mac;    /* of these devices; NULL: any */
        const char *ssid;   /* of its network, with Wi-Fi; or NULL */
        int priority;       /* autoconnect-priority= */
        bool is_of_user;    /* permissions= */
        bool is_manual;     /* autoconnect=false */
};

/* The settings of a file with groups in brackets: keyfile.h. */
struct keyfile_item {
        const char *group; /* empty before the first one */
        const char *key;
        char *value; /* both trimmed */
        const char *file;
        unsigned line;
};

struct keyfile {
        struct keyfile_item *items;
        size_t n_items;
};

/* In the order of their reading. The pool holds the items and their texts, and what parsers need. */
struct mtu_sources {
        struct mtu_source *items;
        size_t n_items;
        bool is_cut; /* there were more than SOURCES_MAX */
        struct mtu_profile *profiles;
        size_t n_profiles;
        struct pool_list dhcp_devices;       /* that ifupdown has a DHCP client configure */
        struct pool_list nm_left_devices;    /* that NetworkManager leaves to ifupdown */
        struct pool_list without_link_local; /* devices that networkd makes, without a link-local IPv6
                                                address */
        struct keyfile nm_settings;          /* of all files of NetworkManager.conf(5) */
        struct pool pool;
};

void mtu_sources_free(struct mtu_sources *sources); /* for CLEANUP(), too */

/* Adds a copy with its texts. The pool remembers if memory is out. */
void mtu_sources_add(struct mtu_sources *sources, const struct mtu_source *source);

/* The word for it in JSON and for people: link, udev-rule, networkmanager; static. */
const char *source_kind_name(enum source_kind kind);

/* Whether the first of several sources of this kind for one device is in effect, and not the last. */
bool source_kind_is_first_match(enum source_kind kind);

/* The earlier file that hides the source from a device of that name, or of that address in lower case with
 * colons; NULL: none. */
const char *mtu_source_hiding_file(const struct mtu_source *source, const char *name, const char *mac);

/* Whether netplan has generated the file, which is edited in its YAML. */
bool source_is_generated(const struct mtu_source *source);

#define MAC_TEXT_SIZE sizeof("aa:bb:cc:dd:ee:ff")

/* Writes a MAC address in lower case with colons. False if `text` is none: six pairs of hexadecimal
 * digits, whose leading 0 may be missing, all separated by ":" or all by "-"; three times four separated by
 * ".", which systemd takes too; or twelve. */
bool match_read_mac(const char *text, char ret[static MAC_TEXT_SIZE]);

bool match_is_glob(const char *text);

/* Whether a program has yet to fill in the name: ${NAME}, {{ name }}, <%= name %>, %i. The kernel makes no
 * device with a "%" in its name: dev_alloc_name(). */
bool match_is_template(const char *name);

/* Stands in `device`, before a name that only the program knows. */
#define DEVICE_UNKNOWN "the device is "

/* Makes `ret` mean certain devices. The text is not copied. */
void match_set(struct mtu_source *ret, enum source_match match, const char *device);

/* The same of a device name, a glob, or, of "*", every device. */
void match_set_word(struct mtu_source *ret, const char *word);

/* The same of a MAC address, which is put into the pool. False if `text` is none, such as a pattern or
 * InfiniBand's longer one: then it is the condition. */
bool match_set_mac(struct mtu_source *ret, struct pool *pool, const char *text);

/* The same of a device that has to have both that name and that MAC address. One of another form, or NULL,
 * does not matter. */
void match_set_name_and_mac(struct mtu_source *ret, struct pool *pool, const char *device, const char *text);

/* The name of a partition of InfiniBand: that of the device below it and its P_Key, a number as in C. NULL:
 * one of them is NULL, or the key is none. */
const char *match_partition_name(struct pool *pool, const char *parent, const char *key);
