/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Many TCP flows to a host at once, which may take different ones of several equal links: how many of them
 * lose large packets. A packet is a SYN with data (RFC 7413) to the port "discard", where a host refuses it,
 * whatever its size; hosts limit that less than answers to UDP. Needs no privilege. */

#include "probe/path.h"

#define TCP_FLOWS 48

struct tcp_flows {
        unsigned n_answered; /* of all, at once; few: the host does not refuse, or is far away */
        uint32_t size;       /* of the packets: what was asked for, less 20 bytes */
        unsigned n_lost;     /* flows that lose all of these and carry small ones, and chance is no reason */
};

/* 0 or a negative errno: nothing could be sent so. */
int tcp_flows_probe(const struct path *path, uint32_t size, struct tcp_flows *ret);
