/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Devices in other network namespaces on top of a device here, such as a container's macvlan or a VLAN that
 * was moved. The kernel lowers them with the device, and does not raise them again. */

#include "base/attributes.h"
#include "kernel/netlink.h"
#include "plan/link_table.h"

/* Records their MTUs before the device gets `mtu`, which is less than it has. Logs the devices that could
 * not be read or recorded, which stay low. */
NONNULL void uppers_elsewhere_note(struct netlink_socket *socket, const struct link *link, uint32_t mtu);

/* Restores their recorded MTUs, unless they have been changed since. `mtu` is the recorded one, and `had`
 * what the driver made of it. Logs the results. */
NONNULL void uppers_elsewhere_raise(struct netlink_socket *socket, unsigned ifindex, uint32_t mtu,
                                    uint32_t had);
