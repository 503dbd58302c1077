/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* NetworkManager over D-Bus: nm-dbus-types(5) and the XML files of its introspection directory. Functions
 * are as in bus/bus.h. It has 10 s to answer. */

#include <stdbool.h>
#include <stdint.h>

#include "base/attributes.h"
#include "bus/bus.h"

/* NetworkManager's state of a device. */
struct networkmanager_device {
        bool is_managed;   /* NetworkManager manages the device; false if it only found it configured by
                              another program */
        bool is_active;    /* a profile is active on it, or about to be */
        char profile[256]; /* the profile's name, in UTF-8; or empty */
        uint32_t mtu;      /* the MTU of the profile itself; 0: none, or not readable by this user */
        char setting[24];  /* that has it, as nmcli(1) calls it: 802-3-ethernet */
};

/* -ENXIO if NetworkManager or the system bus does not run; also below $SETMTU_ROOT, which does not mean this
 * machine's bus. Other negative errnos if that is not known. */
MUST_USE int networkmanager_open(struct bus **ret);

/* -ENODEV where it knows of no such device. */
MUST_USE int networkmanager_get_device(struct bus *bus, const char *interface,
                                       struct networkmanager_device *ret);
