/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The udev rules that set an MTU at a device's birth, before any network manager hears of it: udev(7). */

#include <stdio.h>

#include "plan/device_plan.h"

/* Where they belong. 81 comes after 80-net-setup-link.rules, which decides on the name. */
#define UDEV_RULES_PATH "/run/udev/rules.d/81-setmtu.rules"

/* Writes the rules of a plan that has some. Errors are the stream's: ferror(). */
void udev_rules_write(const struct plan *plan, FILE *stream);
