/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The program that sets the MTU of a device. */
enum backend {
        BACKEND_AUTO,           /* the default: unit, and the MTU for the network managers as well */
        BACKEND_UNIT,           /* a udev rule when the device appears, then its setmtu@ unit */
        BACKEND_LINK,           /* systemd-udevd, by a .link file */
        BACKEND_NETWORK,        /* systemd-networkd, by a drop-in to a .network file */
        BACKEND_NETWORKD,       /* network or link, whichever fits */
        BACKEND_NETWORKMANAGER, /* NetworkManager, by a file in its conf.d */
        BACKEND_COUNT,
};

#define BACKEND_NAMES "unit, link, network, networkd, networkmanager, auto"

/* The name as a user writes it; static. */
const char *backend_name(enum backend backend);

/* False, and `ret` untouched, if there is no such backend. */
bool backend_from_name(const char *name, enum backend *ret);

/* Whether devices with this backend have a setmtu@ unit. Only units support `max` and `up`. */
static inline bool backend_has_unit(enum backend backend) {
        return backend == BACKEND_AUTO || backend == BACKEND_UNIT;
}
