/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Settings of other programs with another MTU than a device's line: what NetworkManager says, and mentions
 * of the device where a program is enabled. Whether a mention takes effect is not known. */

#include "change/snapshot.h"
#include "explain/managers.h"
#include "mentions/mention.h"

struct rival {
        const struct device_status *status; /* whose line it differs from */
        const char *file;                   /* NULL: it is a manager's word */
        unsigned line;
        const char *text;    /* one sentence without a full stop; partly from outside */
        const char *command; /* that settles it, for a shell; plain text; or NULL */
};

/* All zeros at first; the files are read when a line needs them. */
struct rivals {
        struct mentions mentions;
        struct managers managers;
        bool is_scanned;
        struct rival *items; /* those found so far */
        size_t n_items;
        struct pool pool; /* owns them, and records that memory was out */
};

void rivals_cleanup(struct rivals *rivals); /* for CLEANUP() */

/* Reads the files, unless that has been done. */
const struct mentions *rivals_mentions(struct rivals *rivals);

/* Where `program` has the MTU of the containers behind the bridge of that name; NULL: nowhere that is known.
 */
const struct mention *rivals_find_containers(struct rivals *rivals, const char *name, const char *program);

/* The command that gives Docker's containers on docker0 that MTU, and starts those that run again. `setting`
 * is where they have another one from, or NULL. */
const char *rivals_docker_command(struct pool *pool, const struct mention *setting, uint32_t mtu);

/* Adds the rivals of the device's line; `has_ends`: also what the containers behind it get instead. `facts`
 * is what managers_ask() says of it. */
void rivals_find(struct rivals *rivals, const struct device_status *status,
                 const struct manager_facts *facts, bool has_ends);
