/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The part of a line after the "=": `MTU [option…]`. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attributes.h"

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

/* The smallest MTU for IPv4 (RFC 791), and for an Ethernet device in the kernel (ETH_MIN_MTU). */
#define MTU_SMALLEST 68
/* Below this, the kernel removes IPv6 from the interface (RFC 8200, section 5; addrconf_notify()). */
#define MTU_SMALLEST_IPV6 1280
/* What a device has unless its driver says otherwise: ether_setup() in net/ethernet/eth.c. */
#define MTU_ETHERNET 1500
/* The kernel keeps an MTU in an int. */
#define MTU_LARGEST 2147483647

/* Stands for `max`, the largest MTU that the device reports, and for `auto`: no number. */
#define MTU_MAX 0

struct mtu_spec {
        uint32_t mtu;  /* bytes, layer-2 header not counted; or MTU_MAX */
        bool is_auto;  /* what fits, by plan/fit.h; `mtu` is MTU_MAX then */
        uint32_t less; /* where is_auto: the bytes to leave free */
        bool up;       /* bring the link up afterwards */
        bool keep;     /* put it back when other programs change it: programs/keeper.h */
        bool has_backend;
        enum backend backend; /* where has_backend */
};

#define MTU_SPEC_FAULT_SIZE 320

/* False if `value` is invalid: `ret` is untouched, and `fault` says what is wrong and what to write instead,
 * in a sentence that begins with the wrong part. */
MUST_USE NONNULL bool mtu_spec_parse(const char *value, struct mtu_spec *ret,
                                     char fault[static MTU_SPEC_FAULT_SIZE]);

NONNULL bool mtu_spec_equals(const struct mtu_spec *a, const struct mtu_spec *b);

/* The size of the longest spec as text, with its NUL. */
#define MTU_SPEC_TEXT_SIZE sizeof("auto-2147483647 up keep backend=networkmanager")

/* Writes `spec` with single spaces, so that mtu_spec_parse() reads it back. Returns `buffer`. */
NONNULL const char *mtu_spec_format(char buffer[static MTU_SPEC_TEXT_SIZE], const struct mtu_spec *spec);
