/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <limits.h>

/* The path to open for `path`, which is absolute: below $SETMTU_ROOT, if set, by which tests avoid the files
 * of this machine. Returns `buffer`, or `path` itself. If the result is too long, system calls reject it
 * with ENAMETOOLONG. */
const char *root_path(char buffer[static PATH_MAX], const char *path);
