/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* DHCP clients and what they were given (RFC 2132, option 26: the interface's MTU): dhcpcd.conf(5),
 * dhclient.conf(5), dhclient.leases(5), and the leases of dhcpcd, NetworkManager and systemd-networkd. */

#include "sources/reading.h"

int source_dhcpcd_read(const struct reading *reading);
int source_dhclient_read(const struct reading *reading);

/* The last lease of each device. */
int source_dhclient_leases_read(const struct reading *reading);

/* KEY=VALUE lines, as systemd's and NetworkManager's own client write them. `device` is whose it is. */
int source_lease_read(const struct reading *reading, const char *device);

/* A DHCP message as it came over the wire, which dhcpcd keeps (RFC 2131, section 2). */
int source_lease_read_message(const struct reading *reading, const char *device);
