/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Network devices over rtnetlink: rtnetlink(7), linux/if_link.h. All functions return 0 or a negative errno,
 * which is the kernel's own where it answered. */

#include <stdint.h>

#include "base/attributes.h"
#include "kernel/netlink.h"
#include "plan/link_table.h"

/* -ENODEV where there is no such device, by its own name or an alternative one. */
MUST_USE NONNULL int link_get_by_name(struct netlink_socket *socket, const char *name, struct link *ret);
MUST_USE NONNULL int link_get_by_ifindex(struct netlink_socket *socket, unsigned ifindex, struct link *ret);

/* A device's MAC addresses. */
NONNULL int link_get_addresses(struct netlink_socket *socket, unsigned ifindex, struct link_addresses *ret);

/* All devices of this network namespace with their alternative names, sorted. */
MUST_USE NONNULL int link_get_all(struct netlink_socket *socket, struct link_table *ret);

/* What an RTM_NEWLINK or RTM_DELLINK message tells of a device. -EBADMSG where it is neither. */
MUST_USE NONNULL int link_parse(const struct nlmsghdr *message, struct link *ret);

/* -EPERM without CAP_NET_ADMIN; -EINVAL outside the device's limits; -ERANGE for a VLAN above its lower
 * device; -EBUSY from drivers that want the link down first. */
MUST_USE NONNULL int link_set_mtu(struct netlink_socket *socket, unsigned ifindex, uint32_t mtu);
MUST_USE NONNULL int link_set_up(struct netlink_socket *socket, unsigned ifindex);
