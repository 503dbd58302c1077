/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The TCP connections of this network namespace and what the kernel counts of each: sock_diag(7),
 * linux/inet_diag.h, struct tcp_info in linux/tcp.h. Reading needs no privilege. */

#include <stdbool.h>
#include <stdint.h>

#include "base/attributes.h"
#include "kernel/netlink.h"
#include "plan/net_address.h"

/* Bytes are those of TCP's payload, unless it says otherwise. */
struct connection {
        uint64_t cookie;         /* the kernel gives each socket another one until the next boot */
        struct net_address peer; /* of IPv4 also where the socket is one of IPv6 */
        struct net_address own;  /* likewise */
        unsigned ifindex;        /* that the socket is bound to; 0: none */
        bool is_closed;          /* by both ends; of what follows, only `idle_ms` is known: since then */
        uint32_t headers;        /* of each segment: of IP, of TCP, and the timestamps */
        uint32_t mss;            /* the largest segment that it sends now */
        uint32_t own_mss;        /* less timestamps: as told to the peer, by the route or a program */
        uint32_t received_mss;   /* of a segment that came, or a guess of at most CONNECTION_GUESSED_MSS */
        uint32_t path_mtu;       /* of whole packets */
        uint32_t peer_window;
        uint32_t own_window;      /* at least what the peer was offered */
        uint32_t unacked, sacked; /* segments under way, and those of them that are there already */
        uint32_t backoff;         /* how often the retransmission timer has run out in succession */
        uint32_t idle_ms;         /* since an acknowledgement came */
        /* Since the connection began. */
        uint32_t segments; /* sent with data, also again: each as it is on the wire, whatever GSO does */
        uint32_t segments_again;    /* of those: sent again */
        uint32_t segments_received; /* with data */
        uint32_t disordered;        /* of those: that came before earlier ones */
        uint64_t sent, sent_again;  /* bytes, as the segments are counted */
        uint64_t acked, received;   /* SYN may count as a byte */
};

/* What tcp_initialize_rcv_mss() in the kernel takes at most before anything has come (TCP_MSS_DEFAULT). */
#define CONNECTION_GUESSED_MSS 536

/* Passes each connection that is open, or that waits for the end of what was sent, to `take`; with
 * `is_closed`, those in TIME_WAIT instead, for a minute. Those on this machine alone are left out, and those
 * that the kernel counts less of (before Linux 5.4). `ret_changed` becomes true if some may be missing, or
 * come twice. `diag` is of NETLINK_SOCK_DIAG. 0 or a negative errno. */
MUST_USE int connection_each(struct netlink_socket *diag, bool is_closed,
                             void (*take)(void *userdata, const struct connection *connection),
                             void *userdata, bool *ret_changed);
