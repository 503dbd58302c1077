/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "plan/keep_pace.h"

#include <string.h>

double keep_pace_next(const struct keep_pace *pace) {
        return pace->n_times > 0 ? pace->times[0] + pace->pause_s : 0;
}

bool keep_pace_is_calm(const struct keep_pace *pace, double now) {
        return pace->n_times == 0 || now - pace->times[0] >= 2.0 * pace->pause_s + KEEP_FIGHT_S;
}

bool keep_pace_note(struct keep_pace *pace, double now) {
        if (keep_pace_is_calm(pace, now))
                *pace = (struct keep_pace){ .n_times = 0 };
        memmove(&pace->times[1], &pace->times[0], sizeof(pace->times) - sizeof(pace->times[0]));
        pace->times[0] = now;
        if (pace->n_times < KEEP_FIGHT_COUNT)
                pace->n_times++;
        if (pace->pause_s > 0)
                pace->pause_s = pace->pause_s < KEEP_PAUSE_MAX_S / 2 ? 2 * pace->pause_s : KEEP_PAUSE_MAX_S;
        else if (pace->n_times == KEEP_FIGHT_COUNT && now - pace->times[KEEP_FIGHT_COUNT - 1] < KEEP_FIGHT_S)
                pace->pause_s = KEEP_PAUSE_S;
        return pace->pause_s > 0;
}
