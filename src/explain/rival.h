/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Settings of other programs with another MTU than a device's line: what the manager of the device says, and
 * mentions of the device where a program acts on them. Whether they override the line is not known. */

#include "change/snapshot.h"
#include "explain/managers.h"
#include "mentions/mention.h"
#include "system/systemd_ini.h"

struct rival {
        const char *file; /* NULL: it is a manager's word */
        unsigned line;
        uint32_t mtu;
        char text[512];     /* one sentence without a full stop; partly from outside */
        char command[1024]; /* that settles it, for a shell; plain text; or empty */
};

/* Nothing but the snapshot at first; the files are read when a line needs them. */
struct rivals {
        const struct snapshot *snapshot;
        struct mentions mentions;
        struct managers managers;
        struct network_files networks;
        bool is_scanned, has_networks;
        bool is_broken; /* out of memory */
};

void rivals_cleanup(struct rivals *rivals); /* for CLEANUP() */

/* Reads the files, unless that has been done. */
const struct mentions *rivals_mentions(struct rivals *rivals);

/* The next rival of the device's line; `index` is 0 at first. `facts` is what managers_ask() says of it,
 * NULL for an absent device. False: there is no more. */
MUST_USE bool rivals_next(struct rivals *rivals, const struct device_status *status,
                          const struct manager_facts *facts, size_t *index, struct rival *ret);
