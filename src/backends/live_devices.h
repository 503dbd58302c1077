/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The MTU of devices that exist when the configuration is read. */

#include "change/snapshot.h"
#include "store/generated_files.h"

/* Whether this is a boot and udevd has not started yet, so that devices get their MTU when they appear: 1,
 * 0, or a negative errno if that is not known. */
int live_devices_is_boot(void);

/* Sets `ret`: whether setmtu has run before although this is a boot, because systemd has started again and
 * the kernel has not, as after a soft reboot. Device units are then active and do not start. False if that
 * is not known, which is logged. */
bool live_devices_are_old(bool *ret);
/* If systemd runs, leaves a mark for live_devices_are_old(). False if that failed, which is logged. */
bool live_devices_leave_mark(void);

/* Gives existing devices the MTU that a boot would give them: that of their lines or, without a line, the
 * original one. Makes systemd start or stop their units. Devices that have that MTU are not touched. False
 * if something failed, which is logged. */
bool live_devices_follow(struct snapshot *snapshot);

/* Sets the MTUs of the changed files, raising a device before those on top of it, and restores the MTU of
 * devices without a line. False if something failed, which is logged. */
bool live_devices_set(const struct generated_files *before, const struct generated_files *wanted,
                      struct snapshot *snapshot);
