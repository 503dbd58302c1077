/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The steps that no file of another program tells of: the driver's, setmtu's own, the kernel's, and what a
 * manager does where nothing is written. */

#include "explain/explanation.h"

#define OWN_STEPS_MAX 6

/* Fills `steps` from the first on. Returns how many there are. */
size_t own_steps_make(const struct explain_device *device, const struct explain_machine *machine,
                      struct explain_step steps[static OWN_STEPS_MAX]);
