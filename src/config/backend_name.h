/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Who sets the MTU of a device. */
enum backend {
        BACKEND_UNIT,           /* a udev rule at the device's birth, then its setmtu@ unit */
        BACKEND_LINK,           /* systemd-udevd, by a .link file */
        BACKEND_NETWORK,        /* systemd-networkd, by a drop-in to a .network file */
        BACKEND_NETWORKD,       /* whichever of these two fits */
        BACKEND_NETWORKMANAGER, /* NetworkManager, by a file in its conf.d */
        BACKEND_NETCTL,         /* netctl, by an interface hook */
        BACKEND_AUTO,           /* the default: as unit, and the managers have the MTU, too */
        BACKEND_COUNT,
};

#define BACKEND_NAMES "unit, link, network, networkd, networkmanager, netctl, auto"

/* The name as a user writes it; static. */
const char *backend_name(enum backend backend);

/* False, and `ret` untouched, where there is no such backend. */
bool backend_from_name(const char *name, size_t size, enum backend *ret);

/* Whether each of its devices has a setmtu@ unit, which alone knows `max` and `up`. */
bool backend_has_unit(enum backend backend);
