/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What the headers of tunnels and overlays leave of the MTU below them. No I/O. */

#include "base/attributes.h"
#include "plan/link_table.h"

struct overlay {
        const char *kind;  /* of the device: IFLA_INFO_KIND */
        const char *title; /* the protocol, for people */
        /* The bytes by which a packet below is larger than the one inside, at least: keys, options and other
         * ciphers take more. Equal where the device says by itself which one it is, or it does not matter.
         */
        uint32_t over_ipv4;
        uint32_t over_ipv6;
};

/* The overlay that a device of this kind is an end of, or NULL. */
NONNULL const struct overlay *overlay_find(const char *kind);

/* The bytes that this device's headers take, at least: over IPv6 where it is known to be over that. 0 for a
 * device that is no overlay. */
NONNULL uint32_t overlay_overhead(const struct link *link);
