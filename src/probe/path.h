/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The path to a host, and what it carries: for `setmtu probe`, and for the commands with --probe. */

#include <arpa/inet.h>

#include "kernel/link.h"
#include "probe/egress.h"
#include "probe/flows.h"
#include "probe/verdict.h"

struct path {
        const char *host;                                         /* as it was given; the caller's */
        char address[INET6_ADDRSTRLEN + 1 + INTERFACE_NAME_SIZE]; /* with its scope */
        struct sockaddr_storage target;
        struct sockaddr_storage source; /* of the same family; that packets come from: as routes say if it is
                                           the unspecified one */
        bool is_bound;                  /* to the interface, whatever the routes say */
        bool is_proven;                 /* to carry the size both ways, without a probe */
        struct link link;               /* the interface; ifindex 0: there is no route */
};

struct path_result {
        struct verdict verdict; /* of the worst flow */
        struct flows flows;
        struct egress egress; /* where it was looked at */
        unsigned n_packets;   /* sent */
        double seconds;
        int send_error; /* a positive errno where packets could not be sent; or 0 */
        int error;      /* a negative errno: it could not be probed; or 0 */
};

struct path_settings {
        struct netlink_socket *socket; /* to look at what limits packets here; NULL: nothing does */
        uint32_t size;    /* to find out about; 0: the MTU of each interface. Cut to PROBE_SIZE_LARGEST */
        unsigned timeout; /* in seconds; 0: the method's own */
        unsigned rate;    /* packets a second, of all paths together; 0: any */
        unsigned flows;   /* to each host, up to FLOWS_MAX; 0: 1 */
        /* Called with each result. NULL: not called. */
        void (*report)(void *userdata, const struct path *path, const struct path_result *result);
        bool (*is_interrupted)(void *userdata); /* NULL: interrupt_seen() */
        void *userdata;
};

/* The smallest size that can be asked about. */
static inline uint32_t path_size_least(const struct path *path) {
        return path->target.ss_family == AF_INET6 ? PROBE_SIZE_LEAST_V6 : PROBE_SIZE_LEAST_V4;
}

/* Probes `n` paths, many at the same time; `ret` has room for a result of each. All are bound to the same
 * interface, or none is, and of a family all have the same source. Without a route the verdict is there at
 * once. If interrupted, the others are inconclusive and not reported. A limit of this machine comes before
 * all others: nothing larger is sent. */
void path_probe(const struct path *paths, size_t n, const struct path_settings *settings,
                struct path_result *ret);
