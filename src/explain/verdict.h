/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "explain/explanation.h"

/* Fills in whether the device's MTU is explained by its steps, the sentence that says so, and what to do. */
void verdict_reach(const struct explain_device *device, const struct explain_machine *machine,
                   struct explanation *explanation);
