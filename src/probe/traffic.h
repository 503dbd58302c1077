/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What the TCP connections of a network namespace prove of the paths to their peers, from what the kernel
 * counts of each, once an interval. No I/O and no clock: times are from the caller, in seconds.
 *
 * A proof. Acknowledged bytes alone do not tell in which segments they came: the MSS is a limit, programs
 * write little at a time, and what was sent large may be sent again small. Between two dumps, however, the
 * kernel counts
 *
 *   N    the sequence number up to which data had been sent at the first dump: the bytes sent, less the
 *        bytes sent again;
 *   A    the sequence number up to which data was acknowledged at the second dump, less a byte for SYN,
 *        which may be counted or not;
 *   S    the segments with data sent between the two, of any size, also those sent again.
 *
 * The bytes from N to A were sent for the first time after the first dump, and have arrived: each of them in
 * at least one of the S segments. S segments that hold A - N bytes are not all smaller than (A - N) / S, so
 * at least one of that size, rounded up, has arrived (the pigeonhole principle). If nothing was sent again,
 * the segments under way at the second dump but one, which may be acknowledged in part, hold none of these
 * bytes, and S is smaller by them. S counts segments as they are on the wire: the kernel counts those that
 * GSO makes of a larger one. Timestamps are in each segment, and count as a part of the packet; SACK blocks
 * are in some, and do not. Nothing sent small can so prove more than its size. A connection that begins, or
 * that has sent less than 2^32 bytes (S is a number of 32 bits), also has a first dump at which all is 0.
 * Packets of which a router makes fragments, against "don't fragment", count as whole. If the kernel is out
 * of memory while it sends again, it counts bytes that were not sent, and a proof may be too large.
 *
 * What is received. The kernel's rcv_mss is the size of a segment that came (tcp_measure_rcv_mss()), once it
 * is larger than the 536 bytes that it assumes at first; it does not tell when. Between two dumps, the
 * segments that came hold the bytes that are new in order, but for those that had come before out of order:
 * a window at most, and as many packets as ever came so. Where a device makes one large packet of several,
 * as virtio_net's do, the kernel may count it as one segment: more than rcv_mss each proves nothing.
 *
 * A suspicion. A connection is stalled while segments of more than TRAFFIC_SMALL bytes are under way, the
 * retransmission timer has run out, and none is acknowledged. That alone says little: the
 * peer may be dead, and a peer that does not read has a small window, which is no stall. Packets of other
 * sizes must arrive meanwhile: another connection has its data acknowledged, has begun or has ended, a
 * smaller segment is SACKed, or the peer sends something new. Each of three rounds has both: the connection
 * sends again in vain, and something else arrives. And chance must not explain it: with others sent again
 * `a` times out of `n`, the next segment is lost with a probability of (a + 1) / (n + 2) (Laplace's rule of
 * succession), and so is its acknowledgement if any is lost, of those since the stall or of all before it,
 * whichever is more; those under way, three at most because a burst may lose all, and the first one each
 * time that it was sent again, with a probability below TRAFFIC_CHANCE. An outage can make two rounds, where
 * it begins and where it ends. If the kernel sends smaller segments after some timeouts (tcp_mtu_probing in
 * ip-sysctl), and these arrive, an outage may have ended as well: a probe tells, and nothing is suspected
 * yet. So it does where a connection has been stalled for long at the first dump, and sends again seldom.
 *
 * A suspicion is for a probe to confirm: a firewall that has forgotten a connection looks the same. So is
 * silence, where nothing arrives from the peer: if its only connection is stalled, a path that drops large
 * packets looks like a peer that is down.
 *
 * A probe may take another one of several equal links than the connection, and pass. If other flows of the
 * probe are lost, that confirms it as well. And if the peer has SACKed something of the stalled connection,
 * no firewall has forgotten that, and with a probability below the square of TRAFFIC_CHANCE nothing but its
 * own link explains the loss.
 *
 * An MSS below the path's MTU. The peer's answer has it, or a device on the way has put it there, unless
 * something here limits it: a program or a route, which the peer has been told of as well (own_mss), half of
 * a small window (tcp_bound_to_half_wnd()), or tcp_mtu_probing. */

#include "kernel/connection.h"

/* A packet that each path carries: the least MTU of IPv6. */
#define TRAFFIC_SMALL 1280
#define TRAFFIC_CHANCE 1e-5
/* How long a proof, or a suspicion, counts. */
#define TRAFFIC_VALID_S 3600.0
/* Peers without a connection are kept that long, unless there are more. */
#define TRAFFIC_PEERS_MAX 10000

