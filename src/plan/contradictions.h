/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "plan/device_status.h"

/* Reports lines that contradict each other, or that a device cannot follow, by what the devices are now. */
void contradictions_report(const struct device_statuses *statuses, const struct link_table *table,
                           const struct diagnostic_sink *sink);
