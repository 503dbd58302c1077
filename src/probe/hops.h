/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* How far a packet that does not arrive gets: the same size with small TTLs, beside one that does arrive. A
 * part of the method. */

#include "probe/method.h"

/* How many hops there are likely to be to a host whose answer arrived with this TTL; 0: not known. It is a
 * TTL to go up to. */
uint8_t hops_likely(uint8_t answer_ttl);

/* Adds what is to be sent next to the round that has begun. */
void hops_queue(struct method *method, double now);

/* Whether more probes would tell more; `is_there`: it is known that the size is lost on the way there. */
bool hops_are_known(const struct method *method, bool is_there);

/* Whether routers answer from behind where the size is lost: it is lost on the way there, then. */
bool hops_go_on_behind(const struct method *method);

/* Fills in `after_hop` and who is on either side of it. */
void hops_tell(const struct method *method, struct verdict *verdict);
