/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Units that are active, by the invocation IDs that systemd keeps of them: unit_export_invocation_id() in
 * its src/core/unit.c. Only reads files, and so neither waits nor starts anything. */

#include "base/attributes.h"

/* Is there where systemd is PID 1: sd_booted(3). */
#define ACTIVE_UNIT_SYSTEMD_FOLDER "/run/systemd/system"

#define ACTIVE_UNIT_FOLDER "/run/systemd/units"
/* What the names of the links in it begin with; the unit's name follows. */
#define ACTIVE_UNIT_PREFIX "invocation:"

/* 1, also while it is about to be; 0; or a negative errno if that cannot be told. */
MUST_USE int active_unit_is(const char *unit);

/* The same of systemd-udevd, and it can be talked to. At boot systemd starts it after setmtu-configure, and
 * its socket before: a client would wait. */
MUST_USE int active_unit_is_udevd(void);
