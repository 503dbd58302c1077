/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "kernel/capability.h"

#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

bool capability_has_net_admin(void) {
        struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
        struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = { 0 };

        /* If capget() fails, the kernel decides on the request itself. */
        return syscall(SYS_capget, &header, data) < 0 ||
               data[CAP_TO_INDEX(CAP_NET_ADMIN)].effective & 1u << (CAP_NET_ADMIN & 31);
}
