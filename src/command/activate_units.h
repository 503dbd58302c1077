/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Has systemd take up an edited configuration. */

#include <stdbool.h>

#include "plan/device_plan.h"
#include "system/systemd_manager.h"

/* For one device: systemd reads the configuration again, setmtu-configure writes the rules, and the device's
 * unit is started, or reloaded, where it has a line for it, and stopped where it has none or one for
 * systemd-udevd or systemd-networkd. Without systemd here
 * that is said, and is no failure. False where something failed: that is said. */
bool activate_units_of(const char *name, bool has_line);

/* Whether setmtu-keep.service is to be started, or stopped: `ret` does that. */
bool activate_units_keep(const struct plan *plan, struct manager_job *ret);

/* Runs the jobs and says which of them failed and why. False where one did. A masked unit is no failure. */
bool activate_units_run(struct manager *manager, struct manager_job *jobs, size_t n_jobs);
