/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Puts an edited configuration into effect. Functions log errors. */

#include "change/trial.h"

/* All of it or nothing: the work of setmtu reload. Returns an exit code. */
int activate_configuration(void);

/* Reads the configuration, and finds the MTUs that this would change: those of lines, and originals where
 * the line of a unit is gone. Their lines are in the pool. The snapshot is all zeros at first.
 * Fails if the configuration has an error, or asks for what cannot be. Returns an exit code. */
NONNULL int activate_configuration_targets(struct snapshot *snapshot, struct pool *pool,
                                           struct trial_target **ret, size_t *ret_n);

/* The line of one device: systemd reads the configuration again, setmtu-configure writes the rules, and the
 * device's unit is started or reloaded; it is stopped if the device has no line, or a line for another
 * backend. That systemd does not run here is no failure. A pattern is the work of setmtu reload. */
bool activate_units_of(const char *name);
