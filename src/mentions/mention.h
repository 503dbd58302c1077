/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Mentions: lines in the configuration of other programs that name an MTU. A mention says where something is
 * written, not whether it has an effect: nothing here is run, evaluated, or followed into another file. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attributes.h"
#include "base/pool.h"

/* How a place is read. */
enum mention_syntax {
        MENTION_INI,     /* sections of KEY=VALUE: systemd, NetworkManager, wg-quick(8), tuned */
        MENTION_TREE,    /* YAML, and JSON: netplan, cloud-init */
        MENTION_STANZAS, /* words, and lines that begin a device's own: interfaces(5), dhclient.conf(5) */
        MENTION_ASSIGNMENTS, /* NAME=VALUE of a shell: ifcfg files, netctl */
        MENTION_COMMANDS,    /* command lines: scripts, crontab(5), and rules of udev(7) */
};

/* The files of one program. */
struct mention_place {
        const char *globs; /* with spaces between; "*" matches no slash, and no leading dot */
        enum mention_syntax syntax;
        const char *program; /* that reads them, for people */
        /* It acts at boot or on events if a unit of one of these patterns is enabled, or one of these files
         * exists; "%" stands for the file's name without its ending, and "-" for never. NULL: it always
         * does. */
        const char *enabled_by;
        bool needs_executable; /* and then only what is executable */
        const char *device;    /* that all mentions are about which name none; "%" as above. NULL: any */
        bool is_lease;         /* what a DHCP server gave, which is no setting */
};

struct mention {
        const char *file;   /* without SETMTU_ROOT */
        unsigned line;      /* counted from 1 */
        const char *text;   /* the beginning of the line, without white space before it. Any bytes */
        const char *device; /* a name, or a pattern of names as by fnmatch(3); NULL: not known */
        bool is_pattern;
        uint32_t mtu;                      /* 0: not known */
        const struct mention_place *place; /* NULL: of a file that was named */
        bool is_active;                    /* the program of the place is enabled */
};

/* One that is all zeros is empty. */
struct mentions {
        struct mention *items; /* in the order of places and lines */
        size_t n_items;
        struct pool_list unread; /* files and directories that could not be read */
        struct pool_list left;   /* files that another user can write, and so were not read by root */
        struct pool pool;        /* owns all of it, and knows if memory was out */
};

/* Reads the places of this machine; at most 64 KiB of each file. */
NONNULL void mentions_scan(struct mentions *ret);

/* Reads a text of a place, which is NULL for a named file; `file` is its name in the mentions. */
void mentions_read(const struct mention_place *place, const char *file, enum mention_syntax syntax,
                   const char *text, struct mentions *mentions);

/* The syntax of a file, by its path or else its text. False: neither tells. */
MUST_USE NONNULL bool mentions_recognize(const char *path, const char *text, enum mention_syntax *ret);
NONNULL void mentions_free(struct mentions *mentions); /* for CLEANUP(), too */

/* The first one about the device of that name, with that number unless it is 0, and of an enabled program if
 * `is_active`. NULL: there is none. */
NONNULL const struct mention *mentions_find(const struct mentions *mentions, const char *name, uint32_t mtu,
                                            bool is_active);

/* Whether it is about the device of that name: by the name, or by a pattern that matches it. */
NONNULL bool mention_is_of(const struct mention *mention, const char *name);
