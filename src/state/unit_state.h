/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What is known of units without asking systemd: from files alone, and so without waiting for anything or
 * starting it. Each result is 1, 0, or a negative errno if that is not known.
 *
 * That a unit is active is read from /run/systemd/units, which is private to systemd: setmtu-configure needs
 * it at boot, before there is a D-Bus daemon, and does not load libsystemd. */

#include "base/attributes.h"
#include "base/unit_name.h"
#include "config/interface_name.h"

/* Is there where systemd is PID 1: sd_booted(3). */
#define UNIT_SYSTEMD_DIRECTORY "/run/systemd/system"

/* Writes setmtu@INSTANCE.service, the unit of the device of that name. Returns `buffer`. */
#define UNIT_OF_DEVICE_SIZE (UNIT_NAME_ESCAPED_SIZE(INTERFACE_NAME_SIZE) + sizeof("setmtu@.service"))
const char *unit_of_device(char buffer[static UNIT_OF_DEVICE_SIZE], const char *interface);
#define UNIT_OF_DEVICE(interface) unit_of_device((char[UNIT_OF_DEVICE_SIZE]){ 0 }, interface)

/* Those of all devices, as a glob. */
#define UNITS_OF_DEVICES "setmtu@*.service"

/* 1 also while it is about to be. */
MUST_USE int unit_is_active(const char *unit);

/* Whether this is a boot and udevd has not started yet, so that devices get their MTU when they appear.
 * systemd starts it after setmtu-configure, and its socket before: a client would wait. */
MUST_USE int unit_is_boot(void);

/* Whether the administrator has masked `unit`, permanently or until the next boot, by a link to /dev/null or
 * an empty file in one of the directories that `systemctl mask` writes to: systemd.unit(5). */
MUST_USE int unit_is_masked(const char *unit);

/* Whether the unit of the device or the template is masked, so that setmtu leaves the device alone. */
MUST_USE int unit_is_device_masked(const char *interface);
