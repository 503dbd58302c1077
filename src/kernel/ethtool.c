/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "kernel/ethtool.h"

#include <errno.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "base/cleanup.h"

int ethtool_driver(const char *interface, char ret[static ETHTOOL_DRIVER_SIZE]) {
        CLEANUP(cleanup_close) int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        struct ethtool_drvinfo info = { .cmd = ETHTOOL_GDRVINFO };
        struct ifreq request = { .ifr_data = (char *)&info };

        snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", interface);
        if (fd < 0 || ioctl(fd, SIOCETHTOOL, &request) < 0)
                return -errno;
        if (!info.driver[0])
                return -EOPNOTSUPP;
        _Static_assert(sizeof(info.driver) == ETHTOOL_DRIVER_SIZE, "the kernel's size");
        memcpy(ret, info.driver, sizeof(info.driver));
        ret[sizeof(info.driver) - 1] = '\0';
        return 0;
}
