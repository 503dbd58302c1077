/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The file of setmtu among NetworkManager's: made what the plan wants, and told to a NetworkManager that
 * runs. */

#include "plan/device_plan.h"
#include "plan/link_table.h"

/* Writes it, or removes it where no device has a section; a file of somebody else's in its place is left
 * alone. Where something is different then and NetworkManager runs already, which at boot it does not,
 * setmtu-networkmanager has it take that up. False where something failed: that is said. */
bool configure_networkmanager(const struct plan *plan, const struct link_table *links);
