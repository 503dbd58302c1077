/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* --probe HOST of the commands that change an MTU: whether the path to a host carries the new one. */

#include "command/set_args.h"
#include "probe/path.h"

struct path_check {
        struct path path;
        uint32_t size; /* that is to be carried */
};

/* Before the change: finds the host of the arguments through the device, and checks that it answers now;
 * otherwise its silence would prove nothing later. Logs errors and returns an exit code; on an error nothing
 * may be changed. */
int path_check_prepare(struct netlink_socket *socket, const struct set_args *args, struct path_check *ret);

/* After the change: probes, once the carrier is back if there was one, and again for a while if the host
 * does not answer, for example while a switch learns. The change is undone at `deadline`, by
 * clock_boottime_s(); from then on the result is inconclusive. Logs it. EXIT_CODE_DONE if the size is
 * carried, otherwise that of the verdict. */
int path_check_run(struct netlink_socket *socket, const struct path_check *check, bool had_carrier,
                   double deadline);
