/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What the probes have shown so far. What each may show is RFC 8899's (section 3, 4.4, 4.6.1): an answer
 * proves its size; a "too big" proves none by itself; nor does a loss, until many of one size are lost
 * between others that are not. */

#include "probe/probe.h"

enum probe_outcome {
        PROBE_QUEUED,  /* not sent yet */
        PROBE_WAITING, /* for what may come */
        PROBE_SILENT,  /* for too long; what comes later still counts */
        PROBE_UNKNOWN, /* silent, and the host may have had no answer left for it */
        PROBE_WHOLE,   /* answered, in one piece */
        PROBE_PIECES, /* answered, in fragments: the way there carries the size, and the way back does not */
        PROBE_TOO_BIG,
        PROBE_EXCEEDED,
        PROBE_REFUSED,
};

struct probe_record {
        struct probe probe;
        double due;  /* in seconds of the caller's clock, and so are all times */
        double sent; /* where it is */
        enum probe_outcome outcome;
        uint32_t fragment;
        struct probe_address from;
};

/* A "too big". */
struct probe_claim {
        unsigned id; /* of the probe */
        uint32_t size;
        uint32_t mtu;
        struct probe_address by;
};

#define EVIDENCE_CLAIMS_MAX 64

struct evidence {
        struct probe_record probes[PROBE_COUNT_MAX]; /* by id */
        unsigned n_probes;
        unsigned since; /* the first one that counts: before it, the path was another one */
        struct probe_claim claims[EVIDENCE_CLAIMS_MAX];
        unsigned n_claims;
        double rtt;         /* the longest of the answers; 0: none yet */
        uint8_t answer_ttl; /* of the last answer that had one */
        uint32_t piece;     /* the largest fragment of an answer in pieces; 0: none */
        unsigned n_refused;
        struct probe_address refused_by;
};

/* Adds a probe, to be sent at `due`. False where there have been too many. */
bool evidence_add(struct evidence *evidence, enum probe_kind kind, uint32_t size, uint8_t ttl, double due);

/* Takes what came. False where it is about no probe that was sent, or says nothing new. */
bool evidence_take(struct evidence *evidence, const struct probe_event *event, double now);

/* Nothing before now counts any more. */
void evidence_forget(struct evidence *evidence);

/* The silence of those says nothing. */
void evidence_forgive(struct evidence *evidence, enum probe_kind kind);

/* The largest size that came back in one piece (of PROBE_FORWARD: that was answered); 0: none. */
uint32_t evidence_low(const struct evidence *evidence, enum probe_kind kind);

/* The smallest size above `low` that did not; 0: none. */
uint32_t evidence_high(const struct evidence *evidence, enum probe_kind kind, uint32_t low);

/* The largest size that is known to be carried there, and back; 0: none. */
uint32_t evidence_forward(const struct evidence *evidence);
uint32_t evidence_return(const struct evidence *evidence);

/* How many probes of this size, from `first` on, came to this outcome. */
unsigned evidence_count(const struct evidence *evidence, unsigned first, enum probe_kind kind, uint32_t size,
                        enum probe_outcome outcome);

/* Whether one has been sent, and its silence would have said something. */
bool evidence_has_tried(const struct evidence *evidence, enum probe_kind kind, uint32_t size);

/* How often a packet of up to `low`, which passes, is lost: 0 to 1, and rather too high than too low. */
double evidence_loss(const struct evidence *evidence, enum probe_kind kind, uint32_t low);

/* Whether `n` lost of a size say that it is not carried, where others are lost that often. */
bool evidence_is_no_accident(unsigned n, double loss);
