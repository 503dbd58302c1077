/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What the method and the sockets share: one probe, and what became of it. Sizes are those of whole IP
 * packets in bytes, which is what an MTU limits. */

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>

/* No IP packet with a 16-bit length is larger; jumbograms (RFC 2675) are nobody's. */
#define PROBE_SIZE_LARGEST 65535
/* What every link carries: RFC 791, RFC 8200, section 5. */
#define PROBE_SIZE_LEAST_V4 68
#define PROBE_SIZE_LEAST_V6 1280
/* BASE_PLPMTU of RFC 8899, section 5.1.2, and IPv6's own least. */
#define PROBE_SIZE_BASE_V4 1200
#define PROBE_SIZE_BASE_V6 1280
/* One that no limit can mind. */
#define PROBE_SIZE_SMALL 100

/* A probing sends no more than that. */
#define PROBE_COUNT_MAX 1024

/* A router or host. */
struct probe_address {
        sa_family_t family; /* AF_UNSPEC: none */
        union {
                struct in_addr v4;
                struct in6_addr v6;
        };
};

bool probe_address_equals(const struct probe_address *a, const struct probe_address *b);

/* In numbers; returns `buffer`. */
const char *probe_address_text(char buffer[static INET6_ADDRSTRLEN], const struct probe_address *address);

enum probe_kind {
        PROBE_ECHO,    /* an ICMP echo request: its answer is as large, and shows both directions */
        PROBE_FORWARD, /* UDP to a closed port: the answer is small, and shows the way there alone */
};

struct probe {
        unsigned id; /* counts from 0 */
        enum probe_kind kind;
        uint32_t size;
        uint8_t ttl; /* 0: as usual */
};

enum probe_event_kind {
        PROBE_EVENT_ANSWER,   /* by the host that was asked */
        PROBE_EVENT_TOO_BIG,  /* `from` says so, and `mtu`; 0: no number (RFC 1191, section 5) */
        PROBE_EVENT_EXCEEDED, /* `from` is the router where the probe's TTL ended */
        PROBE_EVENT_REFUSED,  /* `from` says that the host cannot be reached; none: this machine does */
        PROBE_EVENT_LOCAL,    /* never sent: larger than the interface's MTU, which is `mtu` */
};

struct probe_event {
        enum probe_event_kind kind;
        unsigned id; /* of the probe */
        struct probe_address from;
        uint32_t mtu;
        uint32_t fragment; /* an answer's largest fragment; 0: it came in one piece */
        uint8_t ttl;       /* the answer's, as it arrived; 0: not known */
};
