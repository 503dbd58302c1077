/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Backends unit and auto: the udev rules that set an MTU at a device's birth, before any network manager
 * hears of it: udev(7). What the generator makes for the units is in backends/unit_links.h. */

#include "plan/device_plan.h"
#include "store/generated_files.h"

/* 81 comes after 80-net-setup-link.rules, which decides on the name. */
#define UDEV_RULES_PATH "/run/udev/rules.d/81-setmtu.rules"

/* Adds the file of the rules, where a device has one: not where its unit is masked, which means hands off.
 * Where that cannot be told it has none, and that is reported as of a whole file. -ENOMEM and the errors of
 * device_identity_netns(). */
MUST_USE int backend_unit_render(const struct plan *plan, const struct diagnostic_sink *sink,
                                 struct generated_files *files);
