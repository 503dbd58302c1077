/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The MTU of devices that are there already when the files for other programs change. */

#include "change/snapshot.h"
#include "store/generated_files.h"

/* Whether udevd has not been started yet, and so nothing else: a device gets its MTU when it appears. */
bool live_devices_is_boot(void);

/* Sets what the changed files say, a device before those that stand on it where it is raised, and puts back
 * the MTU of devices that have no line any more. False where something failed: that is logged. */
bool live_devices_set(const struct generated_files *before, const struct generated_files *wanted,
                      struct snapshot *snapshot);
