/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What stands on a device from another network namespace: a container's macvlan, or a VLAN that was moved.
 * The kernel lowers it with the device, as it does with others, and does not raise it again. */

#include "base/attributes.h"
#include "kernel/netlink.h"
#include "plan/link_table.h"

/* Notes what they have, before the device gets `mtu`, which is less than it has. Logs what could not be seen
 * or noted: that stays low. */
NONNULL void uppers_elsewhere_note(struct netlink_socket *socket, const struct link *link, uint32_t mtu);

/* Gives them back what they had then, unless they were given another MTU since. `mtu` is what was noted, and
 * `had` what the driver made of it. Logs what came of it. */
NONNULL void uppers_elsewhere_raise(struct netlink_socket *socket, unsigned ifindex, uint32_t mtu,
                                    uint32_t had);
