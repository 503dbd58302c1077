/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Which network managers have a device at this moment, by the state that they keep in /run themselves.
 *
 * systemd-networkd: /run/systemd/netif/links/IFINDEX (link_save() in systemd's
 * src/network/networkd-state-file.c). NetworkManager: /run/NetworkManager/devices/IFINDEX
 * (nm_config_device_state_write()). ifupdown: /run/network/ifstate. ifupdown2: its own one is a pickle; the
 * devices are those of interfaces(5). netctl: its units are active and say no more. A unit that is active
 * has /run/systemd/units/invocation:UNIT (unit_export_invocation_id()); networkd's and NetworkManager's
 * files count as long as they do. The .link file: udev's database.
 */

#include "plan/link_table.h"
#include "system/device_owner.h"

/* What cannot be read counts as not known. -ENOMEM, with `ret` untouched, is the only error. */
int owner_state_read(const struct link *link, struct owners *ret);
