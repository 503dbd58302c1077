/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What the generator leaves for PID 1: the symlinks by which a device pulls in its unit and, where one
 * device stands on another, the order in which their units start. */

#include <stddef.h>

#include "plan/device_plan.h"

/* What could not be made; the rest was. */
struct unit_links_failure {
        size_t count;
        int error; /* negative errno of the first one */
        const struct config_line
                        *line; /* the first one's line; NULL: the link to setmtu-configure.service */
};

/* One link. All valid during the call of `take` only. */
struct unit_link {
        const char *folder; /* below the generator's, and of one level */
        const char *name;   /* in that folder */
        const char *target;
        const struct config_line *line; /* NULL: the link to setmtu-configure.service */
};

/* Calls `take` for each link of the plan:
 *
 *     sys-subsystem-net-devices-<instance>.device.wants/setmtu@<instance>.service
 *
 * for each device that its unit serves and, where a rule or another file is to be written,
 * sysinit.target.wants/setmtu-configure.service, all leading to the template or unit in `unit_directory`. */
void unit_links_each(const struct plan *plan, const char *unit_directory,
                     void (*take)(void *userdata, const struct unit_link *link), void *userdata);

/* Makes them below the open folder `directory`. A link that is there already is left alone. Returns 0, or
 * the first failure's negative errno with `ret` filled; a failure does not keep the other devices' links
 * from being made. */
int unit_links_write(const struct plan *plan, int directory, const char *unit_directory,
                     struct unit_links_failure *ret);

/* Writes, below the open folder `directory`, for each device of the plan whose name tells of one below it
 *
 *     setmtu@<instance>.service.d/50-setmtu.conf
 *
 * with After= the unit of that one. A name is longer than the one that it begins with, so there is no
 * circle. Returns 0, or the first failure's negative errno with `ret_line` filled; it does not keep the
 * others from being written. */
int unit_links_write_order(const struct plan *plan, int directory, const struct config_line **ret_line);
