/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The switch port that a device is connected to: its switch announces it with LLDP (IEEE 802.1AB), and lldpd
 * or systemd-networkd has heard that. The texts are another machine's, to be escaped. */

#include "output/json.h"

/* An object with "name", "port" and "largest_frame"; of the latter, null is not known. All of it is null
 * where several switches were heard, or none. Runs lldpctl or networkctl for a second at most, for root and
 * in the network namespace of PID 1 alone: in another one, another device may have that name. */
json_t *switch_port_find(const char *device);

/* The same from what lldpctl -f json0, or networkctl --json=short lldp of systemd 257 and later, prints. */
json_t *switch_port_read(const char *text, size_t size, const char *device);
