/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "change/snapshot.h"

/* Reports what is wrong with the configuration beside what reading it has reported: by the devices that are
 * there, and by what the files for other programs can say. */
NONNULL void check_report(const struct snapshot *snapshot, const struct diagnostic_sink *sink);
