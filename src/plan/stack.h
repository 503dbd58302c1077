/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Devices that stand on others: what that means for the order of changes, and for what they can have. No
 * I/O.
 *
 * The kernel's rules, which tests/netns/stacked_kinds asks it for:
 *
 * - A VLAN (of 802.1ad, too) or macvlan is never larger than the device below it and falls with it, but does
 *   not rise again: vlan_dev_change_mtu() and vlan_device_event(), macvlan_change_mtu() and
 *   macvlan_device_event(). That holds as well where it is in another namespace, whence nothing can be done
 *   about the device below.
 * - So does a macsec, which needs 32 bytes more below: macsec_change_mtu(), macsec_notify(). A VLAN on one
 *   needs 4 bytes more, netif_reduces_vlan_mtu(), and does not fall: it is asked to take what it refuses.
 * - A vxlan on a device needs 50 bytes more below, 70 over IPv6, when it is raised; it does not fall:
 *   vxlan_change_mtu().
 * - An ipvlan takes over each change of the device below, up and down, without a word; between two of those
 *   it has what it is given: ipvlan_adjust_mtu().
 * - A tunnel over IP (gre, ipip, sit, vti, xfrm, those over IPv6, geneve, wireguard) is neither limited by
 *   a device nor follows one, nor does a veth its peer.
 * - A bond or team sets its ports: bond_change_mtu(), team_change_mtu().
 * - A bridge follows its smallest port until its own MTU is set: br_mtu_auto_adjust(). A request for the MTU
 *   that it has does not reach br_change_mtu(), and so does not end that. */

#include "base/attributes.h"
#include "plan/link_table.h"

/* Devices of a lower rank come first. */
struct stack_rank {
        unsigned raising;  /* a device before those on top of it, a bond before its ports, a bridge after its
                              ports */
        unsigned lowering; /* the reverse order, except for a bond */
};

/* Fills in `ranks`, all zeros at first, for the devices of the table. */
NONNULL void stack_rank(const struct link_table *table, struct stack_rank *ranks);

/* No stack is higher: the kernel nests 8 (MAX_NEST_DEV). */
#define STACK_DEPTH_MAX 32

/* Whether the kernel limits the MTU of this kind of device to that of the device below. */
bool stack_is_limited(const struct link *link);
/* The bytes beyond its MTU that a frame of such a device takes on `lower`. */
NONNULL uint32_t stack_overhead(const struct link *link, const struct link *lower);
/* The largest MTU that such a device can have on `lower`, if `lower` has `lower_mtu`. */
NONNULL uint32_t stack_capacity(const struct link *link, const struct link *lower, uint32_t lower_mtu);
/* Whether the kernel lowers such a device with `lower` below it. */
bool stack_falls(const struct link *link, const struct link *lower);
/* Whether this kind of device follows each change of the device below. */
bool stack_is_follower(const struct link *link);
/* Whether a device of this kind sets the MTU of its ports. */
bool stack_is_setter(const struct link *link);

/* Whether it follows its smallest port until its own MTU is set. */
bool stack_is_bridge(const struct link *link);

/* The device whose MTU limits that of `link`, or NULL. */
NONNULL const struct link *stack_limit(const struct link_table *table, const struct link *link);
/* The device that `link` follows, or NULL. */
NONNULL const struct link *stack_leader(const struct link_table *table, const struct link *link);
/* The bond or team that sets the MTU of `link`, or NULL. */
NONNULL const struct link *stack_setter(const struct link_table *table, const struct link *link);
/* The port of `link` with the smallest MTU, or NULL. */
NONNULL const struct link *stack_smallest_port(const struct link_table *table, const struct link *link);
