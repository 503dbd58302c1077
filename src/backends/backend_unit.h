/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Backends unit and auto: the udev rules that set an MTU when a device appears, before any network manager
 * learns of it: udev(7). For the generator's links see backends/unit_links.h. */

#include "plan/device_plan.h"
#include "store/generated_files.h"

/* 81 comes after 80-net-setup-link.rules, which decides on the name. */
#define UDEV_RULES_PATH "/run/udev/rules.d/81-setmtu.rules"

/* Whether a udev rule can name the device. `==` in a rule matches a pattern, so a name with one of *?[]|"\
 * would match other devices, or none; and udev reads a "!" as "/". The unit still serves such a device.
 * False if the device has no unit. */
NONNULL bool backend_unit_has_rule(const struct device_plan *device);

/* Adds the file of the rules, if a device has one. If the template is masked, none has. If that is not
 * known, it is the same, and reported for the whole file. The rules leave a device with a masked unit alone,
 * but do not see a mask that is an empty file, which systemctl(1) never makes. For an initrd, they set MTUs
 * only, without units. -ENOMEM and the errors of device_identity_netns(). */
MUST_USE int backend_unit_render(const struct plan *plan, const struct diagnostic_sink *sink,
                                 struct generated_files *files);
/* Writes that file, or removes it if there is none: 1 if it has been written, 0, or a negative errno. */
MUST_USE int backend_unit_save(const struct generated_files *rules);
