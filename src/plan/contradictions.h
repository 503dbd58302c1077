/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "plan/device_status.h"

/* Reports lines that contradict each other, or that a device cannot follow, by what the devices are now and
 * get back: `restored` in struct device_status. `is_lines_only`: only errors, and only those of a line with
 * another line, or with the lack of one that there was; not what a device by itself cannot have. -ENOMEM is
 * the only error. */
MUST_USE int contradictions_report(const struct device_statuses *statuses, const struct link_table *table,
                                   bool is_lines_only, const struct diagnostic_sink *sink);
