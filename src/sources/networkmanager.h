/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* NetworkManager: connection profiles as key files (nm-settings-keyfile(5)) and the [connection] defaults of
 * NetworkManager.conf(5). */

#include "sources/reading.h"

int source_nm_profile_read(const struct reading *reading);

/* Of several sections for one device the last finding is in effect, as everywhere: NetworkManager goes
 * through the sections of a file from the first to the last, and takes the first. */
int source_nm_conf_read(const struct reading *reading);
