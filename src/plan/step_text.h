/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Steps in words. */

#include "plan/step.h"

/* set, keep, refuse, absent, fall, wait; follow, where another device's step changes a device to keep. */
NONNULL const char *step_action_name(const struct step *step);

/* One sentence without its full stop, in `buffer` or static. */
#define STEP_REASON_SIZE 256
NONNULL const char *step_reason_text(char buffer[static STEP_REASON_SIZE], const struct step *step);
#define STEP_REASON(step) step_reason_text((char[STEP_REASON_SIZE]){ 0 }, step)
