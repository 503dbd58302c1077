/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What this machine limits packets to a host to, in words, and the commands that change it. As path_text.h.
 */

#include "base/pool.h"
#include "probe/path.h"

/* Of IP, in numbers. */
#define NET_ADDRESS_TEXT(address)                                              \
        inet_ntop((address)->size == 4 ? AF_INET : AF_INET6, (address)->bytes, \
                  (char[INET6_ADDRSTRLEN]){ 0 }, INET6_ADDRSTRLEN)

/* What here limits packets to the host, as a sentence without a full stop; NULL: nothing does. And the
 * command that changes it, for root's shell. */
const char *egress_text(struct pool *pool, const struct path *path, const struct path_result *result);
const char *egress_command(struct pool *pool, const struct path *path, const struct path_result *result);

/* Gives the route that leads to the host, for all that it leads to, an MTU; 0: none of its own. */
const char *route_command(struct pool *pool, const struct path *path, const char *lock, uint32_t mtu);
