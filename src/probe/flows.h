/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Several flows to the same host, which may take different ways, and one verdict for all of them. The first
 * one tells of both directions where it can; the others are UDP. */

#include "probe/method.h"

#define FLOWS_MAX 64

/* A zeroed struct is valid. */
struct flows {
        unsigned n;
        uint32_t sizes[FLOWS_MAX]; /* the largest that passes, of each; 0: none is known */
        bool has_no_udp;           /* the host answers no UDP: the others told nothing and do not count */
};

/* Takes the verdict of the next flow, and makes `verdict` that of the worst. True if one more of `n_wanted`
 * is to be probed. */
bool flows_take(struct flows *flows, unsigned n_wanted, const struct verdict *next, struct verdict *verdict);

/* Passes the results of earlier flows to the next flow's method: `worst` is the verdict so far, and
 * `former` the method of the last one. Nothing for the first flow. */
void flows_prepare(const struct flows *flows, const struct verdict *worst, const struct method *former,
                   double now, struct method_settings *settings);

/* How many flows carry no more than the largest of their sizes that is below `*size`, which is then that; 0:
 * there are none. Begin with UINT32_MAX. */
unsigned flows_next(const struct flows *flows, uint32_t *size);
