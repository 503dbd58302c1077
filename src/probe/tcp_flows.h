/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Many TCP flows to a host at once, which may take different ones of several equal links: how many of them
 * lose large packets. A packet is a SYN with data (RFC 7413) to the port "discard", where a host refuses it,
 * whatever its size; hosts limit that less than answers to UDP. Needs no privilege. */

#include "probe/path.h"

#define TCP_FLOWS 64
/* The largest packet, below the MTU: the kernel keeps room for options. */
#define TCP_FLOWS_ROOM 20

/* How many lose all packets of that size and carry small ones, if chance does not explain that; otherwise 0,
 * also where the host does not refuse, is too far away, or most of the flows are lost. Or a negative errno:
 * nothing could be sent so. */
int tcp_flows_probe(const struct path *path, uint32_t size);
