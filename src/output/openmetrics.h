/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Metrics on stdout, valid as OpenMetrics 1.0 and as the text format of Prometheus: gauges only, the samples
 * of a family together, and "# EOF" last. */

#include <stdint.h>

#include "base/attributes.h"

/* Begins a family. `help` has neither a backslash nor a newline. */
NONNULL void openmetrics_begin(const char *family, const char *help);

/* Prints a sample of it. What follows are labels, each a name and a value, and NULL. A value may have any
 * bytes: one that is not UTF-8 is escaped. */
__attribute__((sentinel)) void openmetrics_add(const char *family, uint32_t value, ...);

void openmetrics_end(void);
