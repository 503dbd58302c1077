/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The file by which NetworkManager sets MTUs: NetworkManager.conf(5), "CONNECTION SECTION". It asks these
 * defaults only where the profile gives no MTU of its own, and before it takes one from DHCP:
 * nm_device_get_configured_mtu_from_connection() and _commit_mtu() in its src/core/devices/nm-device.c. */

#include <stdio.h>

#include "plan/device_plan.h"
#include "plan/link_table.h"

#define NETWORKMANAGER_CONF_FOLDER "/run/NetworkManager/conf.d"
#define NETWORKMANAGER_CONF_NAME "90-setmtu.conf"
#define NETWORKMANAGER_CONF_PATH NETWORKMANAGER_CONF_FOLDER "/" NETWORKMANAGER_CONF_NAME
/* Longer than any. */
#define NETWORKMANAGER_CONF_MAX (64 * 1024 * 1024)
/* A file of the same name here goes before it. */
#define NETWORKMANAGER_CONF_HIDING "/etc/NetworkManager/conf.d/" NETWORKMANAGER_CONF_NAME

/* Whether the device has a section: backend networkmanager; or auto, where NetworkManager is installed and
 * it is a number. */
bool networkmanager_conf_has(const struct device_plan *device);

/* Writes the sections of all devices that have one. Left out is what a device of `links` (or NULL) states
 * that it does not take: that goes to `sink`. The number of sections; errors are the stream's. */
size_t networkmanager_conf_write(const struct plan *plan, const struct link_table *links,
                                 const struct diagnostic_sink *sink, FILE *stream);

/* Whether the file can be written and is read then. Told for each device of backend networkmanager where it
 * cannot: somebody else's is in its place, or hides it. Only the first makes it false. */
bool networkmanager_conf_is_free(const struct plan *plan, const struct diagnostic_sink *sink);

/* Whether `text` is that of a file that setmtu has written. */
bool networkmanager_conf_is_ours(const char *text);

/* Reads the next section of such a text; `*rest` is the text at first. False where there is no more. */
bool networkmanager_conf_next(const char **rest, char ret_interface[static INTERFACE_NAME_SIZE],
                              uint32_t *ret_mtu);
