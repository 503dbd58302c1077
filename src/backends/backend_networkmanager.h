/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The file by which NetworkManager sets MTUs: NetworkManager.conf(5), "CONNECTION SECTION". It asks these
 * defaults only where the profile gives no MTU of its own, and before it takes one from DHCP:
 * nm_device_get_configured_mtu_from_connection() and _commit_mtu() in its src/core/devices/nm-device.c. */

#include "plan/device_plan.h"

#define NETWORKMANAGER_CONF "/run/NetworkManager/conf.d/90-setmtu.conf"

/* Whether the file has a section for the device: backend networkmanager; or auto, where NetworkManager is
 * installed (unit_is_installed()) and the MTU is a number. */
bool networkmanager_conf_has(const struct device_plan *device, bool is_installed);

/* Reads the next section of such a text; `*rest` is the text at first. False if there is no more. */
bool networkmanager_conf_next(const char **rest, char ret_interface[static INTERFACE_NAME_SIZE],
                              uint32_t *ret_mtu);
