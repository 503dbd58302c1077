/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The lines of interfaces(5), in the order in which ifupdown and ifupdown2 read them. */

#include "sources/format/readers.h"

/* What the command has that gives a static stanza its address (ifupdown's inet.defn). */
#define IFUPDOWN_ADDRESS "address netmask broadcast pointopoint scope"

/* A line of a stanza that concerns the MTU, or which devices are brought up. */
struct ifupdown_option {
        const char *key;
        const char *value;
        unsigned line;
};

struct ifupdown_stanza {
        struct source_parser parser; /* of its file */
        const char *name;
        const char *family;
        const char *method;
        const char *inherits;               /* the stanza whose lines it has as well; or NULL */
        const struct ifupdown_stanza *from; /* that stanza, once all are read; NULL: none */
        const char *refused;                /* why ifupdown does not read it; NULL: it does */
        const char *failing;                /* why it fails to bring it up; NULL: it does not */
        bool is_template;                   /* of ifupdown-ng */
        bool is_inherited;                  /* from */
        bool is_read, is_read_for_own;      /* for any device, for that of the same name */
        unsigned round; /* in which it is brought up: 1 by its own line, later ones by a device above it; 0:
                           not */
        struct ifupdown_option *options;
        size_t n_options;
};

/* Behind `auto` or `allow-…`: DEVICE, a pattern, or DEVICE=STANZA; and behind `map` in a mapping. */
struct ifupdown_start {
        const char *device;
        const char *stanza;    /* NULL: that of the device */
        const char *condition; /* NULL: none */
        const char *refused;   /* as of a stanza */
        bool is_pattern;
};

/* The sources of a stanza of a VLAN, up to `end`, which depend on the MTU of the device below. */
struct ifupdown_limit {
        const char *lower;
        uint32_t mtu;
        size_t first, end;
};

/* The word is there, and this one. */
bool ifupdown_is_word(const char *word, const char *text);

/* Says of each stanza from which it inherits and why it is not read, once all files are added. */
void ifupdown_end(struct ifupdown *all);

/* The first value of these options. NULL: it has none of them. */
const char *ifupdown_option(const struct ifupdown_stanza *stanza, const char *keys);
