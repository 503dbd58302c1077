/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The switch port that a device is connected to: its switch announces it with LLDP (IEEE 802.1AB), and lldpd
 * or systemd-networkd has heard that. What a switch announces is text of another machine, to be escaped. */

#include "base/pool.h"
#include "probe/path.h"

struct switch_port {
        const char *device;     /* of this machine */
        const char *name;       /* of the switch, or its chassis ID */
        const char *port;       /* its port ID */
        uint32_t largest_frame; /* with header and checksum; 0: not announced, or networkd does not tell */
};

/* Those of all devices. One that is all zeros has not asked yet. */
struct switch_ports {
        struct pool pool;
        struct switch_port *items;
        size_t n_items;
        bool is_asked;
};

/* For CLEANUP(), too. */
void switch_ports_free(struct switch_ports *ports);

/* Adds those in the output of lldpctl -f json0, or of networkctl --json=short lldp from systemd 257 on.
 * Anything else adds none. */
void switch_ports_add(struct switch_ports *ports, const char *text, size_t size);

/* The port beside this machine if the verdict is a limit there, and if it is known: NULL where the device
 * has heard of several. The first such verdict of root runs these two programs, for a second at most; in
 * another network namespace than that of PID 1 none, because devices there may have the same names. */
const struct switch_port *switch_ports_find(struct switch_ports *ports, const struct path *path,
                                            const struct path_result *result);
