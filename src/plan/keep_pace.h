/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* How fast a device gets its MTU back: at once, and ever more slowly where somebody changes it again each
 * time. No clock: the caller says what time it is, in seconds of one that never goes back. */

#include <stdbool.h>

#include "base/attributes.h"

/* So often in so long a time is a fight. */
#define KEEP_FIGHT_COUNT 5
#define KEEP_FIGHT_S 60
/* The first pause of one; the next is twice as long, and so on. */
#define KEEP_PAUSE_S 1
#define KEEP_PAUSE_MAX_S 3600

struct keep_pace {
        double times[KEEP_FIGHT_COUNT]; /* of the last ones, the latest first */
        unsigned n_times;
        unsigned pause_s; /* after the last one; 0: there is no fight */
};

/* When the device may be given its MTU again; a time that is over: now. */
NONNULL double keep_pace_next(const struct keep_pace *pace);

/* Notes that it has been, or that this was tried in vain. True where a fight begins or goes on. */
NONNULL bool keep_pace_note(struct keep_pace *pace, double now);

/* Whether so much time has gone by that the next change is the first one. */
NONNULL bool keep_pace_is_calm(const struct keep_pace *pace, double now);
