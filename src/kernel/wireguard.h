/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The peers of a WireGuard device: WG_CMD_GET_DEVICE over generic netlink, linux/wireguard.h. */

#include "base/attributes.h"
#include "plan/net_address.h"

#include <stdint.h>

/* Passes the address of each peer's endpoint to `take`, unless none is known. `ret_mark`: the mark of outer
 * packets, by which ip-rule(8) may route them; 0: none. 0 or a negative errno: -EPERM without CAP_NET_ADMIN.
 */
MUST_USE NONNULL int wireguard_each_endpoint(unsigned ifindex,
                                             void (*take)(void *userdata, const struct net_address *address),
                                             void *userdata, uint32_t *ret_mark);
