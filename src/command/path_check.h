/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* --probe HOST of the commands that change an MTU: whether the path to a host carries the new one. */

#include "command/set_args.h"
#include "probe/path.h"

struct path_check {
        struct path path;
        uint32_t size; /* that is to be carried */
};

/* Before the change: finds the host by way of the device, and sees that it answers now. A host that does not
 * would say nothing about the change. Says what is wrong and returns an exit code; then nothing is to be
 * changed. */
int path_check_prepare(struct netlink_socket *socket, const struct set_args *args, const char *host,
                       struct path_check *ret);

/* After it: probes, once the link has its carrier again where it had one, and again for a while where the
 * host does not answer, as while a switch learns. `deadline` is when the change is undone anyway, by
 * clock_boottime_s(). Says what came of it. EXIT_CODE_DONE where the size is carried, otherwise the
 * verdict's. */
int path_check_run(struct netlink_socket *socket, const struct path_check *check, bool had_carrier,
                   double deadline);
