/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>

#include "plan/device_plan.h"

/* Whether the administrator has masked `unit`, for good or until the next boot: a link to /dev/null, or an
 * empty file, in one of the folders that `systemctl mask` writes to. See systemd.unit(5). */
bool unit_is_masked(const char *unit);

/* `systemctl mask setmtu@NAME`, or of the template, means hands off: takes the udev rules of such devices
 * out of the plan. */
void unit_mask_leave_out(struct plan *plan);
