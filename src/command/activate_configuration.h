/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Puts an edited configuration into effect, all of it or nothing: the work of setmtu reload. Functions log
 * errors and return an exit code. */

#include "base/pool.h"
#include "change/snapshot.h"
#include "change/trial.h"

int activate_configuration(void);

/* Reads the configuration, and finds the MTUs that this would change: those of lines, and originals where
 * the line of a unit is gone. Their lines are in the pool, or of the snapshot, which is all zeros at first.
 * Fails if the configuration has an error, or asks for what cannot be. */
NONNULL int activate_configuration_targets(struct snapshot *snapshot, struct pool *pool,
                                           struct trial_target **ret, size_t *ret_n);
