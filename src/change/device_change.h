/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Changes a device's MTU, takes it back, and says what came of it by log_message(): what every program that
 * does either has in common. */

#include "change/mtu_change.h"
#include "config/config.h"

/* Gives the device `link`, fresh from the kernel, what the line wants, `up` included. A line whose `file` is
 * NULL stands in no file: it came from a command line. `ret_change` may be NULL. True where the device has
 * it all. */
bool device_change_apply(struct link_socket *socket, const struct config_line *line, const struct link *link,
                         struct mtu_change *ret_change);

/* Puts back what the device had before; `name` is what it is called in messages. True where nothing is left
 * to do. */
bool device_change_restore(struct link_socket *socket, const char *name, const struct link *link);

/* The kernel's own words for a request that failed where it had some, errno's otherwise. */
const char *device_change_reason(const struct link_socket *socket, int error);
