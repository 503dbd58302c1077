/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* --probe HOST of the commands that change an MTU: whether the path to a host carries the new one. */

#include "command/path.h"
#include "command/wish.h"

struct carriage {
        struct path path;
        uint32_t size; /* that is to be carried */
};

/* Before the change: finds the host by way of the device, and sees that it answers now. A host that does not
 * would say nothing about the change. Says what is wrong and returns an exit code; then nothing is to be
 * changed. */
int carriage_prepare(struct link_socket *socket, const struct wish *wish, const char *host,
                     struct carriage *ret);

/* After it: probes, once the link has its carrier again where it had one, and again for a while where the
 * host does not answer, as while a switch learns. `deadline` is when the change is undone anyway, by
 * guard_now(). Says what came of it. EXIT_CODE_DONE where the size is carried, otherwise the verdict's. */
int carriage_check(struct link_socket *socket, const struct carriage *carriage, bool had_carrier,
                   double deadline);
