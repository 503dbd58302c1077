/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The search for the largest packet that a path carries: which probes to send and when, and what their
 * answers prove. No I/O and no clock: times are from the caller, in seconds.
 *
 * First the full size: a healthy path nearby is known by one packet. Without an answer soon, 1501 by UDP,
 * 1500 and the base size; then a few common sizes at a time, each once, until the largest that passes and
 * one byte more are known. A "too big" is tested at the size that it names and one byte more. What is lost
 * is sent again until random loss does not explain it, to who answers with a small packet, which shows the
 * direction as well: to the router behind the last hop that it reaches, or to the host by UDP. See RFC 8899,
 * sections 4 and 5; RFC 4821, section 7; RFC 1191; RFC 8201. */

#include "probe/drop.h"
#include "probe/evidence.h"
#include "probe/verdict.h"

#define METHOD_TIMEOUT_S 5.0
/* An answer to UDP may be a second behind the one before: icmp_ratelimit in ip-sysctl. */
#define METHOD_TIMEOUT_ONE_WAY_S 20.0

struct method_settings {
        bool is_v6;
        bool has_echo;       /* can be sent */
        bool has_forward;    /* can be sent */
        bool has_fragmented; /* can be sent */
        uint32_t size;       /* to find out about, up to PROBE_SIZE_LARGEST */
        uint32_t local_mtu;
        double timeout; /* 0: the above */
        /* A further flow to the same host: by UDP alone, first of the full size alone. */
        bool is_further;
        double udp_left;   /* the answers that the host is likely to have left for it */
        bool is_answering; /* another further flow had answers */
        uint32_t likely;   /* the limit of another flow; 0: none */
};

enum method_stage {
        METHOD_OPEN,
        METHOD_SEARCH,
        METHOD_CONFIRM,
        METHOD_DONE,
};

/* Private, but for method_begin() and what follows it. */
struct method {
        struct method_settings settings;
        enum method_stage stage;
        uint32_t full, base, small;
        double deadline;
        unsigned n_attempts; /* of the base size */
        unsigned n_batches;  /* of the confirmation */
        unsigned n_restarts;
        bool has_retested; /* a "too big" that is wrong */
        struct evidence evidence;
        struct drop drop; /* and the limit that has been found */
        struct verdict verdict;
};

void method_begin(struct method *method, const struct method_settings *settings, double now);

/* The next probe to send now; it then counts as sent. False if none is due. */
bool method_send(struct method *method, double now, struct probe *ret);

/* The next probe had to wait that long, in seconds; the deadline is later by this. */
void method_postpone(struct method *method, double seconds);

/* Something has come, or a probe could not be sent. */
void method_take(struct method *method, const struct probe_event *event, double now);

/* The latest time for the next call if nothing arrives. */
double method_wakeup(struct method *method);

/* Advances the time. True once the verdict is complete. */
bool method_is_done(struct method *method, double now);

/* Ends the search with the present knowledge as the verdict. */
void method_interrupt(struct method *method);
