/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>

#include "plan/step.h"

/* Prints the requests among them on stdout, a line each: device, action, MTU, reason, FILE:LINE, which gives
 * way on a narrow terminal unless `is_wide`. False if memory is out. */
bool steps_print(const struct steps *steps, bool is_wide);
