/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "change/snapshot.h"

/* Reports lines of absent devices whose name resembles that of a device without a line. */
NONNULL void check_report_names(const struct snapshot *snapshot, const struct diagnostic_sink *sink);

/* Reports lines that do not take effect at boot, or when the device appears: an alternative name, and what
 * the files for other programs cannot express. Reading the configuration does not find these. */
NONNULL void check_report_boot(const struct snapshot *snapshot, const struct diagnostic_sink *sink);

/* Whether the files of a backend without units can have the line. If not, a message says why. */
bool check_line(const struct config_line *line, enum backend backend);
