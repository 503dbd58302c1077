/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The network managers that manage a device now, by their own state in /run.
 *
 * systemd-networkd: /run/systemd/netif/links/IFINDEX (link_save() in systemd's
 * src/network/networkd-state-file.c). NetworkManager: /run/NetworkManager/devices/IFINDEX
 * (nm_config_device_state_write()). ifupdown: /run/network/ifstate. ifupdown2: its state is a pickle; the
 * devices are taken from interfaces(5). netctl: only its active units. An active unit has
 * /run/systemd/units/invocation:UNIT (unit_export_invocation_id()); the files of networkd and NetworkManager
 * count only while their units are active. The .link file: udev's database. */

#include <stdbool.h>
#include <stdint.h>

#include "base/attributes.h"
#include "base/pool.h"
#include "plan/link_table.h"

enum owner {
        OWNER_NETWORKD,
        OWNER_NETWORKMANAGER,
        OWNER_IFUPDOWN,
        OWNER_IFUPDOWN2,
        OWNER_NETCTL,
        OWNER_COUNT,
};

/* All zeros: no known manager has it. Paths are without SETMTU_ROOT and in the pool. */
struct owners {
        bool has[OWNER_COUNT];            /* several managers compete */
        const char *profile[OWNER_COUNT]; /* the file of its profile; NULL: not known */
        struct pool pool;
};

void owners_free(struct owners *owners);

/* -ENOMEM, or the error of open(2) or read(2) for what exists and cannot be read, with `ret` untouched. */
MUST_USE int owner_state_read(const struct link *link, struct owners *ret);
