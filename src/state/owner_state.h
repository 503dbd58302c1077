/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Whether one of the network managers that are shell scripts or Python has a device now. They answer no
 * requests, so their own files are read: ifupdown's /run/network/ifstate; for ifupdown2, whose state is a
 * pickle, interfaces(5); netctl's profiles, of which each active one is a unit. systemd-networkd and
 * NetworkManager are asked over D-Bus: explain/managers.h. */

#include <limits.h>

#include "base/attributes.h"

/* 1, 0, or the negative errno of what exists and cannot be read. */
MUST_USE int owner_is_ifupdown(const char *interface);
MUST_USE int owner_is_ifupdown2(const char *interface);
/* `ret_profile`: the profile's file; empty where it is not known. */
MUST_USE int owner_is_netctl(const char *interface, char ret_profile[static PATH_MAX]);
