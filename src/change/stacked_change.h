/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Applies a device's line together with the lines of those that it depends on, and of those that depend on
 * it, so that each order of events ends alike: the device below is raised first, a port gets its MTU through
 * its bond, and what the kernel has lowered with a device rises with it again. Devices without a line of
 * their own get back no more than they lost in that way. */

#include "change/mtu_change.h"
#include "plan/device_plan.h"

/* `link` is the device of `line`, fresh from the kernel. Says what it does, and what both lines are where
 * they contradict each other. `ret_change` tells of the device itself and may be NULL; where it was not come
 * to, its result is MTU_CHANGE_EQUAL. True where the device has what its line wants. */
bool stacked_change_apply(struct link_socket *socket, const struct plan *plan,
                          const struct config_line *line, const struct link *link,
                          struct mtu_change *ret_change);
