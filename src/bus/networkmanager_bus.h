/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* NetworkManager over D-Bus: nm-dbus-types(5) and the XML files of its introspection directory. */

#include <stdbool.h>
#include <stdint.h>

#include "base/attributes.h"
#include "bus/bus.h"

/* For bus_open(). */
#define NETWORKMANAGER "org.freedesktop.NetworkManager"

/* NetworkManager's state of a device. */
struct networkmanager_device {
        bool is_active;    /* a profile is active on it, or about to be */
        char profile[256]; /* the profile's name, in UTF-8; or empty */
        uint32_t mtu;      /* the MTU of the profile itself; 0: none, or not readable by this user */
        char setting[24];  /* that has it, as nmcli(1) calls it: 802-3-ethernet */
};

/* Whether NetworkManager runs and manages the device, and has not only found it configured by another
 * program. */
MUST_USE bool networkmanager_get_device(struct bus *bus, const char *interface,
                                        struct networkmanager_device *ret);
