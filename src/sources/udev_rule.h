/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Rules of udev(7) that write a device's MTU, or run a program that does. */

#include "sources/reading.h"

int source_udev_rule_read(const struct reading *reading);
