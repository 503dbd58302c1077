/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Data of ethtool(8) about a device: linux/ethtool.h, netdevice(7). Reading needs no privilege. */

#include <stdint.h>

#define ETHTOOL_DRIVER_SIZE 32

/* The driver's name, as `ethtool -i` shows it. 0 or a negative errno, -EOPNOTSUPP where it has none. */
int ethtool_driver(const char *interface, char ret[static ETHTOOL_DRIVER_SIZE]);

/* The speed of the link in Mbit/s. -ENODATA where the driver does not know, as without a carrier. */
int ethtool_speed(const char *interface, uint32_t *ret_mbit);
