/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "change/snapshot.h"

/* Reports mistakes that reading the configuration does not find: from the existing devices, and from the
 * limits of files for other programs. */
NONNULL void check_report(const struct snapshot *snapshot, const struct diagnostic_sink *sink);
