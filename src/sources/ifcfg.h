/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* ifcfg-* of Red Hat's network scripts, of NetworkManager's plug-in for them, and of SUSE's wicked. */

#include "sources/reading.h"

int source_ifcfg_read(const struct reading *reading);
