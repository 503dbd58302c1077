/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Probes and their results so far. Sizes are those of whole IP packets in bytes, which an MTU limits. The
 * conclusions follow RFC 8899 (section 3, 4.4, 4.6.1): an answer proves its size; a "too big" proves nothing
 * by itself, nor does a loss, unless many packets of a size are lost among others that are not. */

#include <stdbool.h>
#include <stdint.h>

#include "plan/net_address.h"

/* No IP packet with a 16-bit length is larger; jumbograms (RFC 2675) are not used. */
#define PROBE_SIZE_LARGEST 65535
/* The size that every link carries: RFC 791, RFC 8200, section 5. */
#define PROBE_SIZE_LEAST_V4 68
#define PROBE_SIZE_LEAST_V6 1280
/* BASE_PLPMTU of RFC 8899, section 5.1.2, and IPv6's own least. */
#define PROBE_SIZE_BASE_V4 1200
#define PROBE_SIZE_BASE_V6 1280
/* A size below every limit. */
#define PROBE_SIZE_SMALL 100

/* Of PROBE_FRAGMENTED, no fragment is larger. */
#define PROBE_FRAGMENT_SIZE PROBE_SIZE_LEAST_V6

/* The most probes of one run. */
#define PROBE_COUNT_MAX 1024

enum probe_kind {
        PROBE_ECHO,    /* an ICMP echo request: its answer is as large, and shows both directions */
        PROBE_FORWARD, /* UDP to a closed port: the answer is small, and shows the way there alone */
        /* An echo request in fragments that are carried there: in what pieces the host sends its answer is a
         * matter of its own MTU. */
        PROBE_FRAGMENTED,
        PROBE_KINDS,
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

/* The event, which is short, does not say which probe of PROBE_FORWARD it is about. */
#define PROBE_ID_UNKNOWN UINT32_MAX

struct probe_event {
        enum probe_event_kind kind;
        unsigned id; /* of the probe */
        struct net_address from;
        uint32_t mtu;
        uint32_t size;     /* an answer's, which is its probe's; 0: not known */
        uint32_t fragment; /* an answer's largest fragment; 0: it came in one piece */
        uint8_t ttl;       /* the answer's, as it arrived; 0: not known */
        /* It does not quote enough to have the probe's random bytes (PACKET_SHORT): it may be forged, and
         * counts once a probe that was sent later has met with the same. */
        bool is_short;
};

/* Bits, for sets of them. */
enum probe_outcome {
        PROBE_QUEUED = 1 << 0,  /* not sent yet */
        PROBE_WAITING = 1 << 1, /* for what may come */
        PROBE_SILENT = 1 << 2,  /* for too long; what comes later still counts */
        PROBE_UNKNOWN = 1 << 3, /* silent, and the host may have had no answer left for it */
        PROBE_WHOLE = 1 << 4,   /* answered, in one piece */
        PROBE_PIECES = 1 << 5,  /* answered, in fragments: only the way there carries the size */
        PROBE_TOO_BIG = 1 << 6,
        PROBE_EXCEEDED = 1 << 7,
        PROBE_REFUSED = 1 << 8,
        PROBE_DOUBTFUL = 1 << 9, /* only a short event is about it: evidence_end_round() */
        PROBE_ANSWERED = PROBE_WHOLE | PROBE_PIECES,
        PROBE_FAILED = PROBE_SILENT | PROBE_TOO_BIG | PROBE_REFUSED | PROBE_PIECES,
};

struct probe_record {
        struct probe probe;
        double due;  /* in seconds of the caller's clock, and so are all times */
        double sent; /* where it is */
        enum probe_outcome outcome;
        bool is_late;            /* answered when it already counted as silent */
        struct net_address from; /* of the last event about it */
        struct probe_event hint; /* the last short one */
        double hinted;
};

#define EVIDENCE_CLAIMS_MAX 64
/* Of a round trip; farther away, time counts for more than packets. */
#define EVIDENCE_NEAR_S 0.05

struct evidence {
        double now;                                  /* when the caller was last told the time */
        enum probe_kind kind;                        /* by which sizes are tested */
        struct probe_record probes[PROBE_COUNT_MAX]; /* by id */
        unsigned n_probes;
        unsigned since;       /* the first one that counts: before it, the path was another one */
        unsigned round_first; /* the first one of the round that is under way */
        double due;           /* of the last one in it */
        struct probe_event claims[EVIDENCE_CLAIMS_MAX]; /* "too big", each with its probe's size */
        unsigned n_claims;
        double rtt;                   /* the longest of the answers; 0: none yet */
        uint8_t answer_ttl;           /* of the last answer that had one */
        uint32_t pieces[PROBE_KINDS]; /* the largest fragment of an answer in pieces; 0: none */
        struct net_address refused_by;
};

/* Adds a probe to the current round, to be sent `after` seconds behind the one before. No more than
 * PROBE_COUNT_MAX are taken. */
void evidence_add(struct evidence *evidence, enum probe_kind kind, uint32_t size, uint8_t ttl, double after);

/* The first of the round that is not sent yet; NULL: all are. */
struct probe_record *evidence_next(struct evidence *evidence);

/* When what is sent of the round has been answered, or missed for so long that it counts as lost. */
double evidence_round_end(const struct evidence *evidence);

/* Discards what is queued and not sent yet: it is not needed any more. */
void evidence_drop_queued(struct evidence *evidence);

/* Ends the round: probes that still wait count as silent. True if it goes on, with a further probe for each
 * one that is doubtful. */
bool evidence_end_round(struct evidence *evidence);

/* Takes what came. NULL if it is about no probe that was sent, or says nothing new; otherwise that one. */
const struct probe_record *evidence_take(struct evidence *evidence, const struct probe_event *event);

/* Discards all results before now. */
void evidence_forget(struct evidence *evidence);

/* Ignores the silence of probes of this kind. */
void evidence_forgive(struct evidence *evidence, enum probe_kind kind);

/* The largest size that came back in one piece (of PROBE_FORWARD: that was answered); 0: none. */
uint32_t evidence_low(const struct evidence *evidence, enum probe_kind kind);

/* The smallest size above `low` that did not, or that was not answered by UDP; 0: none. */
uint32_t evidence_high(const struct evidence *evidence, enum probe_kind kind, uint32_t low);

/* The largest size that is known to be carried there, if by UDP since the probe `first`; 0: none. */
uint32_t evidence_forward(const struct evidence *evidence, unsigned first);

/* How many probes of this size, from `first` on, came to one of these outcomes. */
unsigned evidence_count(const struct evidence *evidence, unsigned first, enum probe_kind kind, uint32_t size,
                        unsigned outcomes);

/* How many lost of a size say that it is not carried, where others of up to `low`, which passes, are lost as
 * often as they are, and `n_more` of those pass that are still to be sent; UINT_MAX: too many of those are
 * lost. Answers to all kinds of them count. */
unsigned evidence_needed(const struct evidence *evidence, enum probe_kind kind, uint32_t low,
                         unsigned n_more);

/* The "too big" that what has passed shows to be wrong; NULL: none. */
const struct probe_event *evidence_false_claim(const struct evidence *evidence);

/* The "too big" that says the limit `low`, or says no number and was about one more; NULL: none. */
const struct probe_event *evidence_true_claim(const struct evidence *evidence, uint32_t low);
