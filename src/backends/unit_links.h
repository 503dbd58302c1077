/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The output of the generator: symlinks by which a device pulls in its unit. */

#include "base/attributes.h"
#include "plan/device_plan.h"

/* Pulled in if a line says `keep`. */
#define KEEP_UNIT "setmtu-keep.service"

/* Makes the links of the plan below the open directory `directory`, which messages call `path`:
 *
 *     sys-subsystem-net-devices-<instance>.device.wants/setmtu@<instance>.service
 *
 * for each device that its unit serves, in sysinit.target.wants without device units; where a rule or
 * another file is to be written, sysinit.target.wants/setmtu-configure.service; and where a line is kept,
 * setmtu-keep.service in that directory and in setmtu@.service.wants. A configuration that could not be read
 * whole has both. One that is there already is left alone. False if something failed: that is logged, and
 * does not keep the rest from being made. */
MUST_USE bool unit_links_write(const struct plan *plan, int directory, const char *path);

/* Whether systemd has them all, and no others of setmtu's, from its last reload: then it need not reload.
 * False also if that is not known. */
bool unit_links_are_made(const struct plan *plan);
