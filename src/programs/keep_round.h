/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/attributes.h"
#include "programs/keep_state.h"

/* Sets again the MTU of the devices that are taken, and logs it. Others are changed with them only where
 * they stand on them. */
MUST_USE NONNULL int keep_round_run(struct keeper *keeper, double now);
