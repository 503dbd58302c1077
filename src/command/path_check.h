/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* --probe HOST of the commands that change an MTU: whether the path to a host carries the new one. Functions
 * log errors and return an exit code. */

#include "probe/path.h"

/* Before the change of `link` to `mtu`, which may bring it up: finds the host through it, and checks that it
 * answers now; otherwise its silence would prove nothing later. `link` is NULL for the device that the route
 * leads to, whose new MTU is not known yet. On an error nothing may be changed. */
int path_check_prepare(struct netlink_socket *socket, const char *host, const struct link *link,
                       bool is_to_be_up, uint32_t mtu, struct path *ret);

/* After the change: probes with the MTU that the device has now, once the carrier is back if there was one,
 * and again for a while if the host does not answer, for example while a switch learns. The change is undone
 * at `deadline`, by clock_boottime_s(); from then on the result is inconclusive. Logs it. EXIT_CODE_DONE if
 * the MTU is carried, otherwise that of the verdict. */
int path_check_run(struct netlink_socket *socket, const struct path *path, double deadline);
