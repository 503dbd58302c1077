/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Reads the configuration and makes the plan, for all programs. */

#include "plan/device_plan.h"

/* Mistakes go to `sink`. The caller frees `ret`. -ENOMEM is the only error, and leaves `ret` empty. */
int load_plan(const struct diagnostic_sink *sink, struct plan *ret);

/* A sink that logs each diagnostic as `FILE:LINE: error: text`. Its `report` ignores its userdata: a sink
 * that filters may call it. */
extern const struct diagnostic_sink load_plan_log;

/* A sink that logs files that could not be read, and ignores other mistakes. */
extern const struct diagnostic_sink load_plan_unread;
