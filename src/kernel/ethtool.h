/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* ethtool(8): linux/ethtool.h, netdevice(7). Reading needs no privilege. */

#define ETHTOOL_DRIVER_SIZE 32

/* The driver's name, as `ethtool -i` shows it. 0 or a negative errno, -EOPNOTSUPP where it has none. */
int ethtool_driver(const char *interface, char ret[static ETHTOOL_DRIVER_SIZE]);
