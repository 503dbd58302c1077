/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The drop-in by which systemd-networkd sets an MTU: systemd.network(5). */

#include <stdio.h>

#include "plan/device_plan.h"

/* Errors are the stream's. */
void network_drop_in_write(const struct device_plan *device, FILE *stream);
