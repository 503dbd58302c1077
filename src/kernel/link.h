/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Network devices over rtnetlink: rtnetlink(7), linux/if_link.h. All functions return 0 or a negative errno,
 * which is the kernel's own where it answered. */

#include <stdint.h>

#include "base/attributes.h"
#include "kernel/netlink.h"
#include "plan/link_table.h"

/* -ENODEV if there is no such device, by its own name or an alternative one. */
MUST_USE NONNULL int link_get_by_name(struct netlink_socket *socket, const char *name, struct link *ret);
MUST_USE NONNULL int link_get_by_ifindex(struct netlink_socket *socket, unsigned ifindex, struct link *ret);
/* The other end of a veth, `peer_ifindex`, which may be in another namespace: then -EPERM without
 * CAP_NET_ADMIN there, which the owner of the namespace has. */
MUST_USE NONNULL int link_get_peer(struct netlink_socket *socket, const struct link *link, struct link *ret);

/* All devices of this network namespace with their alternative names, sorted. */
MUST_USE NONNULL int link_get_all(struct netlink_socket *socket, struct link_table *ret);

/* Reads an RTM_NEWLINK or RTM_DELLINK message. -EBADMSG for any other. */
MUST_USE NONNULL int link_parse(const struct nlmsghdr *message, struct link *ret);

/* Sets another MTU of `link`, which has just been read, and asks the kernel for the MTU then, since the
 * driver may have chosen another one. `ret`: `link` with that MTU; the device as it is then, if it has not
 * the MTU that was asked for. If the kernel's answer is lost, the device is read instead, and a request
 * without effect is sent again.
 *
 * On an error the device is unchanged and `ret` is untouched: -EPERM without CAP_NET_ADMIN; -EINVAL outside
 * the device's limits; -ERANGE for a VLAN above its lower device; -EBUSY from drivers that need the link
 * down first. If `ret_is_lost`, the device cannot be read any more, and may have either MTU. */
MUST_USE NONNULL int link_set_mtu(struct netlink_socket *socket, const struct link *link, uint32_t mtu,
                                  struct link *ret, bool *ret_is_lost);
/* Returns 0 only if the link is up. */
MUST_USE NONNULL int link_set_up(struct netlink_socket *socket, unsigned ifindex);
