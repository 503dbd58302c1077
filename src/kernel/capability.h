/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>

/* Whether this process has the capability to change network devices; the kernel may still refuse. */
bool capability_has_net_admin(void);
