/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Makes systemd read an edited configuration. */

#include <stdbool.h>

#include "bus/systemd_manager.h"
#include "plan/device_plan.h"

/* For one device: systemd reads the configuration again, setmtu-configure writes the rules, and the device's
 * unit is started or reloaded; it is stopped if the device has no line, or a line for systemd-udevd or
 * systemd-networkd. Logs if systemd does not run here, which is no failure. False if something failed, which
 * is logged. */
bool activate_units_of(const char *name, bool has_line);

/* Whether setmtu-keep.service must be started or stopped: `ret` is the job. */
bool activate_units_keep(const struct plan *plan, struct manager_job *ret);

/* Runs the jobs and logs the failed ones. False if one failed. A masked unit is no failure. */
bool activate_units_run(struct bus *manager, struct manager_job *jobs, size_t n_jobs);
