/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>

/* A kernel interface name takes at most 15 bytes and a NUL (IFNAMSIZ in linux/if.h). */
#define INTERFACE_NAME_SIZE 16

/* NULL if `name` may be an interface name, otherwise the reason, as the end of a sentence that begins with
 * the name. Follows the kernel's dev_valid_name(), and also rejects control characters and anything but
 * UTF-8. */
const char *interface_name_fault(const char *name);

/* Whether a name in a line is a pattern of names. */
bool interface_name_is_pattern(const char *name);
/* The same for a pattern, which means the same to fnmatch(3), udev(7) and systemd.link(5), or is refused. */
const char *interface_pattern_fault(const char *name);
