/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The output of the generator: symlinks by which a device pulls in its unit. */

#include <limits.h>

#include "base/attributes.h"
#include "plan/device_plan.h"

/* Pulled in if a line says `keep`. */
#define KEEP_UNIT "setmtu-keep.service"

struct unit_link {
        char directory[NAME_MAX]; /* below the generator's, and of one level */
        char name[NAME_MAX];      /* in that directory */
        const char *target;       /* the template or unit; static */
};

/* Makes the links of the plan below the open directory `directory`:
 *
 *     sys-subsystem-net-devices-<instance>.device.wants/setmtu@<instance>.service
 *
 * for each device that its unit serves, in sysinit.target.wants without device units; where a rule or
 * another file is to be written, sysinit.target.wants/setmtu-configure.service; and where a line is kept,
 * setmtu-keep.service in that directory and in setmtu@.service.wants. A configuration that could not be read
 * whole has both. One that is there already is left alone. A negative errno: the first link that could not
 * be made is `ret`; the others were made where possible. */
MUST_USE NONNULL int unit_links_write(const struct plan *plan, int directory, struct unit_link *ret);

/* Whether systemd has them all, and no others of setmtu's, from its last reload: then it need not reload.
 * False also if that is not known. */
bool unit_links_are_made(const struct plan *plan);
