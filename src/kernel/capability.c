/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "kernel/capability.h"

#include <errno.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int capability_keep_net_admin(void) {
        struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
        struct __user_cap_data_struct had[_LINUX_CAPABILITY_U32S_3] = { 0 },
                                      kept[_LINUX_CAPABILITY_U32S_3] = { 0 };
        const unsigned index = CAP_TO_INDEX(CAP_NET_ADMIN);

        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
                return -errno;
        /* libc has no wrapper, and libcap is too much for two calls. */
        if (syscall(SYS_capget, &header, had) < 0)
                return -errno;
        /* CAP_TO_MASK() would give an int. */
        kept[index].permitted = kept[index].effective = had[index].permitted & 1u << (CAP_NET_ADMIN & 31);
        /* The kernel drops ambient capabilities that are no longer permitted. */
        if (syscall(SYS_capset, &header, kept) < 0)
                return -errno;
        return 0;
}

bool capability_has_net_admin(void) {
        struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
        struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = { 0 };

        /* If capget() fails, the kernel decides on the request itself. */
        return syscall(SYS_capget, &header, data) < 0 ||
               data[CAP_TO_INDEX(CAP_NET_ADMIN)].effective & 1u << (CAP_NET_ADMIN & 31);
}
