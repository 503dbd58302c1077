/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "kernel/link_monitor.h"

#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>
#include <unistd.h>

#include "kernel/link.h"

/* Notifications contain no counters of virtual functions, and are short. */
#define MESSAGES_SIZE 16384
/* In a storm of messages, the caller must get to its other work. */
#define READS_MAX 256

int link_monitor_open(void) {
        const struct sockaddr_nl events = { .nl_family = AF_NETLINK, .nl_groups = RTMGRP_LINK };
        int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);

        if (fd >= 0 && bind(fd, (const struct sockaddr *)&events, sizeof(events)) < 0) {
                int error = -errno;

                close(fd);
                return error;
        }
        return fd < 0 ? -errno : fd;
}

int link_monitor_hear_ways(int fd, bool on) {
        static const int groups[] = { RTNLGRP_IPV4_ROUTE, RTNLGRP_IPV6_ROUTE, RTNLGRP_NEIGH };

        for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++)
                if (setsockopt(fd, SOL_NETLINK, on ? NETLINK_ADD_MEMBERSHIP : NETLINK_DROP_MEMBERSHIP,
                               &groups[i], sizeof(groups[i])) < 0)
                        return -errno;
        return 0;
}

/* Whether it is about a route, or about an entry of a device's own forwarding table: vxlan_fdb_info(). */
static bool is_of_way(const struct nlmsghdr *message) {
        const struct ndmsg *neighbour = mnl_nlmsg_get_payload(message);

        switch (message->nlmsg_type) {
        case RTM_NEWROUTE:
        case RTM_DELROUTE:
                return true;
        case RTM_NEWNEIGH:
        case RTM_DELNEIGH:
                return mnl_nlmsg_get_payload_len(message) >= sizeof(*neighbour) &&
                       neighbour->ndm_family == AF_BRIDGE && (neighbour->ndm_flags & NTF_SELF);
        default:
                return false;
        }
}

int link_monitor_read(int fd, void (*take)(void *userdata, const struct link *link, bool is_gone),
                      void *userdata) {
        _Alignas(struct nlmsghdr) char buffer[MESSAGES_SIZE];

        for (unsigned i = 0; i < READS_MAX; i++) {
                struct iovec data = { buffer, sizeof(buffer) };
                struct msghdr header = { .msg_iov = &data, .msg_iovlen = 1 };
                ssize_t received = recvmsg(fd, &header, MSG_TRUNC);
                const struct nlmsghdr *message = (const void *)buffer;
                int left = (int)received;
                struct link link;

                if (received < 0 && errno == EINTR)
                        continue;
                if (received < 0)
                        return errno == EAGAIN ? 0 : -errno;
                /* A truncated message counts as lost. */
                if ((size_t)received > sizeof(buffer))
                        return -ENOBUFS;
                for (; mnl_nlmsg_ok(message, left); message = mnl_nlmsg_next(message, &left))
                        if (is_of_way(message))
                                take(userdata, NULL, false);
                        else if (link_parse(message, &link) == 0)
                                take(userdata, &link, message->nlmsg_type == RTM_DELLINK);
        }
        return 0;
}
