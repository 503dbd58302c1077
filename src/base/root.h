/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <limits.h>

/* The path to open for `path`, which is absolute: behind $SETMTU_ROOT where that is set, which is how tests
 * keep away from the machine's own files. Returns `buffer`, or `path` itself; where the two are too long
 * together, one that every call refuses with ENAMETOOLONG. */
const char *root_path(char buffer[static PATH_MAX], const char *path);
