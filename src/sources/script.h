/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* rc.local and other shell scripts that call ip(8) or ifconfig(8). */

#include "sources/reading.h"

int source_script_read(const struct reading *reading);
