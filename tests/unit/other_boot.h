/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <string.h>

/* Has the tests' own copy of it, because a program reads the boot and the namespace once, and tests several
 * times. */
#include "store/device_identity.c"

static inline void forget_here(void) {
        memset(&here, 0, sizeof(here));
}
