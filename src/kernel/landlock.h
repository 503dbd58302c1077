/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/attributes.h"

/* From now on this process, which must have no_new_privs, can create, write and remove files in `folder`
 * only, and start no program: landlock(7). Open files stay as they are, and reading is not restricted.
 * Without effect where the kernel has no Landlock. 0 or a negative errno. */
MUST_USE NONNULL int landlock_write_only_in(const char *folder);
