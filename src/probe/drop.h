/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Where a size that is not carried is dropped. After which hop: by packets of that size with small TTLs,
 * beside packets of a size that is carried. In which direction: by what has a small answer, so that only the
 * way there matters: echo with a TTL that ends at a router, and UDP to the host. Both limit such answers, so
 * those of the host are counted here, and smaller probes afterwards show that there were some left. By the
 * host itself or not: by a larger echo request in fragments that are carried. A host with a small MTU
 * answers in fragments as well; the answer of a host with a larger MTU is lost. A Linux bridge with
 * br_netfilter makes fragments of it instead, and no answer tells these from the host's.
 *
 * How few packets can prove it: evidence_needed() wants five lost ones for each claim, beside others that
 * are answered. The direction and a switch before the host are two claims, which different packets prove:
 * the one by 9, of which one is the full size, five are lost, and one echo request and two UDP packets are
 * answered; the other by one fragmented packet that is answered and five that are lost as well, together 15.
 * Each router before the limit costs one more. So up to 16 packets tell all of a limit two hops away; in
 * fragments, these six are twelve. */

#include "probe/evidence.h"
#include "probe/verdict.h"

/* A little more than a second, after which a host may send one more answer to UDP. */
#define DROP_UDP_STEP_S 1.05
/* The answers that a host sends at once, and then one a second (XRLIM_BURST_FACTOR and icmp_ratelimit of
 * Linux, for IPv4; more for IPv6). */
#define DROP_UDP_BURST 6.0

/* A zeroed struct is valid, after drop_set_udp_left(). */
struct drop {
        bool has_forward;       /* UDP can be sent */
        bool has_fragmented;    /* echo can be sent in fragments */
        uint32_t passes, fails; /* the limit that it is about */
        /* By hop */
        unsigned n_rounds;
        unsigned first; /* the first probe */
        /* By UDP */
        bool has_answered;
        double spent_at; /* when the host is likely to have had no answer left; it has one a second since */
        unsigned n_asked;
        /* By either */
        struct probe control; /* the smaller probe after those */
        bool is_unsure;       /* only some of those in the last round were answered */
};

/* How many answers to UDP the host has left, unless it has given others before. */
double drop_udp_left(const struct drop *drop, double now);
void drop_set_udp_left(struct drop *drop, double left, double now);

/* Begins with another limit: that size passes, and one byte more does not. */
void drop_begin(struct drop *drop, const struct evidence *evidence, uint32_t passes);

/* Evaluates the finished round. */
void drop_weigh(struct drop *drop, const struct evidence *evidence);

/* How many of the lost size were lost on the way there, for sure or by accident. */
unsigned drop_count_there(const struct drop *drop, const struct evidence *evidence);

/* Whether the size is certainly lost on the forward path. */
bool drop_is_forward(const struct drop *drop, const struct evidence *evidence);

/* Whether the size is more likely than not lost on the way there, where no time is left to make sure. */
bool drop_is_likely_forward(const struct drop *drop, const struct evidence *evidence);

/* Adds what may tell more to the current round; nothing if all is known. Without `may_wait`, not what the
 * host has no answers left for. */
void drop_locate(struct drop *drop, struct evidence *evidence, bool may_wait);

/* Whether answers come in fragments of the size that a device with MTU `low` sends, and no router can have
 * made them. */
bool drop_is_of_host(const struct evidence *evidence, enum probe_kind kind, uint32_t low);

/* Fills in `has_direction`, `after_hop`, who is on either side of it, and `cause`. */
void drop_tell(const struct drop *drop, const struct evidence *evidence, struct verdict *verdict);
