/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What commands make of a probed path: words, sentences, and exit codes. Texts are the pool's; without
 * memory they are empty. Host and interface are fit to be printed. */

#include "base/log.h"
#include "base/pool.h"
#include "probe/path.h"

/* Of IP, in numbers. */
#define NET_ADDRESS_TEXT(address)                                              \
        inet_ntop((address)->size == 4 ? AF_INET : AF_INET6, (address)->bytes, \
                  (char[INET6_ADDRSTRLEN]){ 0 }, INET6_ADDRSTRLEN)

/* "ok", "too big", …: as JSON and the table have it. */
const char *verdict_word(enum verdict_kind kind);

/* What setmtu probe ends with. */
int verdict_exit_code(enum verdict_kind kind);

/* The nominal MTU of a limit, for advice: equipment allows for VLAN tags, or counts the frame with its
 * header and checksum. */
uint32_t verdict_common_mtu(uint32_t limit);

/* How many flows carry which size, in a list. */
const char *flows_list(struct pool *pool, const struct flows *flows);

/* The verdict's word, a sentence on what was found, one on what to do, and one about several flows. */
const char *path_text(struct pool *pool, const struct path *path, const struct path_result *result);

/* The same as a message about the interface; the word alone if memory is out. */
void path_log(enum log_priority priority, const struct path *path, const struct path_result *result);

/* What here limits packets to the host, as a sentence without a full stop; NULL: nothing does. And the
 * command that changes it, for root's shell. */
const char *egress_text(struct pool *pool, const struct path *path, const struct path_result *result);
const char *egress_command(struct pool *pool, const struct path *path, const struct path_result *result);

/* Gives the route that leads to the host, for all that it leads to, an MTU; 0: none of its own. */
const char *route_command(struct pool *pool, const struct path *path, const char *lock, uint32_t mtu);
