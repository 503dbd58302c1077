/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The existing network devices, by /sys/class/net below $SETMTU_ROOT: enough to resolve a pattern or an
 * address. */

#include "config/diagnostic.h"
#include "sources/parser/mtu_source.h"

struct device {
        const char *name;
        char mac[MAC_TEXT_SIZE]; /* empty if it has none of Ethernet's */
        bool is_hardware;
        bool is_wireless; /* has Wi-Fi */
        bool is_changed;  /* the address may be another than its own one: NET_ADDR_PERM of the kernel */
};

/* By name. */
struct devices {
        struct device *items;
        size_t n_items;
        struct mtu_sources *sources; /* that are for them; not owned */
};

/* They are in the sources' pool, which remembers if memory is out. What cannot be read is reported. */
struct devices devices_read(struct mtu_sources *sources, const struct diagnostic_sink *sink);

/* The next device, from `*position` on, which begins with 0, that the source means by a pattern, an address
 * or a type; NULL: no more. Of several with one address it is the hardware: a VLAN has that of the device
 * below. */
const struct device *devices_meant(const struct devices *devices, const struct mtu_source *source,
                                   size_t *position);

/* Makes inactive what an earlier file hides for the device that it names, and, of this machine's files, what
 * is for a device of that name with another address. Makes conditional what NetworkManager activates on one
 * of several devices. */
void devices_settle(const struct devices *devices, bool is_of_machine);

/* Why the source is not in effect for this device, a clause in the sources' pool: an earlier file hides it,
 * or NetworkManager leaves the device alone. NULL: it is. */
const char *devices_why_idle(const struct devices *devices, const struct device *device,
                             const struct mtu_source *source);

/* Whether there is a device of that name with that address. */
bool devices_have(const struct devices *devices, const char *name, const char *mac);
