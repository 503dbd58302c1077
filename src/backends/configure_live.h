/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What has changed, for the services and devices that are there already. */

#include "backends/configure_network.h"
#include "change/snapshot.h"

/* `own` is what was there before. Sets the MTU of the devices concerned, puts it back for those without a
 * line, and has udevd and networkd read their files again. Does nothing at boot, where they read them by
 * themselves. False where something failed: a message says so. */
bool configure_live_apply(const struct network_changes *changes, const struct network_outputs *outputs,
                          const struct network_own *own, struct snapshot *snapshot);
