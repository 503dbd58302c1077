/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The policies of ifupdown2: /etc/network/ifupdown2/policy.d/ *.json. */

#include "sources/reading.h"

int source_ifupdown2_read(const struct reading *reading);
