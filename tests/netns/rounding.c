/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* For LD_PRELOAD: a driver as no virtual device has one. It makes a multiple of 100 of each MTU that it is
 * asked for, without an error. The file in $SETMTU_TEST_ENOMEM, as long as it is there, has the kernel out
 * of memory for changes. */

#include <errno.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static void round_mtu(char *request, size_t size) {
        size_t offset = NLMSG_LENGTH(sizeof(struct ifinfomsg));

        while (offset + RTA_LENGTH(sizeof(uint32_t)) <= size) {
                struct rtattr *attribute = (struct rtattr *)(void *)(request + offset);
                uint32_t mtu;

                if (attribute->rta_type == IFLA_MTU) {
                        memcpy(&mtu, RTA_DATA(attribute), sizeof(mtu));
                        mtu -= mtu % 100;
                        memcpy(RTA_DATA(attribute), &mtu, sizeof(mtu));
                }
                offset += RTA_ALIGN(attribute->rta_len);
        }
}

ssize_t sendto(int fd, const void *message, size_t size, int flags, __CONST_SOCKADDR_ARG to,
               socklen_t to_size) {
        const struct sockaddr *address = to.__sockaddr__;
        const char *no_memory = getenv("SETMTU_TEST_ENOMEM");
        char copy[512];

        if (address && address->sa_family == AF_NETLINK && size <= sizeof(copy) &&
            ((const struct nlmsghdr *)message)->nlmsg_type == RTM_SETLINK) {
                if (no_memory && access(no_memory, F_OK) == 0) {
                        errno = ENOMEM;
                        return -1;
                }
                memcpy(copy, message, size);
                round_mtu(copy, size);
                message = copy;
        }
        return syscall(SYS_sendto, fd, message, size, flags, address, to_size);
}
