/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>

/* Whether udev gives devices other names than the kernel's: not with net.ifnames=0 on the kernel command
 * line (enable_name_policy() in systemd's src/udev/net/link-config.c). */
bool name_policy_is_enabled(void);
