/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* When a device gets its MTU back: at once, and after ever longer pauses if another program changes it again
 * each time. No clock: the caller passes the time in seconds, which never goes backwards. */

#include <stdbool.h>

#include "base/attributes.h"

/* This many changes within this time are a fight. */
#define KEEP_FIGHT_COUNT 5
#define KEEP_FIGHT_S 60
/* The first pause of a fight; each further pause is twice as long, up to the maximum. */
#define KEEP_PAUSE_S 1
#define KEEP_PAUSE_MAX_S 3600

struct keep_pace {
        double times[KEEP_FIGHT_COUNT]; /* of the last times it was put back, the latest first */
        unsigned n_times;
        unsigned pause_s; /* after the last time; 0: there is no fight */
};

/* When the MTU may be put back; a time in the past means now. */
NONNULL double keep_pace_next(const struct keep_pace *pace);

/* Records that the MTU was put back, or that this failed. True if a fight begins or continues. */
NONNULL bool keep_pace_note(struct keep_pace *pace, double now);

/* Whether the fight is over, so that the next change counts as the first. */
NONNULL bool keep_pace_is_calm(const struct keep_pace *pace, double now);
