/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The bytes that the headers of tunnels and overlays take. No I/O. */

#include "base/attributes.h"
#include "plan/link_table.h"

struct overlay {
        const char *kind;  /* of the device: IFLA_INFO_KIND */
        const char *title; /* the protocol, for people */
        /* The bytes by which an outer packet is larger than the inner one, at least: keys, options and other
         * ciphers add to them. Equal if the kind of the device implies the outer protocol, or it does not
         * matter. */
        uint32_t over_ipv4;
        uint32_t over_ipv6;
};

/* The overlay of a device of this kind, or NULL. */
NONNULL const struct overlay *overlay_find(const char *kind);

/* Whether its outer packets are those of IP. */
NONNULL bool overlay_is_over_ip(const char *kind);

/* The bytes of this device's headers over that protocol, at least. 0 for a device that is no overlay. */
NONNULL uint32_t overlay_bytes(const struct link *link, bool is_over_ipv6);
