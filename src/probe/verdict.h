/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The result of probing a path. */

#include "probe/evidence.h"

enum verdict_kind {
        VERDICT_OK,
        VERDICT_TOO_BIG,       /* `by` says so, rightly */
        VERDICT_BLACK_HOLE,    /* dropped, and nothing reports it */
        VERDICT_FALSE_TOO_BIG, /* `by` says so, wrongly */
        VERDICT_RETURN_PATH,   /* what is carried there is not carried back */
        VERDICT_LOCAL_LIMIT,   /* the path carries what this machine sends, which is less than what was asked
                                */
        VERDICT_UNREACHABLE,
        VERDICT_INCONCLUSIVE,
        VERDICT_COUNT,
};

/* Why a probing is inconclusive. */
enum verdict_doubt {
        VERDICT_DOUBT_TIME,        /* it was up */
        VERDICT_DOUBT_LOSS,        /* too much is lost of any size */
        VERDICT_DOUBT_CHANGE,      /* what was seen contradicts itself: the path changes */
        VERDICT_DOUBT_INTERRUPTED, /* by the caller */
        VERDICT_DOUBT_FLOWS,       /* some flows had no answer at all, and others had */
};

/* The origin of a limit that may be that of the host. */
enum verdict_cause {
        VERDICT_CAUSE_UNKNOWN,
        VERDICT_CAUSE_HOST, /* the host's own MTU */
        VERDICT_CAUSE_LINK, /* the link before the host, whose MTU is larger */
        VERDICT_CAUSES,
};

struct verdict {
        enum verdict_kind kind;
        enum verdict_doubt doubt;
        enum verdict_cause cause; /* of a black hole, or of the return path's */
        uint32_t tried;           /* what was asked about */
        uint32_t local_mtu;       /* of the interface */
        uint32_t size;            /* the largest that passes; without a way back, there; 0: none known */
        uint32_t high;            /* the smallest that does not; 0: none known */
        uint32_t forward;         /* the largest known to be carried there; 0: none */
        uint32_t back;            /* and back */
        struct net_address by;    /* who reported "too big", or refused; of size 0: nothing did */
        uint32_t reported;        /* and the size */
        int after_hop;            /* the last one that a packet above `size` reaches; -1: not known */
        struct net_address hop;   /* it; of size 0: this machine, or not known */
        struct net_address next;  /* the first one behind it that answers smaller packets; of size 0: none */
        bool next_is_host;
        bool has_direction; /* of a black hole: it is on the way there */
        bool is_one_way;    /* only the way there was probed */
        bool may_echo;      /* this user may send echo requests */
        bool may_fragment;  /* and in fragments, which tells the cause */
};

/* Whether the path carries `size` both ways, as far as it was probed. */
static inline bool verdict_carries(const struct verdict *verdict, uint32_t size) {
        return verdict->kind != VERDICT_UNREACHABLE && verdict->kind != VERDICT_INCONCLUSIVE &&
               verdict->size >= size;
}
