/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "plan/device_plan.h"

/* Writes the udev rules, or removes them where no device has one. 1: written; 0: nothing to write; or a
 * negative errno. */
int configure_rules_save(const struct plan *plan);
