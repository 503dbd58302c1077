/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* netctl.profile(5) and its hooks, and the profiles of netcfg, which came before it. */

#include "sources/reading.h"

/* The name of the file is the profile's. */
int source_netctl_read(const struct reading *reading);
int source_netcfg_read(const struct reading *reading);

/* A hook of /etc/netctl/interfaces, by whose name the device goes, or of /etc/netctl/hooks, which is for
 * all. */
int source_netctl_hook_read(const struct reading *reading);

/* Interface= of a profile, which the caller frees; NULL where there is none or it cannot be told. -ENOMEM.
 */
int source_netctl_interface(const struct reading *reading, char **ret);
