/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/attributes.h"
#include "programs/keep_state.h"

/* Sets the devices whose lines say auto to what fits now, and logs it. Plans the next time in the keeper,
 * where no event of the kernel will. 0 or a negative errno. */
MUST_USE NONNULL int keep_follow_run(struct keeper *keeper, double now);
