/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What has changed, for the services and devices that are there already. */

#include "backends/configure_network.h"
#include "kernel/link.h"

/* `own` is what was there before, `socket` and `links` may be NULL and empty. Sets the MTU of the devices
 * concerned, puts it back for those without a line, and has udevd and networkd read their files again. Does
 * nothing at boot, where they read them by themselves. False where something failed: that is said. */
bool configure_live_apply(const struct network_changes *changes, const struct network_outputs *outputs,
                          const struct network_own *own, const struct config *config,
                          const struct link_table *links, struct link_socket *socket);
