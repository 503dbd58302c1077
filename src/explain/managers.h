/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Which network managers have a device, and what they say of its MTU: NetworkManager and systemd-networkd
 * over D-Bus, and systemd-udevd by its database. */

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "plan/link_table.h"

struct managers {
        bool is_open;
        struct bus *networkmanager, *networkd; /* NULL: there is no system bus, or not of these devices */
};

/* NetworkManager's state of a device. */
struct networkmanager_device {
        bool is_managed;
        char profile[256]; /* the name, in UTF-8, of what is active on it, or about to be; or empty */
        uint32_t mtu;      /* the MTU of the profile itself; 0: none, or not readable by this user */
        char setting[24];  /* that has it, as nmcli(1) calls it: 802-3-ethernet */
};

/* What they say of one device. */
struct manager_facts {
        struct networkmanager_device networkmanager; /* all zeros: it has not the device, or does not run */
        char network_file[PATH_MAX]; /* that systemd-networkd has applied; empty: none, or it does not run */
        char link_file[PATH_MAX];    /* that systemd-udevd has applied; or empty */
};

void managers_cleanup(struct managers *managers); /* for CLEANUP(); of one that is all zeros, too */

/* Asks them; the first time, it connects. What cannot be asked is left out; of NULL, an absent device, it is
 * all. */
void managers_ask(struct managers *managers, const struct link *link, struct manager_facts *ret);