enum traffic_state {
        TRAFFIC_QUIET,     /* nothing large is proven */
        TRAFFIC_PROVEN,    /* a packet of three quarters of the full size, or more, has arrived */
        TRAFFIC_SILENT,    /* a connection is stalled, and nothing else arrives: the peer may be down; to be
                              probed */
        TRAFFIC_SUSPECTED, /* large segments are lost, others arrive; to be probed */
        TRAFFIC_REFUTED,   /* it was, and large packets pass, perhaps by another link */
        TRAFFIC_CONFIRMED, /* it was, and they do not */
        TRAFFIC_STATES,
};

struct traffic_peer {
        struct net_address address;
        unsigned ifindex; /* that the connections are bound to, as in a VRF; 0: none */
        enum traffic_state state;
        double since;      /* the last progress, or of a silent peer: the last that arrived */
        uint32_t sent;     /* whole packets, as those below: the largest that has arrived there; 0: none */
        uint32_t segments; /* by which that is proven */
        double sent_at;    /* when that size, or nearly, was last proven */
        bool is_dated;     /* that is known; otherwise it was before the first dump */
        uint32_t received; /* the largest that has come from there; 0: none */
        uint32_t packet;   /* the largest that is sent there now; 0: there is no connection */
        uint32_t limited;  /* the MSS in use, where that is less than the path's MTU; or 0 */
        bool is_by_peer;   /* that is what the peer's answer says that it takes */
        uint32_t stuck;    /* the packets that are lost */
        struct net_address
                        own; /* where the last connection that has stalled comes from; of size 0: none has */
        bool is_one_link;    /* while others that are as large pass */
        bool is_unclear;     /* not suspected, but to be probed: see above */
        uint32_t passes;     /* those that a probe has seen pass meanwhile; 0: none */
        unsigned n_probes;   /* since it was suspected */
        double probed_at;    /* the caller's: when it was last probed while silent or refuted; 0: never */
        enum traffic_state shown; /* the caller's; TRAFFIC_QUIET at first */
        struct traffic_peer *next;
        /* Private */
        uint32_t passed_there, passed_back; /* traffic_has_proven() */
        enum traffic_state suspicion;
        bool is_refuted;          /* and no more is suspected since then */
        bool is_held, has_passed; /* by a stalled connection; a packet of that size has arrived */
        unsigned seen, alive;     /* the last rounds with a connection, and with something that arrived */
        double alive_at;
        /* Segments of connections that are not stalled: sent, and of those again; sent or received. */
        uint64_t others_sent, others_again, others;
};

struct traffic_connection;

/* A zeroed struct is valid. */
struct traffic {
        struct traffic_peer *peers; /* a list */
        size_t n_peers;
        bool has_mtu_probing; /* the caller's: the sysctl tcp_mtu_probing is not 0 */
        size_t n_waiting;     /* connections whose retransmission timer has run out */
        /* Private */
        struct traffic_connection *connections;
        void *peer_tree, *connection_tree; /* of tsearch(3) */
        unsigned round;
        double now, before; /* this dump and the one before */
        bool is_broken;
};

void traffic_free(struct traffic *traffic);

/* A dump: what each connection counts, between traffic_begin() and traffic_end(). Those that are closed
 * matter while one waits. */
void traffic_begin(struct traffic *traffic, double now);
void traffic_take(void *userdata, const struct connection *connection);
/* `is_whole`: a connection that was not taken is gone. The states of all peers follow from it. False if
 * memory was out; then connections are missing. */
MUST_USE bool traffic_end(struct traffic *traffic, bool is_whole);

/* Whether packets of `size` bytes, less 3% at most, have passed both ways since the dump before the last,
 * each way by a connection whose full segments are as large. */
bool traffic_has_proven(const struct traffic_peer *peer, uint32_t size);

/* What a probe with packets of `peer->stuck` bytes has found of a suspected peer: TRAFFIC_CONFIRMED,
 * TRAFFIC_REFUTED or, if it knows nothing, TRAFFIC_SUSPECTED; and the largest size that passes, 0 for none.
 * A peer that is not suspected stays as it is unless that is TRAFFIC_CONFIRMED. */
void traffic_answer(struct traffic_peer *peer, enum traffic_state answer, uint32_t passes);
