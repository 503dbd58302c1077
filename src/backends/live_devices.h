/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The MTU of devices that are there already when the configuration is read. */

#include "change/snapshot.h"
#include "store/generated_files.h"

/* Whether udevd has not been started yet, and so nothing else: a device gets its MTU when it appears. Not
 * where that cannot be told. */
bool live_devices_is_boot(void);

/* In `ret`, whether setmtu has run before, although this is a boot: systemd has started anew and the kernel
 * has not, as after a soft reboot. Device units are active then and start nothing. False where that cannot
 * be told, which is logged. */
bool live_devices_are_old(bool *ret);
/* Where systemd runs, leaves the mark by which the next one knows. False where that failed: it is logged. */
bool live_devices_leave_mark(void);

/* Gives the devices that are there what a boot would give them: their lines, or what was before where they
 * have no line any more; and has systemd start or stop their units. Devices that have it are not touched.
 * False where something failed: that is logged. */
bool live_devices_follow(struct snapshot *snapshot);

/* Sets what the changed files say, a device before those that stand on it where it is raised, and puts back
 * the MTU of devices that have no line any more. False where something failed: that is logged. */
bool live_devices_set(const struct generated_files *before, const struct generated_files *wanted,
                      struct snapshot *snapshot);
