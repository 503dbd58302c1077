/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What all programs begin with: read the configuration and make the plan. */

#include "plan/device_plan.h"

/* The caller frees it. `sink` hears every mistake. -ENOMEM is the only error, and leaves it empty. */
int load_plan(const struct diagnostic_sink *sink, struct plan *ret);

/* A sink that logs each diagnostic as `FILE:LINE: error: text`. */
extern const struct diagnostic_sink load_plan_log;

/* As load_plan_log does, for a sink that lets only some through. */
void load_plan_log_diagnostic(const struct diagnostic *diagnostic);

/* A sink for whom the mistakes are none of its business: they have been told, or will be. */
extern const struct diagnostic_sink load_plan_silent;

/* The same, but for files that could not be read: those are logged. */
extern const struct diagnostic_sink load_plan_unread;
