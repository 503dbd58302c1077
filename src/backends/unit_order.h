/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What the generator leaves for PID 1 where one device stands on another: the order of their units, where
 * both are started at once. */

#include "plan/device_plan.h"

/* Writes, below the open folder `directory`, for each device of the plan whose name tells of one below it
 *
 *     setmtu@<instance>.service.d/50-setmtu.conf
 *
 * with After= the unit of that one. A name is longer than the one that it begins with, so there is no
 * circle. Returns 0, or the first failure's negative errno with `ret_line` filled; it does not keep the
 * others from being written. */
int unit_order_write(const struct plan *plan, int directory, const struct config_line **ret_line);
